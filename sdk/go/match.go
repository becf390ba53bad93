package sdk

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	botv1 "sevens-arena.dev/sdk/gen/sevens/bot/v1"
)

// A Match holds the facts of a match, as one seat receives them at its beginning.
type Match struct {
	ID           string
	Game         string // the slug: "xeri"
	RulesVersion int
	Options      map[string]any // each an int, a bool or a string
	Seat         int            // your own, from 0
	Teams        []int          // the team of each seat, by seat
	Clock        Clock
	Seed         []byte // the seat's own, 32 random bytes
	Commitment   []byte // SHA-256 of the secret behind the deals; empty if they follow a known seed
	Resumed      bool   // whether the match had begun before, in a process or on a stream that was lost
}

// A Clock is a bank of time for the whole match, and the time that each decision adds to it.
type Clock struct {
	Bank, Increment time.Duration
}

// Players returns the number of seats.
func (m *Match) Players() int { return len(m.Teams) }

func (m *Match) String() string {
	return fmt.Sprintf("match %s (%s), seat %d", m.ID, m.Game, m.Seat)
}

// A MatchEnd is the end of a match.
type MatchEnd struct {
	Scores []int  // by seat
	Ranks  []int  // by seat: 1 is best, equal ranks are ties
	Reason string // the game's own word for what ended it, or "abandoned"
	Faults []Fault
}

// A Fault is the reason why the arena played for a seat from a certain decision on.
type Fault struct {
	Seat     int
	Kind     string // such as "timeout" or "illegal-action"
	Decision int    // 0 before the first; sent to the seat's own team only
	Sentence string // sent to the seat's own team only
}

func matchOf(start *botv1.MatchStart) *Match {
	options := make(map[string]any, len(start.GetOptions()))
	for name, text := range start.GetOptions() {
		options[name] = optionOf(text)
	}
	return &Match{
		ID:           start.GetMatchId(),
		Game:         start.GetGame(),
		RulesVersion: int(start.GetRulesVersion()),
		Options:      options,
		Seat:         int(start.GetSeat()),
		Teams:        integers(start.GetTeams()),
		Clock: Clock{
			Bank:      milliseconds(start.GetClock().GetBankMs()),
			Increment: milliseconds(start.GetClock().GetIncrementMs()),
		},
		Seed:       start.GetSeed(),
		Commitment: start.GetCommitment(),
		Resumed:    start.GetResumed(),
	}
}

// optionOf returns an option's value; the arena sends it as text.
func optionOf(text string) any {
	if text == "true" || text == "false" {
		return text == "true"
	}
	if number, err := strconv.Atoi(text); err == nil {
		return number
	}
	return text
}

func matchEndOf(end *botv1.MatchEnd) *MatchEnd {
	faults := make([]Fault, len(end.GetFaults()))
	for i, fault := range end.GetFaults() {
		faults[i] = Fault{
			Seat:     int(fault.GetSeat()),
			Kind:     kindOf(fault.GetKind()),
			Decision: int(fault.GetDecision()),
			Sentence: fault.GetSentence(),
		}
	}
	return &MatchEnd{
		Scores: integers(end.GetScores()),
		Ranks:  integers(end.GetRanks()),
		Reason: end.GetReason(),
		Faults: faults,
	}
}

// kindOf returns the name of a kind of fault: "kind-N" if it is newer than this SDK.
func kindOf(kind botv1.FaultKind) string {
	name, known := botv1.FaultKind_name[int32(kind)]
	if !known {
		return fmt.Sprintf("kind-%d", kind)
	}
	return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(name, "FAULT_KIND_")), "_", "-")
}

func integers[Number int32 | uint32](numbers []Number) []int {
	result := make([]int, len(numbers))
	for i, number := range numbers {
		result[i] = int(number)
	}
	return result
}

func milliseconds(number uint32) time.Duration {
	return time.Duration(number) * time.Millisecond
}
