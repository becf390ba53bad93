// Package sdk is for writing bots for a Sevens Arena. The SDK speaks the protocol; you write a type
// with one method, Choose, and give [Run] a function that creates it.
package sdk

import (
	"fmt"
	"math/rand/v2"
	"reflect"
)

// A Bot plays one match at one seat. Every match gets its own Bot.
//
// The methods of one Bot are called one at a time; those of different matches run concurrently, so
// what they share needs a lock. A panic ends the process.
type Bot interface {
	// Choose returns one of decision.Legal() as a [Text], or its place there as an [Index].
	Choose(decision *Decision) Choice
}

// A Starter is a Bot that receives its match before the first decision.
type Starter interface {
	// OnStart is called before the match begins. Its clock does not run until this returns.
	OnStart(match *Match, random *rand.Rand)
}

// An Ender is a Bot that receives the result of its match.
type Ender interface {
	// OnEnd is called when the match is over.
	OnEnd(end *MatchEnd)
}

// A Choice is a [Text] or an [Index].
type Choice interface {
	isChoice()
}

// A Text chooses a legal action by its text.
type Text string

// An Index chooses a legal action by its place in [Decision.Legal].
type Index int

func (Text) isChoice()  {}
func (Index) isChoice() {}

// checkForm panics if a bot has one of the optional methods in a form in which it would silently
// never be called.
func checkForm(bot Bot) {
	if bot == nil {
		panic("the function given to Run returned no bot")
	}
	_, starts := bot.(Starter)
	_, ends := bot.(Ender)
	pointer := reflect.TypeOf(bot)
	if pointer.Kind() != reflect.Pointer {
		pointer = reflect.PointerTo(pointer)
	}
	if _, named := pointer.MethodByName("OnStart"); named && !starts {
		panic(fmt.Sprintf("%T does not have OnStart(*sdk.Match, *rand.Rand): if only *%[1]T does, "+
			"return a pointer to Run", bot))
	}
	if _, named := pointer.MethodByName("OnEnd"); named && !ends {
		panic(fmt.Sprintf("%T does not have OnEnd(*sdk.MatchEnd): if only *%[1]T does, "+
			"return a pointer to Run", bot))
	}
}
