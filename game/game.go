package game

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/overlay"

	"github.com/hajimehoshi/ebiten/v2"
)

// The window's size in device-independent pixels: what it is without being
// told, and the least that everything fits into.
const (
	DefaultWidth, DefaultHeight = 1440, 900
	MinWidth, MinHeight         = 960, 600
	// MaxSide bounds either side: beyond, textures fail on common hardware.
	MaxSide = 8192
)

// refreshEvery is how often numbers are written anew.
const refreshEvery = 200 * time.Millisecond

// vsyncEvery is how often VSync may be switched: each switch makes the driver
// rebuild what it presents with.
const vsyncEvery = 250 * time.Millisecond

// Options say how the window runs. The zero value, with a World, runs.
type Options struct {
	World World
	// Open makes another world, with the pacing in force in the one before;
	// called on a goroutine of its own, one at a time. nil: none can be made.
	Open func(overlay.Setup, coordinator.Pacing) (World, error)
	// Scenarios are the setups that can be chosen from for another world.
	Scenarios []overlay.Setup
	// Look is how the window looks at first; the zero Look is DefaultLook.
	Look Look
	// Remember is called when the look or the pacing has changed, at most
	// every two seconds and once at the end; nil: nothing is remembered. Its
	// error is shown.
	Remember func(Look, coordinator.Pacing) error
	// For ends the program by itself after so much real time; 0: never.
	For time.Duration
	// Interrupt ends the program as closing the window does, once it is closed;
	// nil: nothing does.
	Interrupt <-chan struct{}
	// DeviceScale is how many device pixels a device-independent one has; 0:
	// as many as the monitor's.
	DeviceScale float64
	// Screenshot receives the last frame; nil: none.
	Screenshot *Screenshot
	// Capture receives the frames of the whole run, up to the end of its first
	// world, and is written at its end; nil: none. It is none of the slots.
	Capture *Output
	// Display is what the window runs on, one of Displays; "": RealDisplay.
	// FrameCap is the most frames a second, up to MaxFrameCap; 0: no cap.
	Display  string
	FrameCap int
	// Origin is what the window's stamps count from, and those of the worlds'
	// tracks; the zero Time: when New was called.
	Origin time.Time
	// Now reads the clock; nil: time.Now.
	Now func() time.Time
}

// Game is the window. Make one with New.
type Game struct {
	source  Source // of world
	world   World
	o       Options
	opening opening
	stops   sync.WaitGroup // worlds that are being stopped
	memory  memory
	now     func() time.Time

	let    *overlay.Lettering
	panels overlay.Panels
	dock   overlay.Dock
	values overlay.Values
	cam    *Camera
	ground *ground
	zones  zoneLayer
	crowd  *crowd
	census *census
	names  *names
	placer placer
	words  words
	flow   flow
	piles  piles
	hud    hud
	legend legend
	figure glyphs
	atlas  atlas
	batch  batch
	mesh   overlay.Mesh
	white  *ebiten.Image

	dots     []Dot
	visitors []Visitor
	labels   []mapLabel
	hint     hint
	found    []hit
	chars    []rune
	minimap  minimap
	cost     drawCost

	selection   overlay.Selection
	selected    selected
	follower    follower
	waking      waking
	clicked     clicks
	endAsked    time.Time // when E was pressed once
	follow      bool
	rerouting   bool // the next click says where to
	cameraWakes bool
	layers      overlay.Layers

	device      float64
	at          regions
	fitted      bool
	showSidebar bool
	showDock    bool
	showLegend  bool
	showMinimap bool
	showHelp    bool
	showWelcome bool // the card of a first start
	buttons     []button
	lastButtons []button // of the frame before
	buttonPlate plate
	palette     palette
	legendBox   image.Rectangle
	pointer     pointer

	moment    Moment
	lastTick  loop.Tick
	started   time.Time
	drawnAt   time.Time
	lastFrame time.Duration // between the last two Draws
	refreshAt time.Time
	retained  retained
	rate      rateMeter
	vsync     vsync

	rec         recorder
	screen      screen
	monitor     monitor
	asking      sync.WaitGroup
	emulated    loop.Rate // what an emulated display says it is; not valid: none is
	override    loop.Rate // what the user says the refresh is; not valid: nothing
	settingsNow inForce
	slots       slots
	lab         laboratory
	orders      int   // given by hand in this world
	worldSince  int64 // the stamp at which this world was first shown
	badges      badges
	figures     frameSums
	keysDown    []ebiten.Key
	updates     int // so far
	focused     func() bool

	closing bool
	err     error
}

