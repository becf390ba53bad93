package sdk

import "fmt"

// The exit codes of a bot's process, beside 0.
const (
	exitCrash   = 1
	exitUsage   = 2
	exitNoArena = 3
)

// A failure is why a bot ends otherwise than by the arena's goodbye: the exit code, and a sentence,
// or a trace, for whoever can mend it.
type failure struct {
	code     int
	sentence string
}

func (f *failure) Error() string { return f.sentence }

func fail(code int, format string, arguments ...any) error {
	return &failure{code, fmt.Sprintf(format, arguments...)}
}
