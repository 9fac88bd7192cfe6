package game

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	xdraw "golang.org/x/image/draw"

	"chronoscope/loop"
	"chronoscope/overlay"
	"chronoscope/routes"
)

// The README's pictures are taken here, from the running program: `make
// pictures`.

var (
	picturesTo = flag.String("pictures", "", "directory to take the README's pictures into; none are taken without")
	pictureMap = flag.String("picture-map", "", "a map file to take a picture of as well")
)

// pen writes on pictures that have been taken.
type pen struct{ face font.Face }

func newPen(t *testing.T, size float64) pen {
	t.Helper()
	f, err := opentype.Parse(gomedium.TTF)
	if err != nil {
		t.Fatal(err)
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		t.Fatal(err)
	}
	return pen{face}
}

func (p pen) write(img *image.RGBA, x, y int, s string, c color.Color) {
	d := font.Drawer{Dst: img, Src: image.NewUniform(c), Face: p.face, Dot: fixed.P(x, y)}
	d.DrawString(s)
}

// number puts a numbered disc on a picture.
func (p pen) number(img *image.RGBA, at image.Point, n int) {
	disc := func(r float32, c color.Color) {
		b := img.Bounds()
		v := vector.NewRasterizer(b.Dx(), b.Dy())
		const k = 0.5523 // of a quarter circle as a cubic
		x, y := float32(at.X), float32(at.Y)
		v.MoveTo(x+r, y)
		v.CubeTo(x+r, y+k*r, x+k*r, y+r, x, y+r)
		v.CubeTo(x-k*r, y+r, x-r, y+k*r, x-r, y)
		v.CubeTo(x-r, y-k*r, x-k*r, y-r, x, y-r)
		v.CubeTo(x+k*r, y-r, x+r, y-k*r, x+r, y)
		v.ClosePath()
		v.Draw(img, b, image.NewUniform(c), image.Point{})
	}
	disc(14, color.RGBA{0x10, 0x12, 0x15, 0xFF})
	disc(12, color.RGBA{0xF4, 0xF6, 0xF8, 0xFF})
	s := fmt.Sprint(n)
	w := font.MeasureString(p.face, s).Round()
	p.write(img, at.X-w/2, at.Y+6, s, color.RGBA{0x10, 0x12, 0x15, 0xFF})
}

// album is where pictures go.
type album struct {
	*tour
	pen pen
}

func (a *album) keep(name string, img image.Image) {
	if err := os.MkdirAll(*picturesTo, 0o755); err != nil {
		a.t.Fatal(err)
	}
	writePNG(a.t, filepath.Join(*picturesTo, name+".png"), img)
}

// numbered takes a picture with numbers at some points.
func (a *album) numbered(name string, points ...image.Point) {
	a.settled()
	img := capture(a.t)
	for i, p := range points {
		a.pen.number(img, p, i+1)
	}
	a.keep(name, img)
}

func newAlbum(t *testing.T, args ...string) *album {
	t.Helper()
	if *picturesTo == "" {
		t.Skip("no pictures are wanted: -pictures DIR takes them")
	}
	a := &album{newTour(t, args...), newPen(t, 16)}
	// To a time of day at which many are about.
	pace := func(scale float64) func() {
		return func() {
			inLoop(t, func() {
				var in overlay.Intents
				in.Pace(&a.g.values).TimeScale = scale
				a.g.apply(in, a.g.now())
			})
		}
	}
	a.step("the morning passes", pace(8), func() bool { return a.g.moment.Tick > 5000 })
	a.step("the town runs", pace(1), func() bool { return a.g.values.Pacing.TimeScale == 1 })
	wait(2 * time.Second)
	return a
}

// wait lets real time pass: a picture is of something that goes on.
func wait(d time.Duration) { <-time.After(d) }

