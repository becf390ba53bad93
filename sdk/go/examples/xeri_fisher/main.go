// Xeri: captures whatever is worth it, and otherwise lays the card that is safest to leave.
//
// The idea: a card on top of the pile is safe if few cards of its rank are unseen, as only those
// (and jacks) can capture it. On an empty pile that matters most: the opponent's capture would be a
// xeri.
package main

import (
	"strings"

	"sevens-arena.dev/sdk"
)

const jack = 'J'

// In tenths of a point, so that sums are exact and ties are ties.
const (
	xeri = 100
	// A jack is worth keeping for a pile that is worth more than this.
	jackKeptFor = 30
)

type fisher struct{}

func (fisher) Choose(decision *sdk.Decision) sdk.Choice {
	unseen := unseenRanks(decision)
	pile := decision.Observation().Cards("pile", sdk.Nobody)
	best, most := "", 0.0
	for _, action := range decision.Legal() { // "play 7S"
		_, card, _ := strings.Cut(action, " ")
		if worth := value(card, pile, unseen); best == "" || worth > most {
			best, most = action, worth
		}
	}
	return sdk.Text(best)
}

// value returns the gain of playing the card now, less its expected cost.
func value(card string, pile []string, unseen map[byte]int) float64 {
	rank, onTable := card[0], 0
	for _, lying := range pile {
		onTable += cardWorth(lying)
	}
	onTable += cardWorth(card)
	kept := 0
	if rank == jack {
		kept = jackKeptFor
	}
	if len(pile) > 0 && (rank == jack || rank == pile[len(pile)-1][0]) {
		if len(pile) == 1 && rank == pile[0][0] {
			onTable += xeri
		}
		return float64(onTable - kept)
	}
	if len(pile) == 0 {
		onTable += xeri
	}
	return -float64(unseen[rank]*onTable)/4 - float64(kept)
}

// cardWorth returns the tenths of a point for a won card; 3 points for most cards add about one to
// each.
func cardWorth(card string) int {
	worth := 1
	if strings.ContainsRune("AKQJT", rune(card[0])) {
		worth += 10
	}
	if card == "TD" || card == "2C" {
		worth += 10
	}
	return worth
}

// unseenRanks counts the cards of each rank that the bot has not seen in this deal.
func unseenRanks(decision *sdk.Decision) map[byte]int {
	unseen := map[byte]int{}
	for _, rank := range []byte("A23456789TJQK") {
		unseen[rank] = 4
	}
	for _, card := range decision.Hand() {
		unseen[card[0]]--
	}
	for _, zone := range decision.Observation().Zones() {
		if zone.Name == "pile" || zone.Name == "won" {
			for _, card := range zone.Cards {
				unseen[card[0]]--
			}
		}
	}
	return unseen
}

func main() {
	sdk.Run(func() sdk.Bot { return fisher{} }, sdk.Games("xeri"))
}
