// Plays as many cards as it can, first those that match the table. Knows no game, plays every one.
package main

import (
	"fmt"
	"slices"
	"strings"

	"sevens-arena.dev/sdk"
)

// One value of myBot plays one match at one seat.
type myBot struct{}

func (myBot) Choose(decision *sdk.Decision) sdk.Choice {
	seen := decision.Observation() // all that your seat may see: zones with cards, and facts
	hand := decision.Hand()        // your cards, such as "7S"; the first letter is the rank
	table := map[byte]bool{}       // the ranks on top of the zones that belong to nobody
	for _, zone := range seen.Zones() {
		if zone.Owner == sdk.Nobody && len(zone.Cards) > 0 {
			table[zone.Cards[len(zone.Cards)-1][0]] = true
		}
	}
	more := 1
	for _, fact := range seen.Facts() {
		if fact.Name == "phase" && (fact.Word() == "auction" || fact.Word() == "bidding") {
			more = -1 // a pass says the least
		}
	}

	best, highest := 0, -1000
	for _, i := range decision.Random.Perm(len(decision.Legal())) { // equals in any order
		words := strings.Fields(decision.Legal()[i]) // a verb and what it is done with: "play 7S"
		worth := more * len(words)
		for _, word := range words {
			if slices.Contains(hand, word) {
				worth += 100
				if table[word[0]] {
					worth += 10
				}
			}
		}
		if worth > highest {
			best, highest = i, worth
		}
	}
	decision.Note(fmt.Sprintf("worth %d", highest)) // `arena log` shows it
	return sdk.Index(best)
}

func main() {
	sdk.Run(func() sdk.Bot { return myBot{} })
}
