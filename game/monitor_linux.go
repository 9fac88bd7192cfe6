package game

import (
	"io"
	"log"
	"os"
	"sync/atomic"

	"chronoscope/loop"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/xproto"
)

// monitor asks the X server, once, what it says of its displays. The answer
// comes some milliseconds later; where there is no X server there is none.
type monitor struct{ stated atomic.Pointer[loop.Rate] }

// quiet keeps the X library from writing to the standard error what needs nobody's
// attention. (Ebitengine has used it before, as the program began.)
func (m *monitor) quiet() { xgb.Logger = log.New(io.Discard, "", 0) }

// ask asks on a goroutine of its own, which ends with the answer.
func (m *monitor) ask(done func()) {
	go func() {
		defer done()
		if os.Getenv("DISPLAY") == "" {
			return
		}
		if r, ok := askRandR(); ok {
			m.stated.Store(&r)
		}
	}()
}

// rate is the stated refresh rate; not valid where it isn't known, and where two
// displays have different ones.
func (m *monitor) rate() loop.Rate {
	if r := m.stated.Load(); r != nil {
		return *r
	}
	return loop.Rate{}
}

// askRandR gives the rate of the displays that are on, if it is one: dot clock
// over all dots of a frame (RandR 1.2).
func askRandR() (rate loop.Rate, ok bool) {
	x, err := xgb.NewConn()
	if err != nil {
		return rate, false
	}
	defer x.Close()
	if randr.Init(x) != nil {
		return rate, false
	}
	root := xproto.Setup(x).DefaultScreen(x).Root
	res, err := randr.GetScreenResourcesCurrent(x, root).Reply()
	if err != nil {
		return rate, false
	}
	for _, crtc := range res.Crtcs {
		c, err := randr.GetCrtcInfo(x, crtc, res.ConfigTimestamp).Reply()
		if err != nil || c.Mode == 0 {
			continue
		}
		for _, m := range res.Modes {
			if m.Id != uint32(c.Mode) {
				continue
			}
			r := loop.Rate{Num: uint64(m.DotClock), Den: uint64(m.Htotal) * uint64(m.Vtotal)}
			if !r.Valid() || r.Num > loop.MaxRefresh*r.Den || ok && r != rate {
				return loop.Rate{}, false
			}
			rate, ok = r, true
		}
	}
	return rate, ok
}