func TestPictures(t *testing.T) {
	a := newAlbum(t, "-wait", "gate")
	g, v := a.g, &a.g.values
	at := func(b image.Rectangle, fx, fy float64) image.Point {
		return b.Min.Add(image.Pt(int(float64(b.Dx())*fx), int(float64(b.Dy())*fy)))
	}
	a.point(image.Pt(g.at.view.Max.X-300, g.at.bar.Min.Y+10))
	wait(11 * time.Second)
	a.numbered("town",
		at(g.at.bar, 0.42, 0.5),       // 1 the line
		at(g.at.view, 0.5, 0.32),      // 2 the map
		at(g.legendBox, 0.96, 0.08),   // 3 legend and layers
		at(g.minimap.box, 0.1, 0.1),   // 4 minimap
		at(g.at.dock, 0.35, 0.1),      // 5 dock
		at(g.at.sidebar, 0.93, 0.012), // 6 panels
	)
	a.step("the whole map", a.key("Home"), func() bool { return !g.cam.zooming })
	a.numbered("afar")

	// Close, somebody on the way who crosses zones.
	var walker Dot
	inLoop(t, func() {
		w := g.source.Map()
		best := 0
		for _, d := range g.source.Dots(g.moment, cellAt(0, 0), cellAt(w.Width-1, w.Height-1), nil) {
			c, ok := g.source.Character(d.Spawn, true)
			if !ok || d.Mode != Active || len(c.Passages) <= best || c.Leg.End < g.moment.Tick+300 || g.moment.Tick < c.Leg.Start+100 {
				continue
			}
			best, walker = len(c.Passages), d
		}
		g.choose(overlay.Selection{Kind: overlay.OneCharacter, Spawn: walker.Spawn})
		g.cam.GoTo(float64(walker.X), float64(walker.Y))
		g.cam.Scale, g.cam.goal = 15, 15
		g.dock.Choose(overlay.PassageTab)
	})
	a.step("its details", func() {}, func() bool { return v.Character.Spawn == walker.Spawn && len(v.Character.Passages) > 1 })
	wait(2 * time.Second)
	a.numbered("character",
		at(g.at.view, 0.5, 0.44),     // 1 the selected one, with its way
		at(g.at.view, 0.62, 0.62),    // 2 its zones
		at(g.at.dock, 0.62, 0.4),     // 3 passages
		at(g.at.sidebar, 0.93, 0.25), // 4 inspector
	)

	// A zone that many cross.
	inLoop(t, func() {
		best, zone := 0, g.zones.zones[0].Key
		for _, z := range g.zones.zones {
			d, _ := g.source.Zone(z.Key, 200)
			n := 0
			for _, r := range d.Rows {
				if r.Leg.Kind != 0 {
					n++
				}
			}
			if n > best {
				best, zone = n, z.Key
			}
		}
		g.choose(overlay.Selection{Kind: overlay.OneZone, Zone: zone})
		side := float64(g.zones.side)
		g.cam.GoTo((float64(zone.X)+0.5)*side, (float64(zone.Y)+0.5)*side)
		g.cam.Scale, g.cam.goal = 12, 12
		g.layers[overlay.HeatLayer] = true
	})
	wait(2 * time.Second)
	a.numbered("zone",
		at(g.at.view, 0.5, 0.36),     // 1 the zone
		at(g.at.dock, 0.62, 0.4),     // 2 who passes when
		at(g.at.sidebar, 0.93, 0.25), // 3 its state
	)
}

// The panels side by side, each unfolded alone.
func TestPanelPictures(t *testing.T) {
	a := newAlbum(t, "-wait", "gate")
	g := a.g
	d := a.nearVisitor(routes.Route)
	inLoop(t, func() { g.choose(overlay.Selection{Kind: overlay.OneCharacter, Spawn: d.Spawn}) })
	wait(2 * time.Second)
	const gap = 8
	size := g.at.sidebar.Size()
	sheet := image.NewRGBA(image.Rect(0, 0, int(overlay.SectionCount)*(size.X+gap)-gap, size.Y))
	for i := range int(overlay.SectionCount) {
		var only overlay.Sections
		only[i] = true
		inLoop(t, func() { g.panels.SetOpen(only) })
		a.settled()
		x := i * (size.X + gap)
		draw.Draw(sheet, image.Rect(x, 0, x+size.X, size.Y), capture(t), g.at.sidebar.Min, draw.Src)
	}
	a.keep("panels", sheet)
}

