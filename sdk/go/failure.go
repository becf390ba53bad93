package sdk

import "fmt"

// The exit codes of a bot's process, besides 0.
const (
	exitCrash   = 1
	exitUsage   = 2
	exitNoArena = 3
)

// A failure is the reason why a bot ends without the arena's goodbye: the exit code, and a sentence
// or a stack trace for the person who can fix it.
type failure struct {
	code     int
	sentence string
}

func (f *failure) Error() string { return f.sentence }

func fail(code int, format string, arguments ...any) error {
	return &failure{code, fmt.Sprintf(format, arguments...)}
}
