package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"sync"
)

// A question to the process of the rules; the docstring of sevens_games.serve lists them.
type question struct {
	Do          string          `json:"do"`
	Match       int             `json:"match"`
	To          int             `json:"to,omitempty"`
	Seat        int             `json:"seat"`
	Action      string          `json:"action,omitempty"`
	Game        string          `json:"game,omitempty"`
	Version     int             `json:"rules_version,omitempty"`
	Players     int             `json:"players,omitempty"`
	Options     map[string]any  `json:"options,omitempty"`
	Observation json.RawMessage `json:"observation,omitempty"`
	Seed        string          `json:"seed,omitempty"`
}

// An answer says how a match is, or what was wrong.
type answer struct {
	Ranks []int  `json:"ranks"`
	Error string `json:"error"`
}

// rules is a process that knows all games, next to this one in the sandbox.
type rules struct {
	sync.Mutex
	questions *bufio.Writer
	answers   *bufio.Scanner
}

func startRules() (*rules, error) {
	command := exec.Command("python", "-m", "sevens_games.serve")
	questions, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	answers, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &rules{questions: bufio.NewWriter(questions), answers: bufio.NewScanner(answers)}, command.Start()
}

// ask sends all questions at once, and returns their answers: waiting for each would cost more than
// the answers do.
func (r *rules) ask(questions ...question) ([]answer, error) {
	for _, each := range questions {
		line, err := json.Marshal(each)
		if err != nil {
			return nil, err
		}
		r.questions.Write(append(line, '\n')) // Flush returns its error
	}
	if err := r.questions.Flush(); err != nil {
		return nil, err
	}
	answers := make([]answer, len(questions))
	for i := range answers {
		if !r.answers.Scan() {
			return nil, errors.Join(io.ErrUnexpectedEOF, r.answers.Err())
		}
		if err := json.Unmarshal(r.answers.Bytes(), &answers[i]); err != nil {
			return nil, err
		}
		if answers[i].Error != "" {
			return nil, errors.New(answers[i].Error)
		}
	}
	return answers, nil
}
