package game

import (
	"image"

	"chronoscope/overlay"

	"github.com/hajimehoshi/ebiten/v2"
)

// keyRows is the list of keys, as F1 shows it.
var keyRows = [...][2]string{
	{"drag, arrows, W A S D", "move the map"},
	{"wheel, Page Up, Page Down", "zoom, from x1/16 to x16"},
	{"Home", "the whole map"},
	{"click, Enter", "select who or what is there, again: the next, Esc: nothing"},
	{"N, Shift N", "select the next in view, the one before"},
	{"C, F", "go to the selection, follow it"},
	{"double click, P", "pin or unpin the zone under the pointer"},
	{"R, then click or Enter", "send the selected one there"},
	{"T, O, X", "the selected one: stall 500 ms, stay 600 ticks, drop its plan"},
	{"E, E", "end the selected one"},
	{"1 to 8", "layers of the map"},
	{"Space", "pause, resume"},
	{".  and  ,", "one tick, ten ticks"},
	{"+  and  -", "faster, slower"},
	{"0", "speed x1"},
	{"[  and  ]", "tick rate down, up"},
	{"<  and  >", "lag threshold down, up"},
	{"B", "go to who holds the world"},
	{"V", "VSync on, off"},
	{"Tab", "panels"},
	{"H", "frame times"},
	{"L, M", "legend, minimap"},
	{"F1", "this list"},
}

// drawHelp draws the list of keys over the middle of the view.
func drawHelp(dst, white *ebiten.Image, mesh *overlay.Mesh, let *overlay.Lettering, view image.Rectangle) {
	u := let.Scale()
	left, right := 0.0, 0.0
	for _, r := range keyRows {
		left = max(left, let.Width(r[0], overlay.Strong))
		right = max(right, let.Width(r[1], overlay.Body))
	}
	w, h := left+right+76*u, (float64(len(keyRows))*22+58)*u
	x := float64(view.Min.X) + (float64(view.Dx())-w)/2
	y := max(float64(view.Min.Y)+(float64(view.Dy())-h)/2, float64(view.Min.Y))
	box := image.Rect(int(x), int(y), int(x+w), int(y+h))
	fill(mesh, box, overlay.Alpha(overlay.Surface, 0.96))
	mesh.Frame(float32(box.Min.X), float32(box.Min.Y), float32(box.Max.X), float32(box.Max.Y), 1, overlay.Line)
	mesh.Draw(dst, white)
	mesh.Reset()
	let.Draw(dst, "Keys", x+24*u, y+16*u, overlay.Large, overlay.Ink)
	for i, r := range keyRows {
		ry := y + (46+float64(i)*22)*u
		let.Draw(dst, r[0], x+24*u, ry, overlay.Strong, overlay.Ink)
		let.Draw(dst, r[1], x+left+52*u, ry, overlay.Body, overlay.Faint)
	}
}
