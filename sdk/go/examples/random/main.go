// Chooses any legal action, in every game.
package main

import "sevens-arena.dev/sdk"

type randomBot struct{}

func (randomBot) Choose(decision *sdk.Decision) sdk.Choice {
	return sdk.Index(decision.Random.IntN(len(decision.Legal())))
}

func main() {
	sdk.Run(func() sdk.Bot { return randomBot{} })
}
