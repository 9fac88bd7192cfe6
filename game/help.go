package game

import (
	"image"
	"strings"

	"chronoscope/overlay"

	"github.com/hajimehoshi/ebiten/v2"
)

// keyGroup is a part of the list of keys.
type keyGroup struct {
	title string
	rows  [][2]string // a key, what it does
}

// keyGroups is the list of keys, as F1 shows it: two columns.
var keyGroups = [2][]keyGroup{
	{
		{"Map", [][2]string{
			{"drag, arrows, W A S D", "move the map"},
			{"wheel, Page Up / Down", "zoom"},
			{"Home", "the whole map"},
			{"1 to 8", "layers"},
			{"M", "minimap"},
		}},
		{"Selection", [][2]string{
			{"click, Enter", "select what is pointed at"},
			{"N, Shift + N", "next, previous"},
			{"G", "go to a spawn number"},
			{"F", "follow"},
			{"C", "centre"},
			{"P, double click", "pin the zone, or let it go"},
			{"R", "reroute to the next click"},
			{"T", "stall for 500 ms"},
			{"O, X", "hold, cancel"},
			{"E E", "end its life"},
			{"Esc", "let go"},
		}},
	},
	{
		{"Time", [][2]string{
			{"Space", "pause, resume"},
			{".  and  ,", "one tick, ten ticks"},
			{"+  and  -", "faster, slower"},
			{"0", "speed x1"},
			{"[  and  ]", "tick rate down, up"},
			{"<  and  >", "lag threshold down, up"},
			{"B", "go to who holds the world"},
		}},
		{"Window", [][2]string{
			{"/, Ctrl + K", "command line: everything else"},
			{"J", "dock: frames, passages, ticks, ..."},
			{"H", "dock"},
			{"Tab", "panels"},
			{"F2, then Tab, Enter, Esc", "the controls of the panels"},
			{"L", "legend"},
			{"V", "VSync"},
			{"F1", "this list"},
		}},
	},
}

// The list of keys, in device-independent pixels.
const (
	helpRow   = 20
	helpTitle = 28 // of a group
)

// helpHeight is how high a column is.
func helpHeight(groups []keyGroup) float64 {
	h := 0.0
	for _, g := range groups {
		h += helpTitle + helpRow*float64(len(g.rows))
	}
	return h
}

// drawHelp draws the list of keys over the middle of the window.
func drawHelp(dst, white *ebiten.Image, mesh *overlay.Mesh, let *overlay.Lettering, window image.Rectangle) {
	u := let.Scale()
	var left, right [2]float64
	w, h := 24*u, 0.0
	for i, groups := range keyGroups {
		for _, g := range groups {
			for _, r := range g.rows {
				left[i] = max(left[i], let.Width(r[0], overlay.Strong))
				right[i] = max(right[i], let.Width(r[1], overlay.Body))
			}
		}
		w += left[i] + 20*u + right[i] + 28*u
		h = max(h, helpHeight(groups)*u)
	}
	h += 64 * u
	x := float64(window.Min.X) + max((float64(window.Dx())-w)/2, 0)
	y := float64(window.Min.Y) + max((float64(window.Dy())-h)/2, 0)
	box := image.Rect(int(x), int(y), int(x+w), int(y+h))
	fill(mesh, box, overlay.Alpha(overlay.Surface, 0.97))
	mesh.Frame(float32(box.Min.X), float32(box.Min.Y), float32(box.Max.X), float32(box.Max.Y), 1, overlay.Line)
	mesh.Draw(dst, white)
	mesh.Reset()
	end := let.Draw(dst, "Keys", x+24*u, y+16*u, overlay.Large, overlay.Ink)
	let.Draw(dst, "/ does everything else;  F1 or Esc closes this", end+16*u, y+18*u, overlay.Body, overlay.Faint)
	x += 24 * u
	for i, groups := range keyGroups {
		ry := y + 44*u
		for _, g := range groups {
			let.Draw(dst, g.title, x, ry+8*u, overlay.Strong, overlay.Signal)
			ry += helpTitle * u
			for _, r := range g.rows {
				let.Draw(dst, r[0], x, ry, overlay.Strong, overlay.Ink)
				let.Draw(dst, r[1], x+left[i]+20*u, ry, overlay.Body, overlay.Faint)
				ry += helpRow * u
			}
		}
		x += left[i] + 20*u + right[i] + 28*u
	}
}

// welcomeLines are what a first start says: what one sees, what to try.
var welcomeLines = [...]string{
	"Each mark is a character and a goroutine of its own: orange ones run every tick, blue and grey ones sleep.",
	"Click a zone to see who passes it when; P pins it, and whoever is there wakes up. Click a character to see its way.",
	"T stalls the selected one for half a second: the world waits for it. / lists all there is to do, F1 the keys.",
}

// drawWelcome draws the card of a first start over the middle of the view.
func (g *Game) drawWelcome(screen *ebiten.Image) {
	u, view := g.device, g.at.view
	w := float64(view.Dx()) - 24*u
	widest := g.let.Width("Chronoscope", overlay.Large)
	for _, s := range welcomeLines {
		widest = max(widest, g.let.Width(s, overlay.Body))
	}
	w = min(w, widest+48*u)
	// Lines that don't fit are broken in two.
	var lines []string
	for _, s := range welcomeLines {
		lines = append(lines, g.wrap(s, w-48*u)...)
	}
	h := (78 + 20*float64(len(lines))) * u
	x, y := float64(view.Min.X)+(float64(view.Dx())-w)/2, float64(view.Min.Y)+(float64(view.Dy())-h)/3
	box := image.Rect(int(x), int(y), int(x+w), int(y+h))
	g.mesh.Reset()
	fill(&g.mesh, box, overlay.Alpha(overlay.Surface, 0.95))
	g.mesh.Frame(float32(box.Min.X), float32(box.Min.Y), float32(box.Max.X), float32(box.Max.Y), 1, overlay.Signal)
	g.mesh.Draw(screen, g.white)
	g.mesh.Reset()
	g.let.Draw(screen, "Chronoscope", x+24*u, y+14*u, overlay.Large, overlay.Ink)
	y += 42 * u
	for _, s := range lines {
		g.let.Draw(screen, s, x+24*u, y, overlay.Body, overlay.Ink)
		y += 20 * u
	}
	g.let.Draw(screen, "any key or click closes this", x+24*u, y+8*u, overlay.Small, overlay.Faint)
}

// wrap breaks s at spaces into lines that fit a width in device pixels. A single
// word that is wider stays whole.
func (g *Game) wrap(s string, width float64) []string {
	var lines []string
	for g.let.Width(s, overlay.Body) > width {
		cut := len(s)
		for cut > 0 && g.let.Width(s[:cut], overlay.Body) > width {
			i := strings.LastIndexByte(s[:cut], ' ')
			if i <= 0 {
				break
			}
			cut = i
		}
		if cut == len(s) {
			break
		}
		lines = append(lines, s[:cut])
		s = s[cut+1:]
	}
	return append(lines, s)
}
