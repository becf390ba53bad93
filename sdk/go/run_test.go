package sdk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	botv1 "sevens-arena.dev/sdk/gen/sevens/bot/v1"
)

func environment(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestSettingsComeFromTheEnvironment(t *testing.T) {
	hello := &botv1.Hello{MatchesAtOnce: 2}
	given := []string{"ARENA_ADDRESS", "unix:/run/arena.sock", "ARENA_TOKEN", "secret"}
	settings, err := settingsFrom(environment(given...), hello)
	if err != nil || settings.address != given[1] {
		t.Error(settings, err)
	}
	if hello.Token != "secret" || hello.MatchesAtOnce != 2 {
		t.Error(hello)
	}
	if protocol := settings.security.Info().SecurityProtocol; protocol != "insecure" {
		t.Error(protocol)
	}
	given = append(given, "ARENA_MATCHES_AT_ONCE", "64", "ARENA_TLS", "1")
	settings, err = settingsFrom(environment(given...), hello)
	if err != nil || hello.MatchesAtOnce != 64 {
		t.Error(err, hello)
	}
	if protocol := settings.security.Info().SecurityProtocol; protocol != "tls" {
		t.Error(protocol)
	}
}

func TestWrongSettingsAreExplained(t *testing.T) {
	noCertificate := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(noCertificate, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		sentence string
		given    []string
	}{
		{"(Not set in the environment: ARENA_ADDRESS, ARENA_TOKEN.)", nil},
		{"1 or more, not \"0\"", []string{"ARENA_MATCHES_AT_ONCE", "0"}},
		{"1 or more, not \"many\"", []string{"ARENA_MATCHES_AT_ONCE", "many"}},
		{"or 0 (without), not \"yes\"", []string{"ARENA_TLS", "yes"}},
		{"cannot be read", []string{"ARENA_TLS", "1", "ARENA_TLS_CA", noCertificate + "?"}},
		{"no certificate in PEM", []string{"ARENA_TLS", "1", "ARENA_TLS_CA", noCertificate}},
	} {
		given := c.given
		if given != nil {
			given = append(given, "ARENA_ADDRESS", "arena.example:7777", "ARENA_TOKEN", "secret")
		}
		_, err := settingsFrom(environment(given...), &botv1.Hello{})
		why, _ := err.(*failure)
		if why == nil || why.code != exitUsage || !strings.Contains(why.sentence, c.sentence) {
			t.Errorf("%q is explained as: %v", c.sentence, err)
		}
	}
}
