package game

import (
	"flag"
	"fmt"
	"image"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
)

var (
	monkeyFor  = flag.Duration("monkey", 0, "how long TestMonkey presses whatever there is; 0: it is skipped")
	monkeySeed = flag.Uint64("monkey-seed", 1, "what TestMonkey presses")
)

// frozen is how long the window may show nothing new before that is a fault:
// far more than the slowest frame of a busy machine.
const frozen = 10 * time.Second

// monkeyKeys are pressed one at a time, some with a modifier.
var monkeyKeys = strings.Fields(`space period comma plus minus 0 1 2 3 4 5 6 7 8 bracketleft bracketright less greater
	a b c d e e f g h i j k l m n o p q r s t u v w x y z N F1 F2 F3 Tab Tab Escape Escape Return Home End Prior Next
	Left Right Up Down BackSpace Delete ctrl+k ctrl+a ctrl+v shift+Tab ctrl+BackSpace slash`)

// monkeyWords are typed wherever a value may be typed.
var monkeyWords = strings.Fields(`1 0 -1 60 59.94 60000/1001 NaN inf -inf 1e300 99999999999999999999 12x ms 5s -5ms 3h 1,2 -1,-1
	99999,99999 , / "" town nowhere coordinator frame gate poll drop slowdown catchup on off true ü 日本 0x10 1_000 +7 1/0 0/1`)

// TestMonkey presses everything at random for a while: nothing may panic, no
// frame may fail to come, and no goroutine may stay behind.
func TestMonkey(t *testing.T) {
	if *monkeyFor == 0 {
		t.Skip("asked for with -monkey 1m")
	}
	before := runtime.NumGoroutine()
	// Cleanups run backwards: this one when the worlds have been stopped.
	t.Cleanup(func() {
		limit := time.Now().Add(frozen)
		for runtime.NumGoroutine() > before+20 {
			if time.Now().After(limit) {
				t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
	})
	to := newTour(t, "-npcs", "1000", "-seed", "1")
	g := to.g
	random := rand.New(rand.NewPCG(*monkeySeed, 0))
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	somewhere := func() (string, string) {
		var at image.Point
		var size image.Point
		inLoop(t, func() {
			at.X, at.Y = ebiten.WindowPosition()
			size.X, size.Y = ebiten.WindowSize()
		})
		return fmt.Sprint(at.X + random.IntN(size.X)), fmt.Sprint(at.Y + random.IntN(size.Y))
	}
	names := func() (list []string) {
		inLoop(t, func() {
			for _, c := range g.commands() {
				list = append(list, c.name)
			}
		})
		return list
	}()
	acts := []struct {
		weight int
		do     func() string
	}{
		{20, func() string {
			x, y := somewhere()
			n := pick([]string{"1", "1", "1", "2", "3"})
			to.do("mousemove", x, y, "click", "--repeat", n, "--delay", "40", "1")
			return "click " + x + " " + y + " x" + n
		}},
		{5, func() string {
			x, y := somewhere()
			to.do("mousemove", x, y, "mousedown", "1")
			for range 3 {
				x, y = somewhere()
				to.do("mousemove", x, y)
				if random.IntN(6) == 0 {
					inLoop(t, func() { ebiten.SetWindowSize(MinWidth+random.IntN(700), MinHeight+random.IntN(400)) })
				}
			}
			to.do("mouseup", "1")
			return "drag to " + x + " " + y
		}},
		{6, func() string {
			x, y := somewhere()
			wheel := pick([]string{"4", "5"})
			to.do("mousemove", x, y, "click", "--repeat", fmt.Sprint(1+random.IntN(12)), "--delay", "20", wheel)
			return "wheel " + wheel
		}},
		{20, func() string {
			k := pick(monkeyKeys)
			to.do("key", k)
			return "key " + k
		}},
		{12, func() string {
			line := pick(names) + " " + pick(monkeyWords)
			to.do("key", "Escape", "key", "Escape", "key", "slash")
			to.do("type", "--delay", "15", line)
			to.do("key", "Return")
			return line
		}},
		{6, func() string {
			w := pick(monkeyWords)
			to.do("key", "ctrl+a")
			to.do("type", "--delay", "15", "--", w)
			to.do("key", "Return")
			return "type " + w
		}},
		{2, func() string {
			w, h := MinWidth+random.IntN(700), MinHeight+random.IntN(400)
			inLoop(t, func() { ebiten.SetWindowSize(w, h) })
			return fmt.Sprint("size ", w, " ", h)
		}},
		{1, func() string {
			line := fmt.Sprintf("new world seed=%d npcs=%d zone-side=%d", random.IntN(100), random.IntN(3000), 8<<random.IntN(4))
			to.do("key", "Escape", "key", "Escape", "key", "slash")
			to.do("type", "--delay", "15", line)
			to.do("key", "Return")
			return line
		}},
	}
	total := 0
	for _, a := range acts {
		total += a.weight
	}
	end, done := time.Now().Add(*monkeyFor), 0
	var last []string
	for ; time.Now().Before(end); done++ {
		n := random.IntN(total)
		i := 0
		for ; n >= acts[i].weight; i++ {
			n -= acts[i].weight
		}
		last = append(last[max(0, len(last)-9):], acts[i].do())
		if testing.Verbose() {
			t.Log(last[len(last)-1])
		}
		from, frame := time.Now(), 0
		inLoop(t, func() { frame = theLoop.frames })
		until(t, "a frame after "+strings.Join(last, "; "), func() bool { return theLoop.frames > frame || theLoop.result != nil })
		if took := time.Since(from); took > frozen {
			t.Errorf("no frame for %v after %s", took, strings.Join(last, "; "))
		}
		inLoop(t, func() {
			if theLoop.result != nil {
				t.Errorf("the game ended with %v after %s", theLoop.result, strings.Join(last, "; "))
			}
		})
		if t.Failed() {
			break
		}
		if done%100 == 0 {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			t.Logf("%d acts, %d goroutines, heap %d MB, %d living", done, runtime.NumGoroutine(), m.HeapAlloc>>20, g.values.Characters.Living())
			to.shot(fmt.Sprint("monkey-", done))
		}
	}
}
