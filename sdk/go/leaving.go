package sdk

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// The time to wait for a goodbye: arenas older than `leave` do not answer it.
const goodbyeWithin = 5 * time.Second

// leaveOnSignals returns a channel that is closed at the first Ctrl-C or SIGTERM, upon which the
// bot leaves; the second one ends the process. stop gives the signals back to the program.
func leaveOnSignals() (leave <-chan struct{}, stop func()) {
	signals, first := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		if _, open := <-signals; !open {
			return
		}
		close(first)
		if again, open := <-signals; open {
			os.Exit(128 + int(again.(syscall.Signal)))
		}
	}()
	return first, func() {
		signal.Stop(signals)
		close(signals)
	}
}
