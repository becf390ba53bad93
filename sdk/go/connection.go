package sdk

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/status"
)

// The pauses between attempts to reach the arena.
const (
	firstPause = 100 * time.Millisecond
	// At first, when a match may be waiting for the bot, and after quickFor.
	longestPause = 3 * time.Second
	quickFor     = 30 * time.Second
	longestLater = 30 * time.Second
	// After a stream that held this long, the time is counted from zero again.
	goodStream = 5 * time.Second
)

// dial creates a connection for one stream. If the arena is not there, the stream will fail.
func dial(address string, security credentials.TransportCredentials) (*grpc.ClientConn, error) {
	connection, err := grpc.NewClient(address,
		grpc.WithTransportCredentials(security),
		// The arena decides how large a frame may be, and observes the limit itself.
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32)),
		// Notices when a remote arena has vanished. gRPC servers allow only one ping in 5 minutes.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 310 * time.Second}),
		grpc.WithDisableServiceConfig(),
	)
	if err != nil {
		return nil, fail(exitUsage, "ARENA_ADDRESS is %q, which is not an address: %v.", address, err)
	}
	return connection, nil
}

// reasonOf returns the reason why a stream is over.
func reasonOf(err error) string {
	if errors.Is(err, io.EOF) {
		return "the arena ended the stream without a goodbye"
	}
	state := status.Convert(err)
	return fmt.Sprintf("%s (%s)", state.Message(), state.Code())
}

// A patience is the backoff after a stream breaks: the bot tries again, ever more slowly. An arena
// that is not on this machine may be away for minutes, and is never given up.
type patience struct {
	address  string
	limit    time.Duration // zero: none
	brokenAt time.Time     // zero: never
	pause    time.Duration
}

func newPatience(address string) *patience {
	var limit time.Duration
	if strings.HasPrefix(address, "unix:") {
		// If a socket on this machine does not answer, its arena has almost certainly ended.
		limit = 2 * time.Second
	}
	return &patience{address: address, limit: limit}
}

// after returns the time to wait before the next attempt, or a failure to give up. welcomedAt: the
// time when the broken stream was welcomed; zero if it was not.
func (p *patience) after(welcomedAt, now time.Time, reason string) (time.Duration, error) {
	held := !welcomedAt.IsZero() && now.Sub(welcomedAt) > goodStream
	if held || p.brokenAt.IsZero() {
		p.brokenAt = now
		p.pause = firstPause
		if !strings.HasPrefix(p.address, "unix:") {
			warn("The arena at %s cannot be reached (%s). Trying until it answers.",
				p.address, reason)
		}
	}
	pause := time.Duration((0.7 + 0.3*rand.Float64()) * float64(p.pause))
	if p.limit != 0 && now.Add(pause).After(p.brokenAt.Add(p.limit)) {
		return 0, fail(exitNoArena,
			"The arena at %s has been out of reach for %.0f s (limit: %.0f s): %s.",
			p.address, now.Sub(p.brokenAt).Seconds(), p.limit.Seconds(), reason)
	}
	longest := longestPause
	if now.Sub(p.brokenAt) > quickFor {
		longest = longestLater
	}
	p.pause = min(2*p.pause, longest)
	return pause, nil
}
