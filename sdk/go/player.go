package sdk

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"google.golang.org/grpc"

	botv1 "sevens-arena.dev/sdk/gen/sevens/bot/v1"
)

const (
	// The longest time that an answer waits for others that the bot is still thinking about.
	prompt = 10 * time.Millisecond
	// The time to wait for the arena to end a stream that the bot has closed.
	lastWords = 5 * time.Second
	// The time by which a crash may be delayed so that answers already given are written.
	flushing = time.Second
)

// A player connects a session to an arena. The goroutine of play receives, sends and owns the
// session; the bot thinks in others, one for each match with something to think about.
type player struct {
	session *session
	dial    func() (*grpc.ClientConn, error)
	// The calls due in each match, the first of which is running.
	due map[*seat][]*call
	// Closed when the bot is to leave.
	leave <-chan struct{}
	// Calls that have returned. Calls continue while a lost stream is replaced.
	returned chan thought
}

// A thought is a call that has returned; crash is nil unless it failed.
type thought struct {
	call  *call
	crash error
}

// A stream is one conversation. inbox is closed when it is over; reason then says why.
type stream struct {
	botv1.BotService_PlayClient
	inbox  chan *botv1.ArenaFrame
	reason string
}

func newPlayer(
	session *session, dial func() (*grpc.ClientConn, error), leave <-chan struct{},
) *player {
	return &player{session, dial, map[*seat][]*call{}, leave, make(chan thought)}
}

// play plays until the arena says goodbye. Its error is a failure that ended the bot before.
func (p *player) play(patience *patience) error {
	for {
		reason, err := p.playOnce()
		if err != nil {
			return err
		}
		if p.session.goodbye || p.session.hasLeft() {
			return p.settle()
		}
		pause, err := patience.after(p.session.welcomedAt, time.Now(), reason)
		if err != nil {
			return err
		}
		select {
		case <-p.leave:
			p.beginLeaving()
			if p.session.hasLeft() {
				return p.settle()
			}
		case <-time.After(pause):
		}
	}
}

// playOnce plays on one stream and returns the reason why it ended.
func (p *player) playOnce() (string, error) {
	connection, err := p.dial()
	if err != nil {
		return "", err
	}
	defer connection.Close()
	life, end := context.WithCancel(context.Background())
	defer end()
	hello := p.session.open()
	client, err := botv1.NewBotServiceClient(connection).Play(life)
	if err != nil {
		return reasonOf(err), nil
	}
	stream := &stream{BotService_PlayClient: client, inbox: make(chan *botv1.ArenaFrame)}
	go stream.read()
	stream.say(hello)
	stream.say(p.session.outgoing()...)
	return p.converse(stream)
}

func (s *stream) read() {
	defer close(s.inbox)
	for {
		frame, err := s.Recv()
		if err != nil {
			s.reason = reasonOf(err)
			return
		}
		select {
		case s.inbox <- frame:
		case <-s.Context().Done():
			return
		}
	}
}

// say sends frames. If that fails the stream is over, and read will find out why.
func (s *stream) say(frames ...*botv1.BotFrame) {
	for _, frame := range frames {
		if s.Send(frame) != nil {
			return
		}
	}
}

// converse receives and answers until the stream is over, and returns the reason, or until nothing
// is left to send.
func (p *player) converse(stream *stream) (string, error) {
	var overdue, noGoodbye <-chan time.Time
	for !p.session.finished() || len(p.due) > 0 {
		select {
		case frame, open := <-stream.inbox:
			if !open {
				return stream.reason, nil
			}
			if ping := frame.GetPing(); ping != nil {
				stream.say(&botv1.BotFrame{Pong: &botv1.Pong{Number: ping.GetNumber()}})
			}
			if err := p.hear(frame); err != nil {
				return "", err
			}
		case thought := <-p.returned:
			if err := p.finish(thought); err != nil {
				// A crash is a fault only in the matches in which an answer is missing.
				p.close(stream, flushing)
				return "", err
			}
		case <-overdue:
			stream.say(p.session.outgoing()...)
		case <-p.leave:
			p.beginLeaving()
			if p.session.hasLeft() && p.session.welcomedAt.IsZero() {
				return "", nil // still dialling
			}
		case <-noGoodbye:
			return "", p.close(stream, 0)
		}
		if !p.session.hasLeft() {
			noGoodbye = nil
		} else if noGoodbye == nil {
			noGoodbye = time.After(goodbyeWithin)
		}
		switch {
		case len(p.due) == 0:
			stream.say(p.session.outgoing()...)
			overdue = nil
		case !p.session.hasToSay():
			overdue = nil
		case overdue == nil:
			overdue = time.After(prompt)
		}
	}
	return "", p.close(stream, lastWords)
}

// close sends what is left, and waits up to a limit for the arena to end the stream.
func (p *player) close(stream *stream, wait time.Duration) error {
	stream.say(p.session.outgoing()...)
	stream.CloseSend()
	enough := time.After(wait)
	for {
		select {
		case frame, open := <-stream.inbox:
			if !open {
				return nil
			}
			if err := p.hear(frame); err != nil {
				return err
			}
		case <-enough:
			return nil
		}
	}
}

func (p *player) hear(frame *botv1.ArenaFrame) error {
	calls, err := p.session.receive(frame)
	for _, call := range calls {
		p.due[call.seat] = append(p.due[call.seat], call)
		if len(p.due[call.seat]) == 1 {
			go p.run(call)
		}
	}
	return err
}

// run makes a call of the bot's code.
func (p *player) run(call *call) {
	var crash error
	defer func() {
		if cause := recover(); cause != nil {
			// The most important lines come last, since the arena shows the end of stderr first.
			crash = fail(exitCrash, "%s\n\npanic: %v\nThis was the bot's %s in %s.",
				trace(), cause, call.task, call.where)
		}
		p.returned <- thought{call, crash}
	}()
	call.think()
}

// trace returns the stack of a panic in the bot's code. All of it is called by a method of seat;
// the callers of that method belong to the SDK and are left out.
func trace() string {
	bots, _, _ := strings.Cut(string(debug.Stack()), "\nsevens-arena.dev/sdk.(*seat).")
	return bots
}

// finish uses the result of a call, and starts the next call of the same match.
func (p *player) finish(done thought) error {
	if done.crash != nil {
		return done.crash
	}
	done.call.finish()
	seat := done.call.seat
	p.due[seat] = p.due[seat][1:]
	if len(p.due[seat]) == 0 {
		delete(p.due, seat)
	} else {
		go p.run(p.due[seat][0])
	}
	return nil
}

// beginLeaving asks the arena, in the next outgoing frame, for no further match.
func (p *player) beginLeaving() {
	p.leave = nil
	p.session.leaving = true
	if count := len(p.session.seats); count > 0 {
		matches := fmt.Sprintf("%d matches", count)
		if count == 1 {
			matches = "1 match"
		}
		warn("Leaving after %s; press Ctrl-C again to stop at once.", matches)
	}
}

// settle waits until the bot has finished all its calls, unless it is asked to leave.
func (p *player) settle() error {
	for len(p.due) > 0 {
		select {
		case <-p.leave:
			return nil
		case thought := <-p.returned:
			if err := p.finish(thought); err != nil {
				return err
			}
		}
	}
	return nil
}
