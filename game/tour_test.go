package game

import (
	"flag"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/overlay"
	"chronoscope/routes"
	"chronoscope/world"
	"chronoscope/world/scenario"

	"github.com/hajimehoshi/ebiten/v2"
)

var (
	tourTo    = flag.String("tour", "", "directory for the pictures that the tour takes; none are taken without")
	tourScale = flag.Float64("tour-scale", 1, "device scale of the tour")
)

// stepLimit is how long a step may take: far more than it does, for machines
// that are busy with other things.
const stepLimit = time.Minute

// tour is a walk through the window with a real pointer and a real keyboard.
type tour struct {
	hand
	g     *Game
	scale int
	shots int
}

// aWorld makes a running world as the program would from flags.
func aWorld(t testing.TB, args ...string) World {
	t.Helper()
	table, config := scenario.New()
	if err := table.Parse(args); err != nil {
		t.Fatal(err)
	}
	ground, err := config.OpenMap()
	if err != nil {
		t.Fatal(err)
	}
	o := config.Options(ground)
	o.AIWork = world.Calibrate(config.AICost)
	track := NewTrack(testOrigin)
	o.OnDigest, o.Coordinator.OnRelease = track.Digest, track.Release
	w, err := world.New(o)
	if err != nil {
		t.Fatal(err)
	}
	w.Start()
	return World{
		Source: Watch(w, setupOf(config), config.AICost, track), Title: ground.Name, Stop: w.Stop,
		Track: track, About: scenario.About(table, config, ground),
	}
}

// testOrigin is what the stamps of the tests' windows and worlds count from.
var testOrigin = time.Now()

func setupOf(c *scenario.Config) overlay.Setup {
	return overlay.Setup{Scenario: c.Scenario, Map: c.Map, Seed: c.Params.Seed, NPCs: c.Params.NPCs, ZoneSide: c.Params.ZoneSide}
}

func newTour(t *testing.T, args ...string) *tour {
	t.Helper()
	scale := int(*tourScale)
	to := &tour{hand: newHand(t), scale: scale}
	first := aWorld(t, args...)
	open := func(s overlay.Setup, pace coordinator.Pacing) (World, error) {
		if s.Map != "town" {
			return World{}, fmt.Errorf("-map %s: no such file", s.Map)
		}
		w := aWorld(t, "-scenario", s.Scenario, "-seed", fmt.Sprint(s.Seed), "-npcs", fmt.Sprint(s.NPCs), "-zone-side", fmt.Sprint(s.ZoneSide))
		return w, w.Source.SetPacing(pace)
	}
	var scenarios []overlay.Setup
	for _, name := range scenario.Builtin() {
		table, config := scenario.New()
		if err := table.Parse([]string{"-scenario=" + name}); err != nil {
			t.Fatal(err)
		}
		scenarios = append(scenarios, setupOf(config))
	}
	to.g = show(t, Options{World: first, Open: open, Scenarios: scenarios, DeviceScale: float64(scale)}, DefaultWidth, DefaultHeight)
	t.Cleanup(func() {
		var g *Game
		inLoop(t, func() { g, theLoop.game = to.g, nil })
		g.settleWorlds()
	})
	return to
}

// step is one step of the tour: it does something and waits for what it is to
// bring about.
func (to *tour) step(what string, do func(), cond func() bool) {
	to.t.Helper()
	do()
	limit := time.Now().Add(stepLimit)
	for ok := false; !ok; {
		inLoop(to.t, func() { ok = cond() })
		if !ok && time.Now().After(limit) {
			to.shot("failed")
			to.t.Fatalf("%s: nothing came of it in %v", what, stepLimit)
		}
	}
}

func (to *tour) key(name string) func() { return func() { to.do("key", name) } }

func (to *tour) typing(text string) func() { return func() { to.do("type", "--delay", "30", text) } }

// at moves the pointer to a place of the map.
func (to *tour) at(x, y float64) {
	var p image.Point
	inLoop(to.t, func() {
		sx, sy := to.g.cam.ToScreen(x, y)
		p = image.Pt(int(sx), int(sy))
	})
	to.point(p)
}

// point moves the pointer to device pixels of the window.
func (to *tour) point(p image.Point) {
	var x, y int
	inLoop(to.t, func() { x, y = ebiten.WindowPosition() })
	to.do("mousemove", fmt.Sprint(x+p.X/to.scale), fmt.Sprint(y+p.Y/to.scale))
	until(to.t, "the pointer", func() bool {
		at := image.Pt(ebiten.CursorPosition()).Sub(p)
		return max(at.X, -at.X, at.Y, -at.Y) <= to.scale
	})
}

