package game

import (
	"flag"
	"fmt"
	"image"
	"os"
	"testing"
	"time"

	_ "chronoscope/overlay/xvfb" // before Ebitengine: gives the tests a display

	"github.com/hajimehoshi/ebiten/v2"
)

var update = flag.Bool("update", false, "write golden pictures anew")

// TestMain runs one real loop on the main goroutine, as Ebitengine demands,
// and the tests beside it. Tests put their game into the loop with show.
func TestMain(m *testing.M) {
	flag.Parse()
	go func() { theLoop.quit <- m.Run() }()
	ebiten.SetWindowSize(MinWidth, MinHeight)
	ebiten.SetWindowClosingHandled(true)
	ebiten.SetTPS(60)
	if err := ebiten.RunGame(theLoop); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(theLoop.code)
}

// loopHost is the ebiten.Game that hosts the game under test.
type loopHost struct {
	work chan func()              // run in Update
	draw chan func(*ebiten.Image) // run after Draw
	quit chan int
	code int

	next   *Game // takes game's place at the next LayoutF, as Ebitengine's order demands
	game   *Game
	still  bool  // don't call its Update: for pictures that no pointer may touch
	result error // what its Update returned last
	frames int
}

var theLoop = &loopHost{work: make(chan func()), draw: make(chan func(*ebiten.Image)), quit: make(chan int)}

func (h *loopHost) Update() error {
	select {
	case f := <-h.work:
		f()
	case h.code = <-h.quit:
		return ebiten.Termination
	default:
	}
	if h.game != nil && h.result == nil && !h.still {
		h.result = h.game.Update()
	}
	return nil
}

func (h *loopHost) Draw(screen *ebiten.Image) {
	if h.game == nil || h.result != nil {
		return
	}
	h.game.Draw(screen)
	h.frames++
	select {
	case f := <-h.draw:
		f(screen)
	default:
	}
}

func (h *loopHost) DrawFinalScreen(screen ebiten.FinalScreen, drawn *ebiten.Image, geom ebiten.GeoM) {
	if h.game == nil {
		ebiten.DefaultDrawFinalScreen(screen, drawn, geom)
		return
	}
	h.game.DrawFinalScreen(screen, drawn, geom)
}

func (h *loopHost) Layout(w, hh int) (int, int) { return w, hh }

func (h *loopHost) LayoutF(w, hh float64) (float64, float64) {
	if h.next != nil {
		h.game, h.next = h.next, nil
		h.result, h.frames, h.still = nil, 0, false
	}
	if h.game == nil {
		return w, hh
	}
	return h.game.LayoutF(w, hh)
}

// waitLimit ends a test that waits for what never comes.
const waitLimit = 90 * time.Second

// inLoop runs f on the loop's goroutine and waits for it.
func inLoop(t testing.TB, f func()) {
	t.Helper()
	done := make(chan struct{})
	select {
	case theLoop.work <- func() { defer close(done); f() }:
		<-done
	case <-time.After(waitLimit):
		t.Fatal("the loop doesn't run")
	}
}

// until looks at a condition once in each Update until it holds.
func until(t testing.TB, what string, cond func() bool) {
	t.Helper()
	limit := time.Now().Add(waitLimit)
	for ok := false; !ok; {
		if time.Now().After(limit) {
			t.Fatalf("waited %v for: %s", waitLimit, what)
		}
		inLoop(t, func() { ok = cond() })
	}
}

// show puts a game into the loop until the test ends, in a window of w by h at
// the screen's corner, and waits until it is drawn at that size.
func show(t testing.TB, o Options, w, h int) *Game {
	t.Helper()
	o.Look = DefaultLook()
	o.Look.Welcome = false
	o.Look.Width, o.Look.Height = w, h
	if o.World.Track != nil {
		o.Origin = o.World.Track.origin
	}
	scale := int(max(o.DeviceScale, 1))
	var g *Game
	inLoop(t, func() {
		var err error
		if g, err = New(o); err != nil {
			t.Error(err)
			return
		}
		g.configure()
		ebiten.SetWindowPosition(0, 0)
		theLoop.next = g
	})
	if g == nil {
		t.FailNow()
	}
	t.Cleanup(func() { inLoop(t, func() { theLoop.game = nil }) })
	until(t, "the window at its size", func() bool {
		return theLoop.game == g && theLoop.frames > 2 && g.at.screen == image.Rect(0, 0, w*scale, h*scale) && g.ground.settled
	})
	return g
}

// still holds the game for a picture: no pointer over it, numbers up to date,
// the ground painted.
func still(t *testing.T, g *Game) {
	t.Helper()
	frame := 0
	inLoop(t, func() {
		theLoop.still = true
		g.pointer.seen = image.Pt(-1, -1)
		g.refreshAt = time.Time{}
		frame = theLoop.frames
	})
	until(t, "the ground at its level", func() bool { return theLoop.frames > frame+2 && g.ground.settled })
}

// capture copies the next frame.
func capture(t *testing.T) *image.RGBA {
	t.Helper()
	var img *image.RGBA
	done := make(chan struct{})
	select {
	case theLoop.draw <- func(s *ebiten.Image) { img = readPixels(s); close(done) }:
		<-done
	case <-time.After(waitLimit):
		t.Fatal("no frame is drawn")
	}
	return img
}
