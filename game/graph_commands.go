package game

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"chronoscope/overlay"
	"chronoscope/world/scenario"
)

// graphAccepted is what the command of the graph takes.
const graphAccepted = "span 2, 10 or 60 (seconds); axis auto, log2 or a time as 50ms; curves on or off; pin -1, 0 or 1 (the frame before, the newest, the next), unpin"

// graphCommand is the command of the graph of frame times.
func (g *Game) graphCommand() command {
	d := &g.dock
	value := fmt.Sprintf("%v, axis %v", d.Graph.Span, d.Graph.Axis)
	if d.Graph.Span == 0 {
		value = fmt.Sprintf("%v, axis %v", overlay.DefaultGraphSpan, d.Graph.Axis)
	}
	return command{name: "frames", help: "how the graph of frame times is shown", accepted: graphAccepted,
		words: []string{"span", "axis", "curves", "pin", "unpin"}, value: value, setting: true,
		run: func(args string, _ *overlay.Intents) error {
			what, rest, _ := strings.Cut(args, " ")
			rest = strings.TrimSpace(rest)
			refused := fmt.Errorf("frames %s: accepted are %s", args, graphAccepted)
			switch what {
			case "span":
				n, err := strconv.Atoi(strings.TrimSuffix(rest, "s"))
				span := time.Duration(n) * time.Second
				if err != nil || span != overlay.GraphSpans[0] && span != overlay.GraphSpans[1] && span != overlay.GraphSpans[2] {
					return refused
				}
				d.SetSpan(span)
			case "axis":
				switch rest {
				case overlay.AutoAxis.String():
					d.SetAxis(overlay.AutoAxis, 0)
				case overlay.LogAxis.String():
					d.SetAxis(overlay.LogAxis, 0)
				default:
					var top time.Duration
					if (&scenario.Duration{P: &top, Min: overlay.MinGraphTop, Max: overlay.MaxGraphTop}).Set(rest) != nil {
						return refused
					}
					d.SetAxis(overlay.FixedAxis, top)
				}
			case "curves":
				want, err := parseOn("frames curves", rest, d.Graph.Curves)
				if err != nil {
					return err
				}
				d.Graph.Curves = want
				d.Refresh()
			case "pin":
				n, err := strconv.Atoi(rest)
				if rest == "" {
					n, err = 0, nil
				}
				if err != nil || n < -1 || n > 1 {
					return refused
				}
				if n == 0 {
					d.Graph.Unpin()
				}
				d.Graph.PinNext(&g.rec.Recording, n)
			case "unpin":
				d.Graph.Unpin()
			default:
				return refused
			}
			g.showDock = true
			d.Choose(overlay.FrameTab)
			return nil
		}}
}
