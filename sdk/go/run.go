package sdk

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	botv1 "sevens-arena.dev/sdk/gen/sevens/bot/v1"
)

// An Option gives [Run] further information about a bot.
type Option func(*options)

type options struct {
	hello *botv1.Hello
	// The program handles SIGINT and SIGTERM itself.
	ownSignals bool
}

// Games names the games that the bot plays, by their slugs. Without it the bot plays every game.
func Games(slugs ...string) Option {
	return func(given *options) { given.hello.Games = slugs }
}

// MatchesAtOnce sets the number of matches that the bot takes at a time; ARENA_MATCHES_AT_ONCE in
// the environment takes precedence. The default is 1.
func MatchesAtOnce(number int) Option {
	if number < 1 {
		panic(fmt.Sprintf("the number of matches at once has to be 1 or more, not %d", number))
	}
	return func(given *options) { given.hello.MatchesAtOnce = uint32(number) }
}

// OwnSignals leaves SIGINT and SIGTERM to the program.
func OwnSignals() Option {
	return func(given *options) { given.ownSignals = true }
}

// Run plays until the arena says goodbye, with a bot from newBot for each match. It returns only
// then: anything else ends the process, with a sentence or a stack trace on stderr. At the first
// Ctrl-C or SIGTERM the bot asks for a goodbye, and plays its matches to their end; the second one
// ends the process at once.
func Run(newBot func() Bot, given ...Option) {
	options := &options{hello: &botv1.Hello{MatchesAtOnce: 1}}
	for _, option := range given {
		option(options)
	}
	if err := play(newBot, options); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(err.(*failure).code) // all errors here are failures
	}
}

func play(newBot func() Bot, options *options) error {
	settings, err := settingsFrom(os.Getenv, options.hello)
	if err != nil {
		return err
	}
	var leave <-chan struct{}
	if !options.ownSignals {
		var stop func()
		leave, stop = leaveOnSignals()
		defer stop()
	}
	player := newPlayer(newSession(newBot, options.hello), func() (*grpc.ClientConn, error) {
		return dial(settings.address, settings.security)
	}, leave)
	return player.play(newPatience(settings.address))
}

// settings hold the arena's address and how to connect to it.
type settings struct {
	address  string
	security credentials.TransportCredentials
}

// settingsFrom reads the environment and completes the hello from it. Its error is a sentence.
func settingsFrom(variable func(string) string, hello *botv1.Hello) (settings, error) {
	// A file of variables that was written on Windows leaves a carriage return behind each.
	getenv := func(name string) string { return strings.TrimSpace(variable(name)) }
	var missing []string
	for _, name := range []string{"ARENA_ADDRESS", "ARENA_TOKEN"} {
		if getenv(name) == "" {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return settings{}, fail(exitUsage, "This bot is started by the arena; to try it:"+
			" arena play xeri %s builtin:random\n(Not set in the environment: %s.)",
			folderOfProgram(), strings.Join(missing, ", "))
	}
	hello.Token = getenv("ARENA_TOKEN")
	if text := getenv("ARENA_MATCHES_AT_ONCE"); text != "" {
		number, err := strconv.ParseUint(text, 10, 32)
		if err != nil || number < 1 {
			return settings{}, fail(exitUsage,
				"The number of matches at once has to be 1 or more, not %q.", text)
		}
		hello.MatchesAtOnce = uint32(number)
	}
	security, err := securityFrom(getenv)
	return settings{getenv("ARENA_ADDRESS"), security}, err
}

func securityFrom(getenv func(string) string) (credentials.TransportCredentials, error) {
	switch wanted := getenv("ARENA_TLS"); wanted {
	case "", "0":
		return insecure.NewCredentials(), nil
	case "1":
	default:
		return nil, fail(exitUsage,
			"ARENA_TLS has to be 1 (with TLS) or 0 (without), not %q.", wanted)
	}
	file := getenv("ARENA_TLS_CA")
	if file == "" {
		return credentials.NewTLS(&tls.Config{}), nil
	}
	certificates, err := os.ReadFile(file)
	if err != nil {
		return nil, fail(exitUsage, "ARENA_TLS_CA names a file that cannot be read: %v.", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(certificates) {
		return nil, fail(exitUsage,
			"ARENA_TLS_CA names %s, which holds no certificate in PEM.", file)
	}
	return credentials.NewTLS(&tls.Config{RootCAs: roots}), nil
}

// folderOfProgram returns the argument for `arena play`: the bot's folder, where it was built.
func folderOfProgram() string {
	program, err := os.Executable()
	if err != nil {
		return "FOLDER"
	}
	return filepath.Dir(program)
}
