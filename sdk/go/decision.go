package sdk

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	botv1 "sevens-arena.dev/sdk/gen/sevens/bot/v1"
)

// A Decision is one that the bot owes: a view of the arena's message that costs little until used.
// What its methods return is not to be changed.
type Decision struct {
	// Match is the match it belongs to.
	Match *Match
	// Random draws the same whenever this decision is asked: it is seeded anew before each one,
	// with the seat's seed and the decision's number.
	Random *rand.Rand
	// Message is the arena's message, for what has to be as fast as can be.
	Message *botv1.Decision

	arrived time.Time
	notes   []string
}

// Legal returns the texts of all legal actions. An action's index is its place here.
func (d *Decision) Legal() []string { return d.Message.GetLegalActions() }

// Number returns the seat's own count of its decisions, from 1, with those that the arena made for
// it.
func (d *Decision) Number() int { return int(d.Message.GetNumber()) }

// Seat returns the seat that decides: your own.
func (d *Decision) Seat() int { return int(d.Message.GetSeat()) }

// TimeLeft returns what is left on the clock now, the time for the way to the arena included.
func (d *Decision) TimeLeft() time.Duration {
	return milliseconds(d.Message.GetTimeLeftMs()) - time.Since(d.arrived)
}

// Observation returns all that the seat may see now. It alone suffices to decide.
func (d *Decision) Observation() Observation { return Observation{d.Message.GetObservation()} }

// Hand returns the cards of the seat's own zone "hand", which most games have.
func (d *Decision) Hand() []string { return d.Observation().Cards("hand", d.Seat()) }

// Events returns what the seat has learnt since its previous decision, oldest first.
func (d *Decision) Events() []Event {
	events := make([]Event, len(d.Message.GetEvents()))
	for i, event := range d.Message.GetEvents() {
		events[i] = eventOf(event)
	}
	return events
}

// EventsLeftOut returns how many events, the oldest ones, were left out of Events to keep the
// message small.
func (d *Decision) EventsLeftOut() int { return int(d.Message.GetEventsLeftOut()) }

// Note adds a line to the note that goes with the answer. Only the bot's owner sees it, beside the
// decision. What goes beyond 1 KiB is cut.
func (d *Decision) Note(text string) { d.notes = append(d.notes, text) }

// Notes returns what has been noted so far.
func (d *Decision) Notes() string { return strings.Join(d.notes, "\n") }

func (d *Decision) String() string { return fmt.Sprintf("decision %d of %s", d.Number(), d.Match) }
