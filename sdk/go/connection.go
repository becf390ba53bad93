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

// How far apart attempts to reach the arena are.
const (
	firstPause   = 100 * time.Millisecond
	longestPause = 3 * time.Second
	// A stream that held so long was a good one, and the count of the time begins anew.
	goodStream = 5 * time.Second
)

// dial makes a connection for one stream; whether the arena is there, the stream will tell.
func dial(address string, security credentials.TransportCredentials) (*grpc.ClientConn, error) {
	connection, err := grpc.NewClient(address,
		grpc.WithTransportCredentials(security),
		// How large a frame may be is the arena's to say, and it keeps to that.
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32)),
		// Notices that a far arena is gone; more often than every 5 minutes gRPC servers do not
		// allow.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 310 * time.Second}),
		grpc.WithDisableServiceConfig(),
	)
	if err != nil {
		return nil, fail(exitUsage, "ARENA_ADDRESS is %q, which is no address: %v.", address, err)
	}
	return connection, nil
}

// reasonOf tells why a stream is over.
func reasonOf(err error) string {
	if errors.Is(err, io.EOF) {
		return "the arena ended the stream without a goodbye"
	}
	state := status.Convert(err)
	return fmt.Sprintf("%s (%s)", state.Message(), state.Code())
}

// A patience is how a bot goes on when a stream breaks: it tries again, ever more slowly, for some
// time.
type patience struct {
	address  string
	limit    time.Duration
	brokenAt time.Time // zero: never
	pause    time.Duration
}

func newPatience(address string) *patience {
	limit := 30 * time.Second
	if strings.HasPrefix(address, "unix:") {
		// A socket on this machine that does not answer is soon known to be gone for good.
		limit = 2 * time.Second
	}
	return &patience{address: address, limit: limit}
}

// after returns how long to wait before the next attempt; a failure when it is enough. welcomedAt:
// when the broken stream began; zero if it did not.
func (p *patience) after(welcomedAt, now time.Time, reason string) (time.Duration, error) {
	held := !welcomedAt.IsZero() && now.Sub(welcomedAt) > goodStream
	if held || p.brokenAt.IsZero() {
		p.brokenAt = now
		p.pause = firstPause
	}
	pause := time.Duration((0.7 + 0.3*rand.Float64()) * float64(p.pause))
	if now.Add(pause).After(p.brokenAt.Add(p.limit)) {
		return 0, fail(exitNoArena,
			"The arena at %s has been out of reach for %.0f s (limit: %.0f s): %s.",
			p.address, now.Sub(p.brokenAt).Seconds(), p.limit.Seconds(), reason)
	}
	p.pause = min(2*p.pause, longestPause)
	return pause, nil
}
