package sdk

import (
	crypto "crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	botv1 "sevens-arena.dev/sdk/gen/sevens/bot/v1"
)

const (
	// Version is the version of this SDK.
	Version = "0.1.0"

	protocol   = 1
	nonceBytes = 32
	// The limit for a frame, until the arena has sent its own.
	frameBytes = 1 << 20
	// Stands for a decision's number: the acceptance of the match, which is owed like an answer.
	acceptance = 0
)

// A session is the bot's side of the protocol, without input and output, on one stream after
// another. It takes the arena's frames, and returns calls of the bot's code and frames for the
// arena. Only a call's think may run in another goroutine than the rest.
type session struct {
	hello  *botv1.Hello
	newBot func() Bot
	seats  map[string]*seat
	// The number of streams on which the arena has welcomed the bot.
	stream     int
	frameBytes int
	// True from the moment at which the bot wants no further match.
	leaving bool
	notices map[string]bool

	// The fields below belong to the current stream alone.
	welcomedAt time.Time // zero: not yet
	goodbye    bool
	owed       map[debt]bool
	accepts    []*botv1.MatchAccept
	answers    []*botv1.Answer
	leaveSaid  bool
}

// A debt is something that the arena is waiting for on this stream.
type debt struct {
	match  string
	number uint32
}

// A seat of a match that this bot plays.
type seat struct {
	match  *Match
	source *rand.ChaCha8
	random *rand.Rand
	bot    Bot
	// True once OnStart is done.
	ready bool
	// The latest stream on which the arena named the match.
	stream int
	// The latest decision asked for, and the answer to it once there is one.
	number uint32
	answer *botv1.Answer
}

// A call of the bot's code: think makes it, and finish uses the result.
type call struct {
	task   string
	seat   *seat
	think  func()
	finish func()
	// The match and decision, for readers of a crash report.
	where string
}

func newSession(newBot func() Bot, hello *botv1.Hello) *session {
	hello.Protocol = protocol
	hello.Sdk = "go " + Version
	s := &session{
		hello: hello, newBot: newBot, seats: map[string]*seat{}, frameBytes: frameBytes,
		notices: map[string]bool{},
	}
	s.open()
	return s
}

// open returns the first frame for a new stream, and forgets what was due on the previous one. The
// matches stay: the arena will say which of them go on.
func (s *session) open() *botv1.BotFrame {
	s.welcomedAt = time.Time{}
	s.goodbye, s.leaveSaid = false, false
	s.owed = map[debt]bool{}
	s.accepts, s.answers = nil, nil
	return &botv1.BotFrame{Hello: s.hello}
}

// receive returns the calls that a frame leads to, in order, or a failure if the arena has refused
// this bot. It ignores pings: they are answered while the bot thinks.
func (s *session) receive(frame *botv1.ArenaFrame) ([]*call, error) {
	arrived := time.Now()
	if frame.GetRefusal() != nil {
		return nil, fail(exitNoArena, "%s", frame.GetRefusal().GetSentence())
	}
	if welcome := frame.GetWelcome(); welcome != nil {
		if welcome.GetProtocol() > protocol {
			return nil, fail(exitNoArena,
				"The arena speaks protocol %d, and this SDK %d: use a newer SDK.",
				welcome.GetProtocol(), protocol)
		}
		s.welcomed(welcome, arrived)
	}
	var calls []*call
	for _, start := range frame.GetStarts() {
		if call := s.start(start); call != nil {
			calls = append(calls, call)
		}
	}
	for _, message := range frame.GetDecisions() {
		if call := s.ask(message, arrived); call != nil {
			calls = append(calls, call)
		}
	}
	for _, end := range frame.GetEnds() {
		if call := s.end(end); call != nil {
			calls = append(calls, call)
		}
	}
	if frame.GetGoodbye() != nil {
		s.goodbye = true
	}
	return calls, nil
}

// outgoing takes what is due to be sent: one frame, several if one would be too large, or none.
func (s *session) outgoing() []*botv1.BotFrame {
	if !s.hasToSay() {
		return nil
	}
	accepts, answers := s.accepts, s.answers
	s.accepts, s.answers = nil, nil
	fit := max(1, s.frameBytes/answerBytes)
	first := min(fit, len(answers))
	frames := []*botv1.BotFrame{{Accepts: accepts, Answers: answers[:first]}}
	if s.leaving && !s.leaveSaid {
		s.leaveSaid = true
		frames[0].Leave = &botv1.Leave{}
	}
	for rest := answers[first:]; len(rest) > 0; {
		taken := min(fit, len(rest))
		frames = append(frames, &botv1.BotFrame{Answers: rest[:taken]})
		rest = rest[taken:]
	}
	return frames
}

func (s *session) hasToSay() bool {
	return len(s.accepts)+len(s.answers) > 0 || s.leaving && !s.leaveSaid
}

// hasLeft returns true if the bot is leaving and has no match.
func (s *session) hasLeft() bool { return s.leaving && len(s.seats) == 0 }

