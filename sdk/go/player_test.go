package sdk

import (
	"encoding/pem"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	botv1 "sevens-arena.dev/sdk/gen/sevens/bot/v1"
)

// A scripted arena sends what a test gives it. Each stream that a bot opens is in streams.
type scripted struct {
	botv1.UnimplementedBotServiceServer
	streams chan *conversation
}

// A conversation is one stream, from the arena's side.
type conversation struct {
	botv1.BotService_PlayServer
	t    *testing.T
	over chan struct{}
}

func (a *scripted) Play(stream botv1.BotService_PlayServer) error {
	c := &conversation{stream, nil, make(chan struct{})}
	a.streams <- c
	<-c.over
	return nil
}

// serve opens a scripted arena, and returns it and its address.
func serve(
	t *testing.T, network, address string, options ...grpc.ServerOption,
) (*scripted, string) {
	listener, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	arena := &scripted{streams: make(chan *conversation, 8)}
	server := grpc.NewServer(options...)
	botv1.RegisterBotServiceServer(server, arena)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	return arena, listener.Addr().String()
}

// playing opens an arena and has a bot play there; the outcome arrives in the channel.
func playing(t *testing.T, bot Bot) (*scripted, <-chan error) {
	return playingUntil(t, bot, nil)
}

// playingUntil does the same with a bot that leaves when the channel is closed.
func playingUntil(
	t *testing.T, bot Bot, leave <-chan struct{},
) (*scripted, <-chan error) {
	folder, err := os.MkdirTemp("", "sdk-") // t.TempDir() may be too long for the path of a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	arena, path := serve(t, "unix", filepath.Join(folder, "arena.sock"))
	return arena, playAt("unix:"+path, insecure.NewCredentials(), bot, leave)
}

func playAt(
	address string, security credentials.TransportCredentials, bot Bot, leave <-chan struct{},
) <-chan error {
	s := newSession(func() Bot { return bot }, &botv1.Hello{Token: "secret"})
	player := newPlayer(s, func() (*grpc.ClientConn, error) {
		return dial(address, security)
	}, leave)
	patience := newPatience(address)
	patience.limit = 500 * time.Millisecond
	ended := make(chan error, 1)
	go func() { ended <- player.play(patience) }()
	return ended
}

// welcome waits for the next stream and its hello, and starts matches.
func (a *scripted) welcome(t *testing.T, begin *botv1.ArenaFrame) *conversation {
	t.Helper()
	c := <-a.streams
	c.t = t
	if hello := c.hear().GetHello(); hello.GetToken() != "secret" || hello.GetProtocol() != 1 {
		t.Errorf("hello: %v", hello)
	}
	c.say(welcome(0))
	c.say(begin)
	if accepted := c.hear().GetAccepts(); len(accepted) != len(begin.Starts) {
		t.Errorf("accepted: %v", accepted)
	}
	return c
}

func (c *conversation) say(frame *botv1.ArenaFrame) {
	c.t.Helper()
	if err := c.Send(frame); err != nil {
		c.t.Fatal(err)
	}
}

func (c *conversation) hear() *botv1.BotFrame {
	c.t.Helper()
	frame, err := c.Recv()
	if err != nil {
		c.t.Fatal(err)
	}
	return frame
}

// goodbye says so, and waits for the bot's end.
func (c *conversation) goodbye(ended <-chan error) {
	c.t.Helper()
	c.say(&botv1.ArenaFrame{Goodbye: &botv1.Goodbye{}})
	if frame, err := c.Recv(); err == nil {
		c.t.Errorf("after the goodbye the bot said %v", frame)
	}
	close(c.over)
	if err := <-ended; err != nil {
		c.t.Error(err)
	}
}

func TestMatchesThinkConcurrentlyWhileThePlayerListens(t *testing.T) {
	free := make(chan struct{})
	bot := chooser(func(decision *Decision) Choice {
		if decision.Match.ID == "slow" {
			<-free
		}
		return Index(0)
	})
	arena, ended := playing(t, bot)
	c := arena.welcome(t, starts("slow", "m1", "m2"))
	c.say(asks(decision("slow", 1), decision("m1", 1), decision("m2", 1)))
	if answers := c.hear().GetAnswers(); len(answers) != 2 {
		t.Errorf("answers: %v", answers)
	}
	c.say(&botv1.ArenaFrame{Ping: &botv1.Ping{Number: 42}})
	if pong := c.hear().GetPong(); pong.GetNumber() != 42 {
		t.Errorf("pong: %v", pong)
	}
	close(free)
	if answers := c.hear().GetAnswers(); len(answers) != 1 || answers[0].GetMatchId() != "slow" {
		t.Errorf("answers: %v", answers)
	}
	c.goodbye(ended)
}

func TestGoodbyeLetsTheBotFinishWhatItOwes(t *testing.T) {
	bot := &listener{chooser: func(*Decision) Choice {
		time.Sleep(50 * time.Millisecond)
		return Index(0)
	}}
	arena, ended := playing(t, bot)
	c := arena.welcome(t, starts("m1"))
	c.say(&botv1.ArenaFrame{
		Decisions: []*botv1.Decision{decision("m1", 1)}, Goodbye: &botv1.Goodbye{},
	})
	if answers := c.hear().GetAnswers(); len(answers) != 1 {
		t.Errorf("answers: %v", answers)
	}
	c.Send(&botv1.ArenaFrame{Ends: []*botv1.MatchEnd{{MatchId: "m1"}}})
	close(c.over)
	if err := <-ended; err != nil || len(bot.heard) != 2 {
		t.Error(err, bot.heard)
	}
}