func (to *tour) click() { to.press(); to.release() }

// shot takes a picture, if pictures are wanted.
func (to *tour) shot(name string) {
	if *tourTo == "" {
		return
	}
	to.shots++
	if err := os.MkdirAll(*tourTo, 0o755); err != nil {
		to.t.Fatal(err)
	}
	writePNG(to.t, filepath.Join(*tourTo, fmt.Sprintf("%02d-%s.png", to.shots, name)), capture(to.t))
}

// settled lets the frame that shows a change be drawn, figures included.
func (to *tour) settled() {
	frame := 0
	inLoop(to.t, func() { frame, to.g.refreshAt = theLoop.frames, time.Time{} })
	until(to.t, "some frames", func() bool {
		return theLoop.frames > frame+4 && to.g.ground.settled && !to.g.cam.zooming
	})
}

// someone is a character near the middle of the view that pick accepts.
func (to *tour) someone(what string, pick func(Dot) bool) (d Dot) {
	to.t.Helper()
	best := 1e18
	until(to.t, what+" in view", func() bool {
		g := to.g
		best = 1e18
		lo, hi := g.cam.Visible()
		mx, my := g.cam.middle()
		for _, c := range g.source.Dots(g.moment, lo, hi, nil) {
			ox, oy := scatter(c.Spawn)
			x, y := g.cam.ToScreen(float64(c.X+ox), float64(c.Y+oy))
			far := (x-mx)*(x-mx) + (y-my)*(y-my)
			if pick(c) && far < best && image.Pt(int(x), int(y)).In(g.at.view.Inset(50)) && !to.covered(image.Pt(int(x), int(y))) {
				best, d = far, c
			}
		}
		return best < 1e18
	})
	return d
}

// nearVisitor is an active character so near to a visitor that it stays active
// for a while, on a leg of that kind.
func (to *tour) nearVisitor(kind routes.LegKind) (d Dot) {
	to.t.Helper()
	until(to.t, "somebody near a visitor", func() bool {
		g := to.g
		w, best := g.source.Map(), 14.0
		d = Dot{}
		for _, c := range g.source.Dots(g.moment, cellAt(0, 0), cellAt(w.Width-1, w.Height-1), nil) {
			x, ok := g.source.Character(c.Spawn, false)
			if !ok || c.Mode != Active || x.Leg.Kind != kind || x.Leg.End < g.moment.Tick+300 {
				continue
			}
			for _, v := range g.visitors {
				if far := math.Hypot(float64(c.X)-v.X, float64(c.Y)-v.Y); far < best {
					best, d = far, c
				}
			}
		}
		return d.Spawn != 0
	})
	return d
}

func cellAt(x, y int32) routes.Cell { return routes.Cell{X: x, Y: y} }

func zoneAt(x, y int32) routes.ZoneKey { return routes.ZoneKey{X: x, Y: y} }

// covered says whether an instrument lies over a point of the view.
func (to *tour) covered(p image.Point) bool {
	for _, b := range to.g.buttons {
		if p.In(b.box) {
			return true
		}
	}
	return p.In(to.g.legendBox) || p.In(to.g.minimap.box)
}

