package sdk

import (
	"testing"
	"time"
)

func TestADistantArenaIsTriedEverMoreSlowlyAndNeverGivenUp(t *testing.T) {
	began := time.Unix(1000, 0)
	now := began
	p := newPatience("arena.example:7777")
	var pauses []time.Duration
	for now.Before(began.Add(10 * time.Minute)) {
		pause, err := p.after(time.Time{}, now, "it is down")
		if err != nil {
			t.Fatal(err)
		}
		if now.Sub(began) <= quickFor && pause > longestPause {
			t.Errorf("a pause of %v after %v", pause, now.Sub(began))
		}
		pauses = append(pauses, pause)
		now = now.Add(pause)
	}
	first, last := pauses[0], pauses[len(pauses)-1]
	if first < firstPause*7/10 || first > firstPause ||
		last < longestLater*7/10 || last > longestLater {
		t.Errorf("pauses: %v", pauses)
	}
	// A stream that breaks at once is no success; one that lasts for some time is.
	if pause, err := p.after(now.Add(-100*time.Millisecond), now, "it breaks"); err != nil || pause < longestPause {
		t.Errorf("a stream that broke at once counts: %v %v", pause, err)
	}
	if pause, err := p.after(now.Add(-6*time.Second), now, "it broke"); err != nil || pause > firstPause {
		t.Errorf("%v %v", pause, err)
	}
}

func TestASocketOnThisMachineIsSoonGivenUp(t *testing.T) {
	now := time.Unix(1000, 0)
	p := newPatience("unix:/run/arena.sock")
	if _, err := p.after(time.Time{}, now, "it is down"); err != nil {
		t.Error(err)
	}
	if _, err := p.after(time.Time{}, now.Add(2*time.Second), "it is down"); err == nil {
		t.Error("a Unix socket is waited for too long")
	}
}