// The series of a brake, from before it to after it, as one picture.
func TestBrakeSeries(t *testing.T) {
	a := newAlbum(t, "-wait", "gate")
	g, v := a.g, &a.g.values
	d := a.nearVisitor(routes.Route)
	inLoop(t, func() {
		g.showSidebar, g.showLegend, g.showMinimap = false, false, false
		g.choose(overlay.Selection{Kind: overlay.OneCharacter, Spawn: d.Spawn})
		g.cam.GoTo(float64(d.X), float64(d.Y))
		g.cam.Scale, g.cam.goal = 22, 22
		g.dock.Choose(overlay.TickTab)
	})
	a.step("the map over the window", func() {}, func() bool { return g.at.sidebar.Empty() })
	a.point(image.Pt(700, 8))
	a.settled()
	const columns, rows = 2, 3
	size := g.at.screen.Size().Mul(2).Div(4)
	sheet := image.NewRGBA(image.Rect(0, 0, columns*size.X+(columns-1)*6, rows*(size.Y+26)))
	draw.Draw(sheet, sheet.Bounds(), image.NewUniform(color.RGBA{0x10, 0x12, 0x15, 0xFF}), image.Point{}, draw.Src)
	n := 0
	var from time.Time
	frame := func(what string) {
		img := capture(t)
		x, y := n%columns*(size.X+6), n/columns*(size.Y+26)
		xdraw.CatmullRom.Scale(sheet, image.Rect(x, y+24, x+size.X, y+24+size.Y), img, img.Bounds(), draw.Src, nil)
		a.pen.write(sheet, x+4, y+17, fmt.Sprintf("%+.1f s: %s", time.Since(from).Seconds(), what), color.RGBA{0xE6, 0xE8, 0xEB, 0xFF})
		n++
	}
	from = time.Now()
	frame("everybody keeps up")
	inLoop(t, func() {
		g.apply(overlay.Intents{Command: overlay.Command{Kind: overlay.Stall, Spawn: d.Spawn, For: 2500 * time.Millisecond}}, g.now())
	})
	a.step("it falls behind", func() {}, func() bool {
		c, ok := g.source.Character(d.Spawn, false)
		return ok && c.Lag > 2
	})
	frame("one stalls, the world goes on")
	a.step("the brake", func() {}, func() bool { return g.moment.Braking && v.Braking })
	wait(400 * time.Millisecond)
	frame("too far behind: the world brakes")
	wait(900 * time.Millisecond)
	frame("no tick is released, all stand")
	var held loop.Tick
	inLoop(t, func() { held = g.moment.Tick })
	a.step("the brake lifts", func() {}, func() bool { return !g.moment.Braking && g.moment.Tick > held })
	frame("it has caught up: one tick at once")
	wait(1500 * time.Millisecond)
	frame("the next ones as ever, without debt")
	a.keep("brake", sheet)
}

// A map file, when one is given.
func TestPictureOfMap(t *testing.T) {
	if *pictureMap == "" {
		t.Skip("no map file is given: -picture-map FILE")
	}
	a := newAlbum(t, "-map", *pictureMap, "-npcs", "5000", "-wait", "gate")
	a.step("the whole map", a.key("Home"), func() bool { return !a.g.cam.zooming })
	wait(5 * time.Second)
	a.numbered("berlin")
}

// Time made visible: the graph, two runs on two virtual displays compared, the
// lab.
func TestTimePictures(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.capture")
	for i, display := range []string{"60 Hz", "120 Hz"} {
		t.Run(display, func(t *testing.T) {
			if *picturesTo == "" {
				t.Skip("no pictures are wanted: -pictures DIR takes them")
			}
			a := &album{newTour(t, "-wait", "gate", "-seed", "7"), newPen(t, 16)}
			g := a.g
			say := func(line string) {
				t.Helper()
				inLoop(t, func() {
					in, fault := typed(g, line)
					if fault != "" {
						t.Fatalf("%s: %s", line, fault)
					}
					g.apply(in, g.now())
					g.palette.close()
				})
			}
			dock := func(name string) {
				wait(700 * time.Millisecond)
				img := capture(t)
				cut := image.NewRGBA(image.Rectangle{Max: g.at.dock.Size()})
				draw.Draw(cut, cut.Bounds(), img, g.at.dock.Min, draw.Src)
				a.keep(name, cut)
			}
			var only overlay.Sections
			only[overlay.DisplaySection] = true
			inLoop(t, func() { g.panels.SetOpen(only) })
			say("display " + display)
			wait(3 * time.Second)
			slot := overlay.SlotName(i)
			say("capture begin " + slot)
			wait(6 * time.Second)
			say("capture end " + slot)
			if i == 0 {
				say("capture save A " + file)
				say("tick-rate 120")
				wait(4 * time.Second)
				say("frames span 10")
				a.point(image.Pt(g.dock.Lanes().Min.X+g.dock.Lanes().Dx()*45/100, g.dock.Lanes().Min.Y+30))
				dock("graph")
				return
			}
			say("capture load A " + file)
			say("dock compare")
			a.point(image.Pt(g.at.view.Max.X-300, g.at.bar.Min.Y+10))
			wait(2 * time.Second)
			a.numbered("compare")
			say("dock lab")
			say("lab page overload")
			wait(2 * time.Second)
			dock("lab-overload")
			say("lab page loops")
			wait(3 * time.Second)
			dock("lab-loops")
		})
	}
}
