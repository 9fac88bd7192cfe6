package overlay

import (
	"image"

	"chronoscope/loop/frametime"

	"github.com/hajimehoshi/ebiten/v2"
)

// tableColumns is how wide the table's columns are, in device pixels.
type tableColumns struct {
	label           float64
	value, abs, rel [frametime.MaxSlots]float64
	whole           float64
}

// tableGap is the room between columns, in device-independent pixels.
const tableGap = 12

// columns measures the table; without the absolute differences where both don't
// fit.
func (d *Dock) columns(let *Lettering, res *comparison, room float64) tableColumns {
	var c tableColumns
	for i := range res.rows {
		row := &res.rows[i]
		if row.heading {
			continue
		}
		c.label = max(c.label, let.Width(row.label, Small))
		if row.setting {
			continue // fits itself into what there is
		}
		for _, s := range res.slots {
			x := &row.cells[s]
			c.value[s] = max(c.value[s], let.Width(x.value, Small))
			c.abs[s] = max(c.abs[s], let.Width(x.abs, Small))
			c.rel[s] = max(c.rel[s], let.Width(x.rel, Small))
		}
	}
	gap := tableGap * d.unit
	sum := func() float64 {
		w := c.label
		for _, s := range res.slots {
			for _, x := range [...]float64{c.value[s], c.abs[s], c.rel[s]} {
				if x > 0 {
					w += x + gap
				}
			}
		}
		return w
	}
	if c.whole = sum(); c.whole > room {
		c.abs = [frametime.MaxSlots]float64{}
		c.whole = sum()
	}
	if c.whole > room { // the names may be cut, the numbers mustn't
		c.label = max(c.label-(c.whole-room), 40*d.unit)
		c.whole = sum()
	}
	return c
}

// blockGap is the room between two blocks of the table side by side, in
// device-independent pixels.
const blockGap = 40

// drawTable writes the figures and the settings that differ, as many rows as
// fit; across the whole width in two blocks, if there is room for them.
func (d *Dock) drawTable(dst, white *ebiten.Image, let *Lettering, res *comparison, r image.Rectangle) {
	c, u := &d.Compare, d.unit
	line := let.Height(Small) + 2*u
	room := float64(r.Dx()) - 10*u
	col := d.columns(let, res, room)
	blocks := []image.Rectangle{image.Rect(r.Min.X, r.Min.Y, r.Max.X-d.px(10), r.Max.Y)}
	if half := (room - blockGap*u) / 2; d.Compare.View == TableView && col.whole <= half {
		blocks[0].Max.X = r.Min.X + int(half)
		blocks = append(blocks, image.Rect(blocks[0].Max.X+d.px(blockGap), r.Min.Y, blocks[0].Max.X+d.px(blockGap)+int(half), r.Max.Y))
	}
	gap := tableGap * u
	gap += min(max((float64(blocks[0].Dx())-col.whole)/float64(3*len(res.slots)), 0), 16*u)

	head, foot := float64(r.Min.Y)+line+3*u, float64(r.Max.Y)
	if res.noise != "" {
		foot -= line
		let.Draw(dst, let.Fit(res.noise, Small, float64(r.Dx())), float64(r.Min.X), foot+2*u, Small, Faint)
	}
	each := max(int((foot-head)/line), 1)
	c.fits = each * len(blocks)
	c.scroll = min(max(c.scroll, 0), max(len(res.rows)-c.fits, 0))
	d.mesh.Reset()
	if n := len(res.rows); n > c.fits {
		x, top, high := float32(r.Max.X), float32(head), float32(foot-head)
		d.mesh.Rect(x-5*float32(u), top, x, top+high, Backdrop)
		d.mesh.Rect(x-5*float32(u), top+high*float32(c.scroll)/float32(n), x, top+high*float32(c.scroll+c.fits)/float32(n), grip0)
	}
	for _, b := range blocks {
		x0, y0, x1, _ := edges(b)
		y := y0 + float32(line+u)
		d.mesh.Rect(x0, y, x1, y+max(float32(u), 1), Line)
		for _, s := range res.slots {
			x := col.end(b, res, s, gap) - let.Width(SlotName(s), Strong) - 9*u
			slotShape(&d.mesh, s, float32(x), y0+float32(line/2), 4*float32(u))
		}
	}
	d.mesh.Draw(dst, white)
	for k, b := range blocks {
		d.writeTableHead(dst, let, res, b, &col, gap)
		first := c.scroll + k*each
		for i := range max(min(each, len(res.rows)-first), 0) {
			d.writeRow(dst, let, res, &res.rows[first+i], b, &col, head+float64(i)*line, gap)
		}
	}
}

// end is where a slot's values end.
func (c *tableColumns) end(r image.Rectangle, res *comparison, slot int, gap float64) float64 {
	x := float64(r.Min.X) + c.label
	for _, s := range res.slots {
		x += gap + c.value[s]
		if s == slot {
			break
		}
		for _, w := range [...]float64{c.abs[s], c.rel[s]} {
			if w > 0 {
				x += gap + w
			}
		}
	}
	return x
}

// writeTableHead writes the slots over their columns.
func (d *Dock) writeTableHead(dst *ebiten.Image, let *Lettering, res *comparison, r image.Rectangle, col *tableColumns, gap float64) {
	for k, s := range res.slots {
		end := col.end(r, res, s, gap)
		let.DrawRight(dst, SlotName(s), end, float64(r.Min.Y)-d.unit, Strong, slotInk[s])
		if k == 0 {
			continue
		}
		w := col.abs[s]
		if w == 0 {
			w = col.rel[s]
		}
		title := SlotName(s) + " - " + SlotName(res.slots[0])
		let.DrawRight(dst, title, end+gap+max(w, let.Width(title, Small)), float64(r.Min.Y)+d.unit, Small, Faint)
	}
}

// writeRow writes a line of the table at a height.
func (d *Dock) writeRow(dst *ebiten.Image, let *Lettering, res *comparison, row *compareRow, r image.Rectangle, col *tableColumns, y, gap float64) {
	left := float64(r.Min.X)
	if row.heading {
		let.Draw(dst, row.label, left, y, Small, Ink)
		return
	}
	let.Draw(dst, let.Fit(row.label, Small, col.label), left, y, Small, Faint)
	if row.setting {
		// Texts share the width evenly: their columns are nothing to the figures.
		from := left + col.label + gap
		each := (float64(r.Max.X) - from) / float64(len(res.slots))
		for k, s := range res.slots {
			x := from + float64(k)*each
			name := SlotName(s) + " "
			x = let.Draw(dst, name, x, y, Small, slotInk[s])
			ink := Ink
			if k > 0 && row.cells[s].value == row.cells[res.slots[0]].value {
				ink = Faint
			}
			let.Draw(dst, let.Fit(row.cells[s].value, Small, each-gap-let.Width(name, Small)), x, y, Small, ink)
		}
		return
	}
	for _, s := range res.slots {
		cell := &row.cells[s]
		x := col.end(r, res, s, gap)
		let.DrawRight(dst, cell.value, x, y, Small, Ink)
		ink := Signal
		if cell.noise {
			ink = Resting
		}
		for _, p := range [...]struct {
			text string
			w    float64
		}{{cell.abs, col.abs[s]}, {cell.rel, col.rel[s]}} {
			if p.w > 0 {
				x += gap + p.w
				let.DrawRight(dst, p.text, x, y, Small, ink)
			}
		}
	}
}
