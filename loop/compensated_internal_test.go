package loop

import (
	"testing"
	"testing/synctest"
	"time"
)

// The least lateness counts, once there is enough to judge by, and is forgotten
// after a window.
func TestLead(t *testing.T) {
	var l lead
	for range marginWindow/4 - 1 {
		l.learn(300 * time.Microsecond)
	}
	if d := l.least(); d != 0 {
		t.Errorf("%v before there is enough to judge by", d)
	}
	l.learn(900 * time.Microsecond)
	if d := l.least(); d != 300*time.Microsecond {
		t.Errorf("least %v", d)
	}
	l.learn(100 * time.Microsecond)
	if d := l.least(); d != 100*time.Microsecond {
		t.Errorf("least %v after a faster one", d)
	}
	for range marginWindow - 1 {
		l.learn(time.Millisecond)
	}
	if d := l.least(); d != 100*time.Microsecond {
		t.Errorf("least %v while it is remembered", d)
	}
	l.learn(time.Millisecond)
	if d := l.least(); d != time.Millisecond {
		t.Errorf("least %v when it is forgotten", d)
	}
	l.learn(-time.Millisecond)
	if d := l.least(); d != 0 {
		t.Errorf("least %v after a tick before its time", d)
	}
}

// A lead that was learned where ticks are late, used where they are not: the tick
// comes before the target, and a second one ends the wait at it.
func TestCompensatedEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewCompensatedPacer()
		defer p.Close()
		for range marginWindow {
			p.late.learn(time.Millisecond)
		}
		target := p.Now().Add(10 * time.Millisecond)
		if p.Wait(target, nil); !p.Now().Equal(target) {
			t.Errorf("ended %v late", p.Now().Sub(target))
		}
		// And it has seen that ticks are in time here.
		if d := p.late.window[0]; d != 0 {
			t.Errorf("a tick that came when it was aimed for is taken for %v late", d)
		}
	})
}
