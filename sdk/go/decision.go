package sdk

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	botv1 "sevens-arena.dev/sdk/gen/sevens/bot/v1"
)

// A Decision is a decision that the bot owes: a view of the arena's message that costs little until
// used. Do not change what its methods return.
type Decision struct {
	// Match is the match that it belongs to.
	Match *Match
	// Random repeats itself if the arena asks for this decision again: it is reseeded before each
	// decision, with the seat's seed and the decision's number.
	Random *rand.Rand
	// Message is the arena's message, for code that must be as fast as possible.
	Message *botv1.Decision

	arrived time.Time
	notes   []string
}

// Legal returns the texts of all legal actions. An action's index is its place here.
func (d *Decision) Legal() []string { return d.Message.GetLegalActions() }

// Number returns the seat's count of its decisions, from 1, including those the arena made for it.
func (d *Decision) Number() int { return int(d.Message.GetNumber()) }

// Seat returns your seat, which decides.
func (d *Decision) Seat() int { return int(d.Message.GetSeat()) }

// TimeLeft returns the time now left on the clock, in which the answer must reach the arena.
func (d *Decision) TimeLeft() time.Duration {
	return milliseconds(d.Message.GetTimeLeftMs()) - time.Since(d.arrived)
}

// Observation returns all that the seat may see now, which is enough to decide.
func (d *Decision) Observation() Observation { return Observation{d.Message.GetObservation()} }

// Hand returns the cards of the seat's own zone "hand", which most games have.
func (d *Decision) Hand() []string { return d.Observation().Cards("hand", d.Seat()) }

// Events returns everything the seat has learnt since its previous decision, oldest first.
func (d *Decision) Events() []Event {
	events := make([]Event, len(d.Message.GetEvents()))
	for i, event := range d.Message.GetEvents() {
		events[i] = eventOf(event)
	}
	return events
}

// EventsLeftOut returns the number of events, the oldest ones, left out of Events to keep the
// message small.
func (d *Decision) EventsLeftOut() int { return int(d.Message.GetEventsLeftOut()) }

// Note adds a line to the note that goes with the answer. Only the bot's owner sees it, next to
// the decision. Anything beyond 1 KiB is cut off.
func (d *Decision) Note(text string) { d.notes = append(d.notes, text) }

// Notes returns the note so far.
func (d *Decision) Notes() string { return strings.Join(d.notes, "\n") }

func (d *Decision) String() string { return fmt.Sprintf("decision %d of %s", d.Number(), d.Match) }