func TestAfterABreakTheBotGoesOn(t *testing.T) {
	thinking, free := make(chan struct{}), make(chan struct{})
	bot := chooser(func(*Decision) Choice {
		thinking <- struct{}{}
		<-free
		return Index(1)
	})
	arena, ended := playing(t, bot)
	lost := arena.welcome(t, starts("m1"))
	lost.say(asks(decision("m1", 3)))
	<-thinking
	close(lost.over)
	c := arena.welcome(t, &botv1.ArenaFrame{Starts: []*botv1.MatchStart{resumed("m1")}})
	c.say(asks(decision("m1", 3)))
	close(free)
	if answers := c.hear().GetAnswers(); len(answers) != 1 || answers[0].GetIndex() != 1 {
		t.Errorf("answers: %v", answers)
	}
	c.goodbye(ended)
}

func TestACrashIsTracedAndSparesOtherMatches(t *testing.T) {
	bot := chooser(func(decision *Decision) Choice {
		if decision.Match.ID == "m2" {
			time.Sleep(5 * time.Millisecond)
			panic("at 2 a.m.")
		}
		return Index(0)
	})
	arena, ended := playing(t, bot)
	c := arena.welcome(t, starts("m1", "m2"))
	c.say(asks(decision("m1", 4), decision("m2", 17)))
	if answers := c.hear().GetAnswers(); len(answers) != 1 || answers[0].GetMatchId() != "m1" {
		t.Errorf("answers: %v", answers)
	}
	close(c.over)
	crash := (<-ended).(*failure)
	for _, part := range []string{
		"player_test.go:",
		"\n\npanic: at 2 a.m.\nThis was the bot's choice in match m2 (xeri), seat 1, decision 17.",
	} {
		if crash.code != exitCrash || !strings.Contains(crash.sentence, part) {
			t.Errorf("%q is not in: %d %s", part, crash.code, crash.sentence)
		}
	}
}

func TestABotWhoseArenaIsGoneGivesUp(t *testing.T) {
	ended := playAt("unix:/nowhere/arena.sock", insecure.NewCredentials(), always(Index(0)), nil)
	why := (<-ended).(*failure)
	for _, part := range []string{"/nowhere/arena.sock has been out of reach", "(Unavailable)"} {
		if why.code != exitNoArena || !strings.Contains(why.sentence, part) {
			t.Errorf("%q is not in: %d %s", part, why.code, why.sentence)
		}
	}
}

func TestABotPlaysOverTLS(t *testing.T) {
	certified := httptest.NewTLSServer(nil) // has a certificate for 127.0.0.1
	defer certified.Close()
	authority := filepath.Join(t.TempDir(), "ca.pem")
	block := &pem.Block{Type: "CERTIFICATE", Bytes: certified.Certificate().Raw}
	if err := os.WriteFile(authority, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	ours := credentials.NewServerTLSFromCert(&certified.TLS.Certificates[0])
	arena, address := serve(t, "tcp", "127.0.0.1:0", grpc.Creds(ours))
	security, err := securityFrom(environment("ARENA_TLS", "1", "ARENA_TLS_CA", authority))
	if err != nil {
		t.Fatal(err)
	}
	ended := playAt(address, security, always(Index(0)), nil)
	arena.welcome(t, starts("m1")).goodbye(ended)
}

func TestABotThatLeavesPlaysItsMatchToItsEnd(t *testing.T) {
	leave := make(chan struct{})
	arena, ended := playingUntil(t, always(Index(0)), leave)
	c := arena.welcome(t, starts("m1"))
	close(leave)
	if c.hear().GetLeave() == nil {
		t.Error("it does not say so")
	}
	c.say(asks(decision("m1", 1)))
	if answers := c.hear().GetAnswers(); len(answers) != 1 {
		t.Errorf("answers: %v", answers)
	}
	close(c.over) // breaks the stream
	c = <-arena.streams
	c.t = t
	if c.hear().GetHello() == nil {
		t.Error("no hello")
	}
	if c.hear().GetLeave() == nil {
		t.Error("it does not say so again")
	}
	c.say(welcome(0))
	c.say(&botv1.ArenaFrame{Starts: []*botv1.MatchStart{resumed("m1")}})
	c.hear()
	c.say(&botv1.ArenaFrame{Ends: []*botv1.MatchEnd{{MatchId: "m1"}}})
	c.goodbye(ended)
}

func TestABotThatStillDialsLeavesAtOnce(t *testing.T) {
	leave := make(chan struct{})
	close(leave)
	select {
	case err := <-playAt("unix:/nowhere", insecure.NewCredentials(), always(Index(0)), leave):
		if err != nil {
			t.Error(err)
		}
	case <-time.After(400 * time.Millisecond):
		t.Error("it goes on dialling")
	}
}