// TestTour goes through every view of the window as a person would, with
// nothing but a pointer and a keyboard.
func TestTour(t *testing.T) {
	to := newTour(t, "-npcs", "2000", "-seed", "1")
	g := to.g
	v := &g.values
	running := func() bool { return v.Actual > 5 && v.Tick > 60 }
	to.step("the town runs", func() {}, running)
	to.settled()
	to.shot("afar")

	// Time.
	to.step("Space pauses", to.key("space"), func() bool { return v.Paused })
	var tick loop.Tick
	inLoop(t, func() { tick = g.moment.Tick })
	to.step("a full stop steps once", to.key("period"), func() bool { return g.moment.Tick == tick+1 })
	to.step("a comma steps ten times", to.key("comma"), func() bool { return g.moment.Tick == tick+11 })
	to.settled()
	to.shot("paused")
	to.step("Space resumes", to.key("space"), func() bool { return !v.Paused && g.moment.Tick > tick+11 })
	to.step("plus doubles the speed", to.key("plus"), func() bool { return v.Pacing.TimeScale == 2 })
	to.step("0 is speed 1", to.key("0"), func() bool { return v.Pacing.TimeScale == 1 })

	// The command line sets what panels set.
	command := func(text string) func() {
		return func() {
			to.step("the command line opens", to.key("slash"), func() bool { return g.palette.open })
			to.typing(text)()
			to.settled()
			to.do("key", "Return")
		}
	}
	ntsc := loop.Rate{Num: 60000, Den: 1001}
	to.step("a fractional tick rate", command("tick-rate 60000/1001"), func() bool { return v.Pacing.TickRate == ntsc })
	to.step("a wrong tick rate is refused", command("tick-rate 900"), func() bool { return g.palette.open && g.palette.fault != "" })
	to.shot("command-line")
	to.step("Escape closes it", to.key("Escape"), func() bool { return !g.palette.open && v.Pacing.TickRate == ntsc })
	to.step("the strategy of waiting", command("wait gate"), func() bool { return v.Pacing.Wait == coordinator.Gate })
	to.step("an overload policy", command("policy slowdown"), func() bool { return v.Pacing.Policy == loop.SlowDown })
	to.step("and back", command("policy catchup"), func() bool { return v.Pacing.Policy == loop.CatchUp })
	to.step("the frames' clock", command("driver frame"), func() bool { return v.Pacing.Driver == coordinator.ByFrame })
	inLoop(t, func() { tick = g.moment.Tick })
	to.step("ticks pass by it", func() {}, func() bool { return g.moment.Tick > tick+30 })
	to.step("the coordinator's clock", command("driver coordinator"), func() bool { return v.Pacing.Driver == coordinator.ByCoordinator })
	to.step("a whole tick rate", command("tick-rate 60"), func() bool { return v.Pacing.TickRate == loop.Hz(60) })

	// Closer, with the wheel.
	var x, y float64
	inLoop(t, func() { x, y = g.visitors[0].X, g.visitors[0].Y })
	to.at(x, y)
	for range 5 {
		to.step("the wheel zooms", func() { to.do("click", "4") }, func() bool { return !g.cam.zooming })
	}
	to.settled()
	to.shot("middle")
	for range 4 {
		to.step("the wheel zooms", func() { to.do("click", "4") }, func() bool { return !g.cam.zooming })
	}
	to.settled()
	to.shot("close")

	// A character on its way.
	to.step("the world stands for a sure hand", to.key("space"), func() bool { return v.Paused })
	to.settled()
	walker := to.someone("a walker", func(d Dot) bool { return d.Mode != Resting && (d.DX != 0 || d.DY != 0 || d.Mode == Walking) })
	ox, oy := scatter(walker.Spawn)
	to.at(float64(walker.X+ox), float64(walker.Y+oy))
	to.step("a click selects", to.click, func() bool {
		return g.selection == overlay.Selection{Kind: overlay.OneCharacter, Spawn: walker.Spawn} && v.Character.Spawn == walker.Spawn
	})
	if len(v.Character.Passages) == 0 {
		t.Error("no passages are known of the selected one")
	}
	to.step("Space resumes", to.key("space"), func() bool { return !v.Paused })
	to.settled()
	to.shot("character")
	to.step("F follows", to.key("f"), func() bool { return g.follow })
	to.step("the camera keeps it in the middle", func() {}, func() bool {
		d, ok := g.source.Where(g.moment, walker.Spawn)
		return ok && near(float64(d.X), g.cam.X, 3) && near(float64(d.Y), g.cam.Y, 3)
	})
	to.step("J shows its passages", to.key("j"), func() bool { return g.dock.Tab == overlay.PassageTab })
	to.settled()
	to.shot("passages")
	to.step("O holds it up", to.key("o"), func() bool { return v.Character.Generation > 1 })
	to.step("X cancels", to.key("x"), func() bool { return v.Character.Generation > 2 || v.Character.Leg.Kind == 0 })
	to.settled()
	to.shot("inspector")
	to.step("Escape lets go", to.key("Escape"), func() bool { return g.selection.Kind == overlay.Nothing })

	// A zone.
	var zone overlay.Selection
	to.step("a zone is clicked", func() {
		p := g.at.view.Min.Add(g.at.view.Size().Div(2)).Add(image.Pt(0, -170*to.scale))
		inLoop(t, func() {
			zone = overlay.Selection{Kind: overlay.OneZone, Zone: g.zones.under(g.cam, float64(p.X), float64(p.Y))}
		})
		to.do("key", "Home")
		until(t, "the whole map", func() bool { return !g.cam.zooming })
		inLoop(t, func() {
			sx, sy := g.cam.ToScreen((float64(zone.Zone.X)+0.02)*float64(g.zones.side), (float64(zone.Zone.Y)+0.02)*float64(g.zones.side))
			p = image.Pt(int(sx), int(sy))
		})
		to.point(p)
		to.click()
	}, func() bool { return g.selection.Kind != overlay.Nothing })
	if g.selection.Kind == overlay.OneCharacter {
		inLoop(t, func() { g.choose(zone) })
	}
	to.step("its legs are listed", func() {}, func() bool { return v.Selection.Kind == overlay.OneZone && v.Zone.Legs >= 0 })
	to.step("P pins it", to.key("p"), func() bool { _, on := g.zones.active[g.selection.Zone]; return on || len(g.zones.active) > 0 })
	to.settled()
	to.shot("zone")
	to.step("the seventh key hides the rings", to.key("7"), func() bool { return !g.layers[overlay.LaggardLayer] })
	to.step("and shows them", to.key("7"), func() bool { return g.layers[overlay.LaggardLayer] })
	to.step("the second shows the heat", to.key("2"), func() bool { return g.layers[overlay.HeatLayer] })
	to.settled()
	to.shot("heat")
	to.step("and hides it", to.key("2"), func() bool { return !g.layers[overlay.HeatLayer] })

	// A brake.
	to.step("an active one is selected", func() {
		d := to.nearVisitor(routes.Stay)
		inLoop(t, func() { g.choose(overlay.Selection{Kind: overlay.OneCharacter, Spawn: d.Spawn}) })
		to.do("key", "c")
	}, func() bool { return v.Character.Mode == world.Active })
	to.step("it stalls, and the world brakes", command("stall 3s"), func() bool { return g.moment.Braking })
	graph := &g.dock.Graph
	button := func(label string) func() {
		return func() {
			var b image.Rectangle
			until(t, label+" in the dock", func() bool { b = g.dock.Find(label); return !b.Empty() })
			to.point(b.Min.Add(b.Size().Div(2)))
			to.click()
		}
	}
	lane := func(share int) func() {
		return func() {
			r := g.dock.Lanes()
			to.point(image.Pt(r.Min.X+r.Dx()*share/100, r.Min.Y+r.Dy()/3))
		}
	}
	to.step("the frames' tab by mouse", button("Frame times"), func() bool { return g.dock.Tab == overlay.FrameTab })
	to.step("two seconds of it", button("2 s"), func() bool { return graph.Span == 2*time.Second })
	to.step("the pointer on a frame", lane(60), func() bool { return true })
	to.settled()
	to.shot("graph-2s")
	to.step("a click pins it", func() { lane(60)(); to.click() }, func() bool { _, ok := graph.Pinned(); return ok })
	to.step("ten seconds", button("10 s"), func() bool { return graph.Span == 10*time.Second })
	to.step("powers of two", button("axis auto"), func() bool { return graph.Axis == overlay.LogAxis })
	to.settled()
	to.shot("graph-log")
	to.step("Escape lets the pin go", to.key("Escape"), func() bool { _, ok := graph.Pinned(); return !ok })
	to.step("a fixed axis", button("axis log2"), func() bool { return graph.Axis == overlay.FixedAxis })
	to.step("and the first again", button("to 50.0 ms"), func() bool { return graph.Axis == overlay.AutoAxis })
	to.step("curves", button("curves"), func() bool { return graph.Curves })
	to.settled()
	to.shot("graph-curves")
	to.step("no curves", button("curves"), func() bool { return !graph.Curves })
	to.step("the passages by mouse", button("Passages"), func() bool { return g.dock.Tab == overlay.PassageTab })
	to.step("the ticks' tab", to.key("j"), func() bool { return g.dock.Tab == overlay.TickTab })
	to.settled()
	to.shot("brake")
	to.step("the brake lifts", func() {}, func() bool { return !g.moment.Braking && v.Episodes > 0 })
	to.settled()
	to.shot("after-brake")

	// Panels and the window.
	to.step("F1 lists the keys", to.key("F1"), func() bool { return g.showHelp })
	to.settled()
	to.shot("keys")
	to.step("Escape closes the list", to.key("Escape"), func() bool { return !g.showHelp })
	to.step("V switches VSync off", to.key("v"), func() bool { return !ebiten.IsVsyncEnabled() })
	to.step("and on", to.key("v"), func() bool { return ebiten.IsVsyncEnabled() })
	to.step("Tab gives the map the panels' room", to.key("Tab"), func() bool { return g.at.sidebar.Empty() })
	to.step("H that of the dock", to.key("h"), func() bool { return g.at.dock.Empty() })
	to.settled()
	to.shot("map-alone")
	to.step("and back", func() { to.do("key", "Tab"); to.do("key", "h") }, func() bool { return !g.at.sidebar.Empty() && !g.at.dock.Empty() })
	to.step("people come", command("spawn 500"), func() bool { return v.Characters.Living() == 2500 })
	to.step("and go", command("remove 1500"), func() bool { return v.Characters.Living() == 1000 })
	to.step("a budget", command("active-budget 20"), func() bool { return v.Tuning.ActiveBudget == 20 && v.Characters.Active <= 20 })
	to.settled()
	to.shot("budget")

	// Panels, by mouse alone.
	press := func(label string) func() {
		return func() {
			var b image.Rectangle
			until(t, label+" in the panels", func() bool { b = g.panels.Find(label); return !b.Empty() })
			to.point(b.Min.Add(b.Size().Div(2)))
			to.click()
			to.point(image.Pt(g.at.view.Min.X+400*to.scale, g.at.bar.Min.Y+6)) // off the widgets
		}
	}
	fold := func(s overlay.Section, want bool) {
		heading := [...]string{"Time", "Brake", "Display", "World", "Lab", "Inspector"}[s]
		to.step(heading+" folds or unfolds", press(heading), func() bool { return g.panels.Open()[s] == want })
	}
	inLoop(t, func() { g.choose(overlay.Selection{}) })
	inLoop(t, func() { g.panels.SetOpen(overlay.Sections{}) })
	to.step("all are folded", func() {}, func() bool { return g.panels.Open() == overlay.Sections{} })
	fold(overlay.WorldSection, true)
	to.settled()
	to.shot("panel-world")
	to.step("a hundred more", press("+ 100"), func() bool { return v.Characters.Living() == 1100 })
	to.step("a hundred less", press("- 100"), func() bool { return v.Characters.Living() == 1000 })
	to.step("the camera wakes zones", press("the camera wakes zones"), func() bool { return g.cameraWakes && g.zones.camera })
	to.step("and lets them go", press("the camera wakes zones"), func() bool { return !g.cameraWakes && !g.zones.camera })
	fold(overlay.WorldSection, false)
	fold(overlay.DisplaySection, true)
	to.step("VSync by mouse", press("VSync"), func() bool { return !g.vsync.is })
	to.step("and back", press("VSync"), func() bool { return g.vsync.is })
	to.settled()
	to.shot("panel-display")
	fold(overlay.DisplaySection, false)
	fold(overlay.TimeSection, true)
	to.step("120 ticks a second", press("120"), func() bool { return v.Pacing.TickRate == loop.Hz(120) })
	to.step("60 again", press("60"), func() bool { return v.Pacing.TickRate == loop.Hz(60) })
	to.step("polling", press("poll"), func() bool { return v.Pacing.Wait == coordinator.Poll })
	to.settled()
	to.shot("panel-time")
	fold(overlay.TimeSection, false)
	fold(overlay.BrakeSection, true)
	to.step("a higher threshold", press("+"), func() bool { return v.Pacing.LagThreshold == 11 })
	to.step("a lower one", press("-"), func() bool { return v.Pacing.LagThreshold == 10 })
	to.settled()
	to.shot("panel-brake")
	fold(overlay.BrakeSection, false)
	fold(overlay.InspectorSection, true)
	to.settled()
	to.shot("panel-inspector-empty")
	to.step("go to the number in the field", press("go"), func() bool {
		return g.selection == overlay.Selection{Kind: overlay.OneCharacter, Spawn: 1}
	})
	to.step("follow", press("follow"), func() bool { return g.follow })
	to.settled()
	to.shot("panel-inspector")
	to.step("deselect", press("deselect"), func() bool { return g.selection.Kind == overlay.Nothing })

	// Another world.
	to.step("a world that can't be made", command("new world map=nowhere"), func() bool { return v.Refused != "" && !v.Opening })
	to.step("another seed", command("new world seed=5 npcs=300"), func() bool {
		return v.Setup.Seed == 5 && v.Setup.NPCs == 300 && v.Characters.Living() == 300 && !v.Opening
	})
	to.step("it runs", func() {}, running)
	to.settled()
	to.shot("another-world")
}
