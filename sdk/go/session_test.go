package sdk

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	botv1 "sevens-arena.dev/sdk/gen/sevens/bot/v1"
)

var legal = []string{"play 7S", "play 8S", "pass"}

func start(match string) *botv1.MatchStart {
	return &botv1.MatchStart{
		MatchId: match, Game: "xeri", RulesVersion: 1, Seat: 1, Teams: []uint32{0, 1, 0, 1},
		Seed:  bytes.Repeat([]byte{7}, 32),
		Clock: &botv1.ClockSettings{BankMs: 60_000, IncrementMs: 200},
	}
}

func resumed(match string) *botv1.MatchStart {
	again := start(match)
	again.Resumed = true
	return again
}

func decision(match string, number uint32) *botv1.Decision {
	return &botv1.Decision{
		MatchId: match, Number: number, Seat: 1, TimeLeftMs: 60_200, LegalActions: legal,
	}
}

func starts(matches ...string) *botv1.ArenaFrame {
	frame := &botv1.ArenaFrame{}
	for _, match := range matches {
		frame.Starts = append(frame.Starts, start(match))
	}
	return frame
}

func asks(decisions ...*botv1.Decision) *botv1.ArenaFrame {
	return &botv1.ArenaFrame{Decisions: decisions}
}

func welcome(limit uint32) *botv1.ArenaFrame {
	return &botv1.ArenaFrame{Welcome: &botv1.Welcome{Protocol: 1, FrameLimitBytes: limit}}
}

// A chooser is a bot that is one function.
type chooser func(*Decision) Choice

func (c chooser) Choose(decision *Decision) Choice { return c(decision) }

func always(choice Choice) chooser {
	return func(*Decision) Choice { return choice }
}

// sessionWith returns a session that has been welcomed and plays some matches.
func sessionWith(bot Bot, matches ...string) *session {
	s := newSession(func() Bot { return bot }, &botv1.Hello{Token: "secret"})
	deliver(s, welcome(0))
	deliver(s, starts(matches...))
	return s
}

// deliver makes the calls that frames lead to, and returns the frames that the bot sends.
func deliver(s *session, frames ...*botv1.ArenaFrame) []*botv1.BotFrame {
	for _, frame := range frames {
		calls, err := s.receive(frame)
		if err != nil {
			panic(err)
		}
		for _, call := range calls {
			call.think()
			call.finish()
		}
	}
	return s.outgoing()
}

// warned captures what is written to stderr meanwhile.
func warned(t *testing.T) *bytes.Buffer {
	told := &bytes.Buffer{}
	before := warnings
	warnings = told
	t.Cleanup(func() { warnings = before })
	return told
}

