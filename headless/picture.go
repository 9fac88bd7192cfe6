package main

import (
	"io"
	"math"
	"sort"

	"gonum.org/v1/plot"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// pictureWidth is how wide pictures are, in pixels.
const pictureWidth = 1600

// A panel is a part of a picture: a *plot.Plot, a *table.
type panel interface{ Draw(draw.Canvas) }

// A picture is a grid of plots with a head, as one PNG.
type picture struct {
	title string
	lines []string // below it
	keys  []key    // what the strokes mean that several plots share
	rows  []pictureRow
	notes []string // at the foot: what was measured, and how
}

// A key says what a stroke stands for.
type key struct {
	stroke int
	text   string
}

// A pictureRow is a row of panels side by side, of a height in pixels. shares
// are their widths in relation to each other; nil: all the same.
type pictureRow struct {
	height vg.Length
	panels []panel
	shares []float64
}

const (
	pictureMargin = 26
	panelGap      = 18 // between panels
	panelInset    = 12 // from a panel's edge to what is in it
	lineGap       = 8
)

// encode draws the picture and writes it as a PNG.
func (p *picture) encode(w io.Writer) error {
	// At 72 dots to the inch a point is a pixel.
	c := vgimg.NewWith(vgimg.UseWH(pictureWidth, p.height()), vgimg.UseDPI(72), vgimg.UseBackgroundColor(groundColor))
	dc := draw.New(c)
	y := dc.Max.Y - pictureMargin
	put := func(s text.Style, x vg.Length, line string) {
		s.YAlign = draw.YCenter
		dc.FillText(s, vg.Point{X: x, Y: y - s.Font.Size/2}, line)
	}
	title, line := textStyle(titleSize, inkColor, true), textStyle(textSize, faintColor, false)
	put(title, pictureMargin, fitted(p.title, title, pictureWidth-2*pictureMargin))
	y -= titleSize + lineGap
	for _, s := range p.lines {
		put(keyStyle(), pictureMargin, fitted(s, line, pictureWidth-2*pictureMargin))
		y -= textSize + lineGap
	}
	for _, row := range p.keyRows() {
		for _, k := range row {
			middle := y - textSize/2 - 2 // of the small letters
			dc.StrokeLine2(strokeOf(k.stroke).line(strongWidth+1), k.x, middle, k.x+keyStroke, middle)
			put(keyStyle(), k.x+keyStroke+keyGap, k.text)
		}
		y -= textSize + lineGap
	}
	for _, r := range p.rows {
		y -= panelGap
		r.draw(draw.Crop(dc, pictureMargin, -pictureMargin, y-r.height-dc.Min.Y, y-dc.Max.Y))
		y -= r.height
	}
	y -= panelGap
	for _, s := range p.notes {
		put(line, pictureMargin, fitted(s, line, pictureWidth-2*pictureMargin))
		y -= textSize + lineGap
	}
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(w)
	return err
}

// height is what all of it takes.
func (p *picture) height() vg.Length {
	lines := len(p.lines) + len(p.keyRows()) + len(p.notes)
	h := vg.Length(2*pictureMargin + titleSize + lineGap + lines*(textSize+lineGap) + panelGap)
	for _, r := range p.rows {
		h += panelGap + r.height
	}
	return h
}

// A placedKey is a key with its left edge and what of its text fits.
type placedKey struct {
	key
	x vg.Length
}

func keyStyle() text.Style { return textStyle(textSize, inkColor, false) }

const (
	keyStroke = 56 // how long the sample of a stroke is
	keyGap    = 12
)

// keyRows puts the keys side by side, in as few rows as they need.
func (p *picture) keyRows() (rows [][]placedKey) {
	const room = pictureWidth - pictureMargin
	x := vg.Length(room) // the first key begins a row
	for _, k := range p.keys {
		k.text = fitted(k.text, keyStyle(), room-pictureMargin-keyStroke-keyGap)
		w := keyStroke + keyGap + keyStyle().Width(k.text)
		if x+w > room {
			rows, x = append(rows, nil), pictureMargin
		}
		last := len(rows) - 1
		rows[last] = append(rows[last], placedKey{k, x})
		x += w + 3*keyGap
	}
	return rows
}

// fitted is a text, cut off with dots where it is too long for the room.
func fitted(s string, style text.Style, room vg.Length) string {
	if style.Width(s) <= room {
		return s
	}
	runes := []rune(s)
	n := sort.Search(len(runes), func(n int) bool { return style.Width(string(runes[:n+1])+"...") > room })
	return string(runes[:n]) + "..."
}

// leftMargin is where every plot's data begins that stands at the left, so that
// one time axis lies above the other.
const leftMargin = 112

func (r *pictureRow) draw(c draw.Canvas) {
	total := 0.0
	share := func(i int) float64 {
		if i < len(r.shares) {
			return r.shares[i]
		}
		return 1
	}
	for i := range r.panels {
		total += share(i)
	}
	room := c.Size().X - vg.Length(len(r.panels)-1)*panelGap
	x := c.Min.X
	for i, p := range r.panels {
		w := room * vg.Length(share(i)/total)
		cell := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: x, Y: c.Min.Y}, Max: vg.Point{X: x + w, Y: c.Max.Y}}}
		x += w + panelGap
		cell.FillPolygon(surfaceColor, []vg.Point{cell.Min, {X: cell.Min.X, Y: cell.Max.Y}, cell.Max, {X: cell.Max.X, Y: cell.Min.Y}})
		cell = draw.Crop(cell, panelInset, -panelInset-6, panelInset, -panelInset)
		if q, ok := p.(interface {
			DataCanvas(draw.Canvas) draw.Canvas
		}); ok && i == 0 {
			taken := q.DataCanvas(cell).Min.X - cell.Min.X
			cell = draw.Crop(cell, max(0, leftMargin-panelInset-taken), 0, 0, 0)
		}
		if q, ok := p.(*plot.Plot); ok {
			drawPlot(q, cell)
		} else {
			p.Draw(cell)
		}
	}
}

// drawPlot draws a plot, with the name of a logarithmic vertical axis in its
// middle. The plot would draw it there too, but leave room for it as if the
// middle were that of a linear axis.
func drawPlot(p *plot.Plot, c draw.Canvas) {
	name, style := p.Y.Label.Text, p.Y.Label.TextStyle
	if _, log := p.Y.Scale.(logScale); !log || name == "" {
		p.Draw(c)
		return
	}
	p.Y.Label.Text = ""
	defer func() { p.Y.Label.Text = name }()
	height, descent := style.Height(name), style.FontExtents().Descent
	rest := draw.Crop(c, height+p.Y.Label.Padding, 0, 0, 0)
	p.Draw(rest)
	data := p.DataCanvas(rest)
	style.Rotation += math.Pi / 2
	c.FillText(style, vg.Point{X: c.Min.X + height - descent, Y: data.Center().Y}, name)
}

// save draws the picture into a file that openWhole has seen to: all of it or
// nothing.
func (p *picture) save(t *target) error {
	return t.fill(p.encode)
}

// fill makes the file's content and gives it its name; on an error there is
// nothing left of it.
func (t *target) fill(write func(io.Writer) error) error {
	if err := t.begin(); err != nil {
		return err
	}
	if err := write(t.file); err != nil {
		t.abandon()
		return bare(err)
	}
	err := t.finish()
	if err != nil {
		t.abandon()
	}
	return err
}
