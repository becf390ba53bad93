// Every game: plays each action on from guesses of what is hidden, and knows no game.
//
// The rules are Python's, in a process of their own: it restores a match from the observation,
// deals again what the seat cannot see, and plays on to the end of the deal.
package main

import (
	"fmt"
	"log"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"sevens-arena.dev/sdk"
)

const (
	shareOfTime = 25 // of the time that is left, one part for a decision
	mostGuesses = 20
	// The numbers by which the rules know the match as observed, a guess, and a guess played on.
	seen, guess, played = 1, 2, 3
)

type searcher struct{ rules *rules }

func (s searcher) Choose(decision *sdk.Decision) sdk.Choice {
	legal := decision.Legal()
	if len(legal) == 1 {
		return sdk.Text(legal[0])
	}
	s.rules.Lock() // one decision at a time, of however many matches
	defer s.rules.Unlock()
	deadline := time.Now().Add(decision.TimeLeft() / shareOfTime)
	s.restore(decision)
	ranks := make([]int, len(legal)) // the sum over all guesses, by action
	guesses := 0
	for guesses < mostGuesses && (guesses == 0 || time.Now().Before(deadline)) {
		for action, rank := range s.ranks(decision.Seat(), legal) {
			ranks[action] += rank
		}
		guesses++
	}
	best := 0
	for action := range legal {
		if ranks[action] < ranks[best] {
			best = action
		}
	}
	decision.Note(fmt.Sprintf("%s after %d guesses", legal[best], guesses))
	return sdk.Text(legal[best])
}

func (s searcher) restore(decision *sdk.Decision) {
	observation, err := protojson.Marshal(decision.Message.GetObservation())
	if err != nil {
		log.Fatal(err)
	}
	match := decision.Match
	s.ask(question{
		Do: "restore", Match: seen, Game: match.Game, Version: match.RulesVersion,
		Players: match.Players(), Options: match.Options, Seat: decision.Seat(),
		Observation: observation, Seed: fmt.Sprintf("%x/%d", match.Seed, decision.Number()),
	})
}

// ranks returns the seat's rank at the end of the deal after each of these actions, from one guess.
func (s searcher) ranks(seat int, legal []string) []int {
	questions := []question{{Do: "redeal", Match: seen, To: guess, Seat: seat}}
	for _, action := range legal {
		questions = append(questions,
			question{Do: "copy", Match: guess, To: played},
			question{Do: "apply", Match: played, Seat: seat, Action: action},
			question{Do: "playout", Match: played})
	}
	answers := s.ask(questions...)
	ranks := make([]int, len(legal))
	for action := range legal {
		ranks[action] = answers[3*(action+1)].Ranks[seat]
	}
	return ranks
}

// ask ends the program if the rules do not answer; the arena starts it again.
func (s searcher) ask(questions ...question) []answer {
	answers, err := s.rules.ask(questions...)
	if err != nil {
		log.Fatal(err)
	}
	return answers
}

func main() {
	rules, err := startRules()
	if err != nil {
		log.Fatal(err)
	}
	sdk.Run(func() sdk.Bot { return searcher{rules} })
}