// vsync keeps the switch apart from the wish.
type vsync struct {
	want, is bool
	at       time.Time
}

// Validate names the first field that is out of its range.
func (o *Options) Validate() error {
	if o.Display != "" && !slices.Contains(Displays(), o.Display) {
		return fmt.Errorf("game: display %s: accepted are %s", o.Display, strings.Join(Displays(), ", "))
	}
	if o.FrameCap < 0 || o.FrameCap > MaxFrameCap {
		return fmt.Errorf("game: frame cap %d: accepted are 0 (off) to %d frames a second", o.FrameCap, MaxFrameCap)
	}
	return nil
}

// New makes the window of a world. It draws nothing yet. Its error says which
// option is out of range.
func New(o Options) (*Game, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	let, err := overlay.NewLettering()
	if err != nil {
		return nil, err
	}
	if o.Look == (Look{}) {
		o.Look = DefaultLook()
	}
	g := &Game{o: o, now: o.Now, let: let, device: 1, world: o.World}
	if g.now == nil {
		g.now = time.Now
	}
	if o.Origin.IsZero() {
		o.Origin = g.now()
	}
	g.focused = ebiten.IsFocused
	g.rec = newRecorder(o.Origin)
	g.lab = newLaboratory()
	g.rec.push = g.frameDone
	g.dock.Recording, g.values.Recording = &g.rec.Recording, &g.rec.Recording
	g.emulated = emulatedRate()
	g.screen.choose(cmp.Or(o.Display, RealDisplay))
	g.screen.limit(o.FrameCap, 0)
	g.values.Displays = Displays()
	if o.Capture != nil {
		g.slots.run.on = true
	}
	g.wear(o.Look)
	g.values.Scenarios = o.Scenarios
	g.show()
	return g, nil
}

// Run opens the window and returns when it is closed, Options.For is over, or
// the world has failed; then every world that was shown has been stopped. It
// must be called on the main goroutine, once in a process.
func Run(o Options) error {
	g, err := New(o)
	if err != nil {
		if o.World.Stop != nil {
			o.World.Stop()
		}
		return err
	}
	g.configure()
	g.monitor.quiet()
	g.asking.Add(1)
	g.monitor.ask(g.asking.Done)
	err = ebiten.RunGame(g)
	g.remember(g.now(), true)
	g.finishCapture()
	g.lab.close(g.now())
	g.asking.Wait()
	g.settleWorlds()
	g.dock.Compare.Close()
	return errors.Join(err, g.err)
}

// configure sets the window up, before the loop runs.
func (g *Game) configure() {
	w, h := g.o.Look.Width, g.o.Look.Height
	ebiten.SetWindowTitle(g.title())
	ebiten.SetWindowSize(w, h)
	ebiten.SetFullscreen(g.o.Look.Fullscreen)
	ebiten.SetWindowSizeLimits(min(w, MinWidth), min(h, MinHeight), -1, -1)
	ebiten.SetWindowResizingMode(ebiten.WindowResizingModeEnabled)
	ebiten.SetWindowClosingHandled(true)
	ebiten.SetVsyncEnabled(g.realVSync())
	// Draw covers what it has to: clearing first would cost as much as a ground.
	ebiten.SetScreenClearedEveryFrame(false)
	ebiten.SetTPS(60)
}

// Layout is never called, since LayoutF is there; ebiten.Game asks for it.
func (g *Game) Layout(w, h int) (int, int) { return w, h }

// LayoutF gives the screen one pixel per device pixel, so that text and
// figures are crisp. It is the first call of a frame, so it takes the time.
func (g *Game) LayoutF(w, h float64) (float64, float64) {
	g.nextFrame(g.now())
	device := g.o.DeviceScale
	if device <= 0 {
		device = ebiten.Monitor().DeviceScaleFactor()
	}
	if device <= 0 {
		device = 1
	}
	g.place(int(math.Ceil(w*device)), int(math.Ceil(h*device)), device)
	return w * device, h * device
}

