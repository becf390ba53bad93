package sdk

import (
	"regexp"
	"testing"
	"time"
)

func TestPatienceEndsUnlessAStreamHeld(t *testing.T) {
	began := time.Unix(1000, 0)
	now := began
	p := newPatience("arena.example:7777")
	var pauses []time.Duration
	var err error
	for err == nil {
		var pause time.Duration
		if pause, err = p.after(time.Time{}, now, "it is down"); err == nil {
			pauses = append(pauses, pause)
			now = now.Add(pause)
		}
	}
	told := regexp.MustCompile(`reach for \d\d s \(limit: 30 s\): it is down\.$`)
	if !told.MatchString(err.Error()) {
		t.Error(err)
	}
	if tried := now.Sub(began); tried < 27*time.Second || tried > 30*time.Second {
		t.Errorf("tried for %v", tried)
	}
	first, last := pauses[0], pauses[len(pauses)-1]
	if first < firstPause*7/10 || first > firstPause ||
		last < longestPause*7/10 || last > longestPause {
		t.Errorf("pauses: %v", pauses)
	}
	// A stream that breaks at once is no success; one that lasts for some time is.
	now = began.Add(p.limit)
	if _, err := p.after(now.Add(-100*time.Millisecond), now, "it breaks"); err == nil {
		t.Error("a stream that broke at once counts")
	}
	pause, err := p.after(now.Add(-6*time.Second), now, "it broke")
	if err != nil || pause > firstPause {
		t.Errorf("%v %v", pause, err)
	}
	if newPatience("unix:/run/arena.sock").limit != 2*time.Second {
		t.Error("a Unix socket is waited for too long")
	}
}
