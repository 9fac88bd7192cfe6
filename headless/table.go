package main

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A table is rows of texts, the first of them the header and the first column
// names.
type table struct {
	title string
	rows  [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// Draw draws the table into the whole canvas, in smaller rows when there are
// many. Figures stand at the right of their column.
func (t *table) Draw(c draw.Canvas) {
	head := textStyle(headSize, inkColor, true)
	head.XAlign, head.YAlign = draw.XCenter, draw.YTop
	c.FillText(head, vg.Point{X: c.Center().X, Y: c.Max.Y}, t.title)
	y := c.Max.Y - headSize - lineGap - 6
	if len(t.rows) == 0 {
		return
	}
	pitch := min((y-c.Min.Y)/vg.Length(len(t.rows)), textSize+lineGap+4)
	name, figure := textStyle(tickSize, faintColor, false), textStyle(tickSize, inkColor, false)
	name.YAlign, figure.YAlign, figure.XAlign = draw.YCenter, draw.YCenter, draw.XRight
	columns := len(t.rows[0]) - 1
	widest := vg.Length(0)
	for _, r := range t.rows {
		widest = max(widest, name.Width(r[0]))
	}
	widest = min(widest, c.Size().X/2)
	each := (c.Size().X - widest) / vg.Length(max(columns, 1))
	for i, r := range t.rows {
		middle := y - pitch/2
		if i > 0 {
			c.StrokeLine2(draw.LineStyle{Color: gridColor, Width: 1}, c.Min.X, y, c.Max.X, y)
		}
		c.FillText(name, vg.Point{X: c.Min.X, Y: middle}, fitted(r[0], name, widest))
		for k, s := range r[1:] {
			style := figure
			if i == 0 {
				style = textStyle(tickSize, inkColor, true)
				style.YAlign, style.XAlign = draw.YCenter, draw.XRight
				if k < len(t.rows[0])-1 && len(s) == 1 {
					style.Color = strokeOf(k).color
				}
			}
			c.FillText(style, vg.Point{X: c.Min.X + widest + each*vg.Length(k+1), Y: middle}, fitted(s, style, each))
		}
		y -= pitch
	}
}