func equal(t *testing.T, got, want proto.Message) {
	t.Helper()
	if !proto.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestAChoiceIsSentAsItWasMade(t *testing.T) {
	told := warned(t)
	byIndex := &botv1.Answer{MatchId: "m1", Number: 3, Action: &botv1.Answer_Index{Index: 0}}
	byText := &botv1.Answer{MatchId: "m1", Number: 3, Action: &botv1.Answer_Text{Text: "pass"}}
	for choice, want := range map[Choice]*botv1.Answer{Index(0): byIndex, Text("pass"): byText} {
		frames := deliver(sessionWith(always(choice), "m1"), asks(decision("m1", 3)))
		equal(t, frames[0], &botv1.BotFrame{Answers: []*botv1.Answer{want}})
	}
	if told.Len() > 0 {
		t.Errorf("a warning: %s", told)
	}
}

func TestAnIllegalChoiceIsSentWithAWarning(t *testing.T) {
	long := strings.Repeat("7", 300)
	for _, c := range []struct {
		choice      Choice
		named, sent string
	}{
		{Text("play 9S"), `"play 9S"`, "play 9S"},
		{Index(3), "3", "3"},
		{Index(-1), "-1", "-1"},
		{Text(long), `"` + long + `"`, long[:256]},
		{Text("\xff half a character"), `"\xff half a character"`, "? half a character"},
	} {
		told := warned(t)
		frames := deliver(sessionWith(always(c.choice), "m1"), asks(decision("m1", 3)))
		if sent := frames[0].GetAnswers()[0].GetText(); sent != c.sent {
			t.Errorf("%v was sent as %q", c.choice, sent)
		}
		want := "The bot chose " + c.named + ", which is not legal, in decision 3 of" +
			` match m1 (xeri), seat 1. Legal: "play 7S", "play 8S", "pass".` + "\n"
		if told.String() != want {
			t.Errorf("got  %swant %s", told, want)
		}
	}
}

func TestAWarningNamesOnlySoManyActions(t *testing.T) {
	told := warned(t)
	asked := decision("m1", 1)
	asked.LegalActions = nil
	for n := range 1000 {
		asked.LegalActions = append(asked.LegalActions, fmt.Sprint("move ", n))
	}
	deliver(sessionWith(always(Text("home")), "m1"), asks(asked))
	if end := "\"move 18\", \"move 19\" and 980 more.\n"; !strings.HasSuffix(told.String(), end) {
		t.Error(told)
	}
}

func TestANoteIsCutBetweenCharacters(t *testing.T) {
	noting := chooser(func(decision *Decision) Choice {
		decision.Note("x")
		decision.Note(strings.Repeat("ä", 2000))
		return Index(0)
	})
	frames := deliver(sessionWith(noting, "m1"), asks(decision("m1", 1)))
	if note := frames[0].GetAnswers()[0].GetNote(); note != "x\n"+strings.Repeat("ä", 511) {
		t.Errorf("%d bytes: %s", len(note), note)
	}
}

func TestAnswersToOneFrameTravelTogetherWithinTheLimit(t *testing.T) {
	long := chooser(func(decision *Decision) Choice {
		decision.Note(strings.Repeat("x", 2000))
		return Text("pass")
	})
	s := newSession(func() Bot { return long }, &botv1.Hello{})
	deliver(s, welcome(8192))
	var matches []string
	asked := &botv1.ArenaFrame{}
	for n := range 30 {
		match := fmt.Sprint("m", n)
		matches = append(matches, match)
		asked.Decisions = append(asked.Decisions, decision(match, 1))
	}
	accepted := deliver(s, starts(matches...))
	if len(accepted) != 1 || len(accepted[0].Accepts) != 30 {
		t.Errorf("accepted in %d frames", len(accepted))
	}
	var answered []string
	for _, frame := range deliver(s, asked) {
		if size := proto.Size(frame); size > 8192 {
			t.Errorf("a frame of %d bytes", size)
		}
		for _, answer := range frame.Answers {
			answered = append(answered, answer.MatchId)
		}
	}
	if !slices.Equal(answered, matches) {
		t.Errorf("answered: %v", answered)
	}
}

func TestADecisionAskedAgainIsAnsweredTheSameWithoutTheBot(t *testing.T) {
	asked := 0
	counting := chooser(func(decision *Decision) Choice {
		asked++
		decision.Note(fmt.Sprint(asked))
		return Index(0)
	})
	s := sessionWith(counting, "m1")
	given := deliver(s, asks(decision("m1", 4)))
	s.open()
	deliver(s, welcome(0))
	accepted := deliver(s, &botv1.ArenaFrame{Starts: []*botv1.MatchStart{resumed("m1")}})
	if len(accepted) != 1 || len(accepted[0].Accepts) != 1 {
		t.Errorf("accepted: %v", accepted)
	}
	equal(t, deliver(s, asks(decision("m1", 4)))[0], given[0])
	deliver(s, asks(decision("m1", 5)))
	if asked != 2 {
		t.Errorf("the bot was asked %d times", asked)
	}
}

func TestAnAnswerThatOutlastsItsStreamIsGivenOnTheNext(t *testing.T) {
	s := sessionWith(always(Index(2)), "m1")
	calls, _ := s.receive(asks(decision("m1", 6)))
	s.open()
	deliver(s, welcome(0))
	calls[0].think()
	calls[0].finish()
	if said := s.outgoing(); said != nil {
		t.Errorf("said before it was asked for: %v", said)
	}
	deliver(s, &botv1.ArenaFrame{Starts: []*botv1.MatchStart{resumed("m1")}})
	if said := deliver(s, asks(decision("m1", 6))); said[0].Answers[0].GetIndex() != 2 {
		t.Errorf("said: %v", said)
	}
}

func TestRandomnessComesFromSeedAndNumberAlone(t *testing.T) {
	drawn := func(before int, numbers ...uint32) (first []int) {
		drawing := chooser(func(decision *Decision) Choice {
			first = append(first, decision.Random.IntN(1<<30))
			for range before {
				decision.Random.Int()
			}
			return Index(0)
		})
		s := sessionWith(drawing, "m1")
		for _, number := range numbers {
			deliver(s, asks(decision("m1", number)))
		}
		return first
	}
	all, last := drawn(0, 1, 2, 3), drawn(5, 2, 3)
	if !slices.Equal(all[1:], last) || all[0] == all[1] || all[1] == all[2] {
		t.Errorf("drew %v, then %v", all, last)
	}
}

func TestAnEndedMatchOwesNothing(t *testing.T) {
	s := sessionWith(always(Index(0)), "m1", "m2")
	calls, _ := s.receive(asks(decision("m1", 1), decision("m2", 1)))
	ended := deliver(s, &botv1.ArenaFrame{
		Ends:    []*botv1.MatchEnd{{MatchId: "m1"}, {MatchId: "never started"}},
		Goodbye: &botv1.Goodbye{},
	})
	if ended != nil || s.finished() {
		t.Errorf("said: %v, finished: %v", ended, s.finished())
	}
	for _, call := range calls {
		call.think()
		call.finish()
	}
	if said := s.outgoing(); len(said) != 1 || len(said[0].Answers) != 1 || !s.finished() {
		t.Errorf("said: %v, finished: %v", said, s.finished())
	}
}

func TestAMatchThatAWholeStreamDidNotNameIsForgotten(t *testing.T) {
	s := sessionWith(always(Index(0)), "m1", "m2")
	for range 2 {
		s.open()
		deliver(s, welcome(0))
		deliver(s, &botv1.ArenaFrame{Starts: []*botv1.MatchStart{resumed("m1")}})
	}
	if len(s.seats) != 1 || s.seats["m1"] == nil {
		t.Errorf("seats: %v", s.seats)
	}
}

func TestADecisionOfAnUnknownMatchIsLeftAlone(t *testing.T) {
	told := warned(t)
	s := sessionWith(always(Index(0)), "m1")
	if said := deliver(s, asks(decision("m0", 1), decision("m1", 1))); len(said[0].Answers) != 1 {
		t.Errorf("said: %v", said)
	}
	if told.String() != "The arena asked for a decision in m0, a match it never started.\n" {
		t.Error(told)
	}
}

func TestARefusalIsAFailureInTheArenasWords(t *testing.T) {
	s := newSession(nil, &botv1.Hello{})
	_, err := s.receive(&botv1.ArenaFrame{Refusal: &botv1.Refusal{Sentence: "100% revoked."}})
	var why *failure
	if !errors.As(err, &why) || *why != (failure{exitNoArena, "100% revoked."}) {
		t.Error(err)
	}
}

// A listener records its match's beginning and end.
type listener struct {
	chooser
	heard []string
}

func (l *listener) OnStart(match *Match, random *rand.Rand) {
	l.heard = append(l.heard, fmt.Sprint(match, match.Players(), match.Clock.Bank, match.Options))
}

func (l *listener) OnEnd(end *MatchEnd) {
	l.heard = append(l.heard, fmt.Sprint(*end))
}

func TestABotHearsOfItsMatch(t *testing.T) {
	bot := &listener{}
	s := sessionWith(bot)
	began := start("m1")
	began.Options = map[string]string{"low": "-3", "piiko": "true", "deck": "spanish"}
	deliver(s, &botv1.ArenaFrame{Starts: []*botv1.MatchStart{began}})
	deliver(s, &botv1.ArenaFrame{Ends: []*botv1.MatchEnd{{
		MatchId: "m1", Scores: []int32{3, -4}, Ranks: []uint32{1, 2}, Reason: "played-out",
		Faults: []*botv1.Fault{
			{
				Seat: 1, Kind: botv1.FaultKind_FAULT_KIND_ILLEGAL_ACTION, Decision: 9,
				Sentence: "No.",
			},
			{Kind: 99},
		},
	}}})
	want := []string{
		"match m1 (xeri), seat 1 4 1m0s map[deck:spanish low:-3 piiko:true]",
		"{[3 -4] [1 2] played-out [{1 illegal-action 9 No.} {0 kind-99 0 }]}",
	}
	if !slices.Equal(bot.heard, want) {
		t.Errorf("heard: %q", bot.heard)
	}
}

func TestADecisionShowsWhatTheSeatMaySee(t *testing.T) {
	asked := decision("m1", 5)
	asked.Observation = &botv1.Observation{
		Zones: []*botv1.Zone{
			{Name: "hand", Owner: proto.Uint32(0), Hidden: 2},
			{Name: "hand", Owner: proto.Uint32(1), Cards: []string{"7S", "8S"}},
			{Name: "stock", Cards: []string{"2C"}, Hidden: 40},
		},
		Facts: []*botv1.Fact{
			{Name: "round", Numbers: []int32{0}},
			{Name: "scores", Numbers: []int32{3, -4}, IsList: true},
			{Name: "trump", Words: []string{"S"}},
		},
	}
	asked.Events = []*botv1.Event{
		{Verb: "play", Actor: proto.Uint32(0), Arguments: []string{"7H"}}, {Verb: "redeal"},
	}
	seen := &Decision{Message: asked, arrived: time.Now().Add(-time.Second)}
	o := seen.Observation()
	got := fmt.Sprintln(seen.Hand(), o.Zones(), o.Zone("hand", 0), o.Zone("gone", Nobody),
		o.Cards("stock", Nobody), o.Facts(), o.Fact("round").Number(), o.Fact("scores").Numbers,
		o.Fact("trump").Word(), seen.Events())
	want := "[7S 8S] [{hand 0 [] 2} {hand 1 [7S 8S] 0} {stock -1 [2C] 40}]" +
		" {hand 0 [] 2} {gone -1 [] 0} [2C] [round=0 scores=[3 -4] trump=S]" +
		" 0 [3 -4] S [{play 0 [7H]} {redeal -1 []}]\n"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if left := seen.TimeLeft(); left > 59_200*time.Millisecond || left < 55*time.Second {
		t.Errorf("time left: %v", left)
	}
	if said := panicOf(func() { o.Fact("trumps") }); said !=
		`there is no fact "trumps" here, only: round, scores, trump` {
		t.Error(said)
	}
	if said := panicOf(func() { o.Fact("scores").Number() }); said !=
		`the fact "scores" is not a number: scores=[3 -4]` {
		t.Error(said)
	}
}

// A pointed bot has an optional method that only a pointer to it has.
type pointed struct{ chooser }

func (*pointed) OnEnd(*MatchEnd) {}

// A misspelt bot has an optional method that takes something else.
type misspelt struct{ chooser }

func (misspelt) OnStart(*Match) {}

func TestAMethodThatWouldNeverBeCalledIsReported(t *testing.T) {
	for _, bot := range []Bot{pointed{}, misspelt{}, nil} {
		if panicOf(func() { checkForm(bot) }) == "" {
			t.Errorf("%T was taken", bot)
		}
	}
	for _, bot := range []Bot{&pointed{}, &listener{}, chooser(nil)} {
		if said := panicOf(func() { checkForm(bot) }); said != "" {
			t.Error(said)
		}
	}
}

func panicOf(f func()) (said string) {
	defer func() {
		if cause := recover(); cause != nil {
			said = fmt.Sprint(cause)
		}
	}()
	f()
	return ""
}