// finished returns true once the arena has said goodbye and the bot has answered all that it owed.
func (s *session) finished() bool { return s.goodbye && len(s.owed) == 0 }

// Frames of the arena ---------------------------------------------------------------------------

func (s *session) welcomed(welcome *botv1.Welcome, now time.Time) {
	s.welcomedAt = now
	s.frameBytes = frameBytes
	if limit := welcome.GetFrameLimitBytes(); limit > 0 {
		s.frameBytes = int(limit)
	}
	if notice := welcome.GetNotice(); notice != "" && !s.notices[notice] {
		s.notices[notice] = true
		warn("%s", notice)
	}
	// A match that the arena never named on the previous stream is over.
	for id, seat := range s.seats {
		if seat.stream != s.stream {
			delete(s.seats, id)
		}
	}
	s.stream++
}

func (s *session) start(start *botv1.MatchStart) *call {
	at := s.seats[start.GetMatchId()]
	goesOn := start.GetResumed() && at != nil
	if !goesOn {
		at = newSeat(matchOf(start))
		s.seats[start.GetMatchId()] = at
	}
	at.stream = s.stream
	s.owed[debt{start.GetMatchId(), acceptance}] = true
	if at.ready {
		s.accept(at)
	}
	if goesOn {
		return nil
	}
	return &call{
		task:   "start",
		seat:   at,
		think:  func() { at.begin(s.newBot) },
		finish: func() { s.accept(at) },
		where:  at.match.String(),
	}
}

// ask returns the call that a decision leads to, if the bot has to think about it.
func (s *session) ask(message *botv1.Decision, arrived time.Time) *call {
	at := s.seats[message.GetMatchId()]
	if at == nil {
		warn("The arena asked for a decision in %s, a match it never started.",
			message.GetMatchId())
		return nil
	}
	s.owed[debt{message.GetMatchId(), message.GetNumber()}] = true
	if at.number == message.GetNumber() {
		// Asked again, after the stream was lost. The bot has answered, or is still thinking.
		if at.answer != nil {
			s.say(at, at.answer)
		}
		return nil
	}
	at.number, at.answer = message.GetNumber(), nil
	decision := &Decision{Match: at.match, Random: at.random, Message: message, arrived: arrived}
	var answer *botv1.Answer
	return &call{
		task:  "choice",
		seat:  at,
		think: func() { answer = at.choose(decision) },
		finish: func() {
			if at.number == answer.GetNumber() {
				at.answer = answer
			}
			s.say(at, answer)
		},
		where: fmt.Sprintf("%s, decision %d", at.match, message.GetNumber()),
	}
}

func (s *session) end(message *botv1.MatchEnd) *call {
	at := s.seats[message.GetMatchId()]
	if at == nil {
		return nil
	}
	delete(s.seats, message.GetMatchId())
	delete(s.owed, debt{message.GetMatchId(), acceptance})
	delete(s.owed, debt{message.GetMatchId(), at.number})
	return &call{
		task:   "end",
		seat:   at,
		think:  func() { at.finish(matchEndOf(message)) },
		finish: func() {},
		where:  at.match.String(),
	}
}

// Answers of the bot ----------------------------------------------------------------------------

func (s *session) accept(at *seat) {
	at.ready = true
	if !s.due(at, acceptance) {
		return
	}
	nonce := make([]byte, nonceBytes)
	crypto.Read(nonce) // never fails, according to its documentation
	s.accepts = append(s.accepts, &botv1.MatchAccept{MatchId: at.match.ID, Nonce: nonce})
}

func (s *session) say(at *seat, answer *botv1.Answer) {
	if s.due(at, answer.GetNumber()) {
		s.answers = append(s.answers, answer)
	}
}

// due returns true if the arena is waiting for this on this stream, but only once.
func (s *session) due(at *seat, number uint32) bool {
	owed := debt{at.match.ID, number}
	if !s.owed[owed] || s.seats[at.match.ID] != at {
		return false
	}
	delete(s.owed, owed)
	return true
}

// A seat, and the bot's code --------------------------------------------------------------------

func newSeat(match *Match) *seat {
	source := rand.NewChaCha8([32]byte{})
	return &seat{match: match, source: source, random: rand.New(source)}
}

// seed reseeds the randomness for a decision. Earlier draws do not matter: a process that takes over
// in the middle of a match must give the same answers.
func (at *seat) seed(number uint32) {
	own := binary.BigEndian.AppendUint32(nil, number)
	at.source.Seed(sha256.Sum256(slices.Concat(at.match.Seed, own)))
}

func (at *seat) begin(newBot func() Bot) {
	at.seed(acceptance)
	at.bot = newBot()
	checkForm(at.bot)
	if bot, wants := at.bot.(Starter); wants {
		bot.OnStart(at.match, at.random)
	}
}

func (at *seat) choose(decision *Decision) *botv1.Answer {
	at.seed(decision.Message.GetNumber())
	return answerTo(decision, at.bot.Choose(decision))
}

func (at *seat) finish(end *MatchEnd) {
	if bot, wants := at.bot.(Ender); wants {
		bot.OnEnd(end)
	}
}
