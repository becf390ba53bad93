package sdk

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	botv1 "sevens-arena.dev/sdk/gen/sevens/bot/v1"
)

const (
	noteBytes = 1024
	textBytes = 256
	// The size of the longest answer: its note, its text, the match's ID and the field tags.
	answerBytes = 2048
	// The number of legal actions that a warning names.
	actionsNamed = 20
)

// The destination of warnings.
var warnings io.Writer = os.Stderr

// answerTo returns the answer, even to an illegal choice: judging it is the arena's part.
func answerTo(decision *Decision, choice Choice) *botv1.Answer {
	answer := &botv1.Answer{
		MatchId: decision.Match.ID,
		Number:  decision.Message.GetNumber(),
		Note:    cut(decision.Notes(), noteBytes),
	}
	switch chosen := choice.(type) {
	case Text:
		if !slices.Contains(decision.Legal(), string(chosen)) {
			warnOfIllegal(decision, strconv.Quote(string(chosen)))
		}
		answer.Action = &botv1.Answer_Text{Text: cut(string(chosen), textBytes)}
	case Index:
		if 0 <= chosen && int(chosen) < len(decision.Legal()) {
			answer.Action = &botv1.Answer_Index{Index: uint32(chosen)}
		} else {
			number := strconv.Itoa(int(chosen))
			warnOfIllegal(decision, number)
			// As text, because the protocol's index cannot be negative.
			answer.Action = &botv1.Answer_Text{Text: number}
		}
	default:
		panic(fmt.Sprintf("the bot chose %v; expected an sdk.Text or an sdk.Index", choice))
	}
	return answer
}

// cut returns as much of a text as fits into size bytes of UTF-8.
func cut(text string, size int) string {
	text = strings.ToValidUTF8(text, "?")
	if len(text) <= size {
		return text
	}
	for !utf8.RuneStart(text[size]) {
		size--
	}
	return text[:size]
}

func warnOfIllegal(decision *Decision, choice string) {
	legal := decision.Legal()
	named := make([]string, min(len(legal), actionsNamed))
	for i := range named {
		named[i] = strconv.Quote(legal[i])
	}
	more := ""
	if left := len(legal) - len(named); left > 0 {
		more = fmt.Sprintf(" and %d more", left)
	}
	warn("The bot chose %s, which is not legal, in %s. Legal: %s%s.",
		choice, decision, strings.Join(named, ", "), more)
}

func warn(format string, arguments ...any) {
	fmt.Fprintf(warnings, format+"\n", arguments...)
}
