package sdk

import (
	"fmt"
	"strings"

	botv1 "sevens-arena.dev/sdk/gen/sevens/bot/v1"
)

// Nobody is the owner of a zone that belongs to no seat, and the actor of an event that concerns
// nobody in particular.
const Nobody = -1

// An Observation is all that the seat may see: zones with cards, and facts. `arena games show SLUG`
// explains those of a game.
type Observation struct {
	Message *botv1.Observation
}

// A Zone is a place for cards.
type Zone struct {
	Name   string
	Owner  int      // the seat that it belongs to, or Nobody
	Cards  []string // the codes of those that the seat sees, in the zone's order if it has one
	Hidden int      // the number of cards that the seat does not see
}

// A Fact is one thing that a seat knows: a number, a word, or a list of numbers or of words.
type Fact struct {
	Name    string
	Numbers []int
	Words   []string
	IsList  bool // if false, Numbers or Words holds exactly one value
}

// An Event is something that happened, as the seat may know it.
type Event struct {
	Verb      string
	Actor     int      // the seat that did it or that it happened to, or Nobody
	Arguments []string // cards, numbers and words
}

// Zones returns all zones, in an order fixed by the game.
func (o Observation) Zones() []Zone {
	zones := make([]Zone, len(o.Message.GetZones()))
	for i, zone := range o.Message.GetZones() {
		zones[i] = zoneOf(zone)
	}
	return zones
}

// Zone returns the zone of that name and owner; an empty one if there is none now.
func (o Observation) Zone(name string, owner int) Zone {
	for _, zone := range o.Message.GetZones() {
		if zone.GetName() == name && seatOr(zone.Owner) == owner {
			return zoneOf(zone)
		}
	}
	return Zone{Name: name, Owner: owner}
}

// Cards returns the cards that the seat sees in the zone of that name and owner.
func (o Observation) Cards(name string, owner int) []string {
	return o.Zone(name, owner).Cards
}

// Facts returns all facts, in alphabetical order of their names.
func (o Observation) Facts() []Fact {
	facts := make([]Fact, len(o.Message.GetFacts()))
	for i, fact := range o.Message.GetFacts() {
		facts[i] = factOf(fact)
	}
	return facts
}

// Fact returns the fact of that name. It panics if there is none, as that is a mistake in the bot.
func (o Observation) Fact(name string) Fact {
	names := make([]string, 0, len(o.Message.GetFacts()))
	for _, fact := range o.Message.GetFacts() {
		if fact.GetName() == name {
			return factOf(fact)
		}
		names = append(names, fact.GetName())
	}
	panic(fmt.Sprintf("there is no fact %q here, only: %s", name, strings.Join(names, ", ")))
}

// Number returns the value of a fact that is one number. It panics if the fact is something else.
func (f Fact) Number() int {
	if f.IsList || len(f.Numbers) != 1 {
		panic(fmt.Sprintf("the fact %q is not a number: %v", f.Name, f))
	}
	return f.Numbers[0]
}

// Word returns the value of a fact that is one word. It panics if the fact is something else.
func (f Fact) Word() string {
	if f.IsList || len(f.Words) != 1 {
		panic(fmt.Sprintf("the fact %q is not a word: %v", f.Name, f))
	}
	return f.Words[0]
}

func (f Fact) String() string {
	values := strings.Fields(strings.Trim(fmt.Sprint(f.Numbers), "[]"))
	values = append(values, f.Words...)
	text := strings.Join(values, " ")
	if f.IsList {
		text = "[" + text + "]"
	}
	return f.Name + "=" + text
}

func zoneOf(zone *botv1.Zone) Zone {
	return Zone{
		Name:   zone.GetName(),
		Owner:  seatOr(zone.Owner),
		Cards:  zone.GetCards(),
		Hidden: int(zone.GetHidden()),
	}
}

func factOf(fact *botv1.Fact) Fact {
	return Fact{
		Name:    fact.GetName(),
		Numbers: integers(fact.GetNumbers()),
		Words:   fact.GetWords(),
		IsList:  fact.GetIsList(),
	}
}

func eventOf(event *botv1.Event) Event {
	return Event{
		Verb:      event.GetVerb(),
		Actor:     seatOr(event.Actor),
		Arguments: event.GetArguments(),
	}
}

func seatOr(seat *uint32) int {
	if seat == nil {
		return Nobody
	}
	return int(*seat)
}
