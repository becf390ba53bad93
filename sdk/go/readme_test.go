package sdk

import (
	"os"
	"strings"
	"testing"
)

func TestTheBotOfTheReadmeIsTheExample(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("examples/starter/main.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "```go\n"+string(example)+"```\n") {
		t.Error("examples/starter/main.go is not in README.md")
	}
}