// place lays the window out for a screen of w by h device pixels.
func (g *Game) place(w, h int, device float64) {
	g.device = device
	g.let.SetScale(device)
	dock := 0.0
	if g.showDock {
		dock = g.dock.Height(float64(h) / device)
	}
	at := arrange(w, h, device, g.showSidebar, dock)
	if at == g.at {
		return
	}
	if at.screen != g.at.screen {
		g.rec.cur.Flags |= frametime.Resized
	}
	g.at = at
	g.cam.SetView(at.view, device)
	if !g.fitted {
		g.fitted = true
		g.cam.Open()
	}
}

// Update handles panels and input, 60 times a second.
func (g *Game) Update() error {
	now := g.now()
	g.beginUpdate(now)
	defer g.endUpdate()
	if g.started.IsZero() {
		g.started = now
		g.rate.reset()
	}
	select {
	case <-g.source.Done():
		if err := g.source.Err(); err != nil {
			return err
		}
	default:
	}
	g.arrive()
	g.remember(now, false)
	if g.closing && g.o.Screenshot == nil {
		return ebiten.Termination
	}
	if ebiten.IsWindowBeingClosed() || g.interrupted() || g.o.For > 0 && now.Sub(g.started) >= g.o.For {
		g.closing = true
		if g.o.Screenshot == nil {
			return ebiten.Termination
		}
	}
	in, err := g.panels.Update(&g.values, g.at.sidebar, g.at.scale)
	if err != nil {
		return err
	}
	g.input(in, now)
	if g.vsync.want != g.vsync.is && now.Sub(g.vsync.at) >= vsyncEvery {
		g.vsync.is, g.vsync.at = g.vsync.want, now
		ebiten.SetVsyncEnabled(g.realVSync())
	}
	g.drop(now)
	return nil
}

// realVSync says whether the real display is to be waited for: not where a
// virtual one is.
func (g *Game) realVSync() bool { return g.vsync.is && !g.screen.virtual() }

// interrupted says that the program was asked to end from outside.
func (g *Game) interrupted() bool {
	select {
	case <-g.o.Interrupt: // nil: never
		return true
	default:
		return false
	}
}

// rateMeter measures ticks per second over about the last second.
type rateMeter struct {
	ticks [6]loop.Tick
	times [6]time.Time
	n     int
}

func (r *rateMeter) reset() { r.n = 0 }

// add takes a sample and returns the rate since the oldest one; 0 while there
// is only one.
func (r *rateMeter) add(t loop.Tick, now time.Time) float64 {
	if r.n == len(r.ticks) {
		copy(r.ticks[:], r.ticks[1:])
		copy(r.times[:], r.times[1:])
		r.n--
	}
	r.ticks[r.n], r.times[r.n] = t, now
	r.n++
	d := now.Sub(r.times[0]).Seconds()
	if r.n < 2 || d <= 0 {
		return 0
	}
	return float64(t-r.ticks[0]) / d
}

// refresh renews what is written, five times a second.
func (g *Game) refresh(now time.Time) {
	if now.Sub(g.refreshAt) < refreshEvery {
		return
	}
	g.refreshAt = now
	v := &g.values
	paused := v.Paused
	g.source.Values(v)
	g.examine(v)
	if v.Paused || paused {
		g.rate.reset()
	}
	v.Actual = g.rate.add(g.moment.Tick, now)
	g.measure(v, now)
	g.dock.Refresh()
	v.Speed = 0
	if v.Actual > 0 && !v.Paused {
		v.Speed = v.Actual / v.Pacing.TickRate.Float()
	}
	v.Calls, v.Vertices, v.DrawTime = g.cost.Calls, g.cost.Vertices, g.cost.mean
	v.VSync, v.Fullscreen = g.vsync.want, ebiten.IsFullscreen()
	v.Width, v.Height, v.Scale = g.at.screen.Dx(), g.at.screen.Dy(), g.device
	g.lab.values(&v.Lab, v.Pacing.TickRate, g.labShown(), now)
	g.dock.Show(v, now)
	g.hud.refresh(v, g.cam.Zoom(), now)
	g.panels.Touch()
}
