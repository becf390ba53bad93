package sdk

import (
	"context"
	"runtime/debug"
	"strings"
	"time"

	"google.golang.org/grpc"

	botv1 "sevens-arena.dev/sdk/gen/sevens/bot/v1"
)

const (
	// An answer does not wait longer than this for the others that are being thought about.
	prompt = 10 * time.Millisecond
	// How long to wait for the arena to end a stream that the bot has closed.
	lastWords = 5 * time.Second
	// How long a crash may be delayed so that what has been answered is written.
	flushing = time.Second
)

// A player connects a session to an arena. One goroutine, that of play, hears, speaks and minds the
// session; the bot thinks in others, one for each match that has something to think about.
type player struct {
	session *session
	dial    func() (*grpc.ClientConn, error)
	// The calls due in each match, the first of which is running.
	due map[*seat][]*call
	// Calls that have returned. They go on while a lost stream is replaced by another.
	returned chan thought
}

// A thought is a call that has returned; crash is nil, or how it went wrong.
type thought struct {
	call  *call
	crash error
}

// A stream is one conversation. inbox is closed when it is over; reason then tells why.
type stream struct {
	botv1.BotService_PlayClient
	inbox  chan *botv1.ArenaFrame
	reason string
}

func newPlayer(session *session, dial func() (*grpc.ClientConn, error)) *player {
	return &player{session, dial, map[*seat][]*call{}, make(chan thought)}
}

// play plays until the arena says goodbye. Its error, a failure, says why not.
func (p *player) play(patience *patience) error {
	for {
		reason, err := p.playOnce()
		if err != nil {
			return err
		}
		if p.session.goodbye {
			return p.settle()
		}
		pause, err := patience.after(p.session.welcomedAt, time.Now(), reason)
		if err != nil {
			return err
		}
		time.Sleep(pause)
	}
}

// playOnce plays on one stream and returns why it ended.
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

// say sends frames. If that fails the stream is over, and read will hear why.
func (s *stream) say(frames ...*botv1.BotFrame) {
	for _, frame := range frames {
		if s.Send(frame) != nil {
			return
		}
	}
}

// converse hears and answers until the stream is over, and returns why, or until nothing is left to
// say.
func (p *player) converse(stream *stream) (string, error) {
	var overdue <-chan time.Time
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

// close says what is left, and waits, not too long, for the arena to end the stream.
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
			// What matters most comes last, since the arena shows the end of stderr first.
			crash = fail(exitCrash, "%s\n\npanic: %v\nThis was the bot's %s in %s.",
				trace(), cause, call.task, call.where)
		}
		p.returned <- thought{call, crash}
	}()
	call.think()
}

// trace returns how the bot's code came to panic. All of it is called by a method of seat; what
// called that is the SDK's affair.
func trace() string {
	bots, _, _ := strings.Cut(string(debug.Stack()), "\nsevens-arena.dev/sdk.(*seat).")
	return bots
}

// finish uses what a call has returned, and begins with the next of the same match.
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

// settle waits until the bot is done with all that it was called for.
func (p *player) settle() error {
	for len(p.due) > 0 {
		if err := p.finish(<-p.returned); err != nil {
			return err
		}
	}
	return nil
}
