package overlay

import (
	"fmt"
	"time"

	"chronoscope/loop"

	"github.com/ebitengine/debugui"
)

func (p *Panels) timePanel(ctx *debugui.Context, v *Values, in *Intents, scale int) {
	p.caption(ctx, timeSection, "how fast game time runs",
		"The coordinator releases one tick after the other at the tick rate times the speed. "+
			"Nothing here is part of the world's result: it is the same at any rate.")

	ctx.SetGridLayout([]int{118, -1}, nil)
	ctx.Text("tick rate per s")
	if want := p.rate.show(ctx, v.Pacing.TickRate, scale); want.Valid() {
		in.Pace(v).TickRate = want
	}
	ctx.SetGridLayout([]int{-1, -1, -1, -1}, nil)
	ctx.Button("30").On(func() { in.Pace(v).TickRate = loop.Hz(30) })
	ctx.Button("59.94").On(func() { in.Pace(v).TickRate = NTSC() })
	ctx.Button("60").On(func() { in.Pace(v).TickRate = loop.Hz(60) })
	ctx.Button("120").On(func() { in.Pace(v).TickRate = loop.Hz(120) })

	rows(ctx)
	actual := "-"
	if v.Actual > 0 && !v.Paused {
		actual = PerSecond(v.Actual) + " per s"
	}
	row(ctx, "measured", actual)
	row(ctx, "tick", Thousands(uint64(v.Tick)))

	ctx.SetGridLayout([]int{118, -1, -1, -1}, nil)
	ctx.Text("speed " + Factor(v.Pacing.TimeScale))
	ctx.Button("slower").On(func() { in.Pace(v).TimeScale = NextScale(v.Pacing.TimeScale, -1) })
	ctx.Button("x1").On(func() { in.Pace(v).TimeScale = 1 })
	ctx.Button("faster").On(func() { in.Pace(v).TimeScale = NextScale(v.Pacing.TimeScale, +1) })

	ctx.SetGridLayout([]int{-1, -1, -1}, nil)
	label := "pause"
	if v.Paused {
		label = "resume"
	}
	ctx.Button(label).On(func() { in.TogglePause = true })
	ctx.Button("step").On(func() { in.Step = 1 })
	ctx.Button("step 10").On(func() { in.Step = 10 })
}

// laggardRows is how many laggards the panel lists.
const laggardRows = 6

func (p *Panels) brakePanel(ctx *debugui.Context, v *Values, in *Intents) {
	p.caption(ctx, brakeSection, "the world waits for who lags",
		"An active character that is more than the threshold behind the global tick holds the world: "+
			"no tick is released until it has caught up.")

	p.threshold = min(max(v.Pacing.LagThreshold, MinThreshold), MaxThreshold)
	ctx.SetGridLayout([]int{118, -1, 24, 24}, nil)
	ctx.Text("threshold, ticks")
	ctx.Slider(&p.threshold, MinThreshold, MaxThreshold, 1).On(func() { in.Pace(v).LagThreshold = p.threshold })
	ctx.Button("-").On(func() { in.Pace(v).LagThreshold = max(MinThreshold, p.threshold-1) })
	ctx.Button("+").On(func() { in.Pace(v).LagThreshold = min(MaxThreshold, p.threshold+1) })

	rows(ctx)
	state := "released"
	if v.Braking {
		state = "BRAKING"
	}
	row(ctx, "now", state)
	row(ctx, "time braked", Percent(v.BrakeShare))
	row(ctx, "brakes so far", Thousands(v.Episodes))

	if len(v.Laggards) == 0 {
		ctx.SetGridLayout([]int{-1}, nil)
		ctx.Text("no laggards")
		return
	}
	ctx.SetGridLayout([]int{-2, -3, -1}, nil)
	n := min(len(v.Laggards), laggardRows)
	ctx.Loop(n, func(i int) {
		l := v.Laggards[i]
		if l.Placed {
			ctx.Button(l.Name).On(func() { in.GoTo, in.HasGoTo = l.Spawn, true })
		} else {
			ctx.Text(l.Name)
		}
		ctx.Text(Behind(l.Lag))
		ctx.Text(Span(l.For))
	})
	if more := v.LaggardCount - n; more > 0 {
		ctx.SetGridLayout([]int{-1}, nil)
		ctx.Text("and " + Count(more) + " more")
	}
}

func (p *Panels) displayPanel(ctx *debugui.Context, v *Values, in *Intents) {
	p.caption(ctx, displaySection, "how pictures reach the screen",
		"With VSync a frame waits for the display's next refresh. The refresh is estimated: "+
			"the median of the last 120 frame intervals.")
	ctx.SetGridLayout([]int{-1}, nil)
	vsync := v.VSync
	ctx.Checkbox(&vsync, "VSync").On(func() { in.ToggleVSync = true })
	rows(ctx)
	fps := "-"
	if v.FPS > 0 && !v.Paused {
		fps = PerSecond(v.FPS) + " per s"
	}
	row(ctx, "frames", fps)
	row(ctx, "frame interval", refreshText(v.Refresh))
	row(ctx, "window", fmt.Sprintf("%d x %d px, scale %.3g", v.Width, v.Height, v.Scale))
}

func refreshText(d time.Duration) string {
	if d <= 0 {
		return "measuring"
	}
	return Millis(d) + " ms, " + PerSecond(1/d.Seconds()) + " Hz"
}

func (p *Panels) worldPanel(ctx *debugui.Context, v *Values) {
	p.caption(ctx, worldSection, "who lives here",
		"Each character is a goroutine. In an active zone it runs every tick; elsewhere it sleeps "+
			"until its next activity, and is drawn where its leg puts it.")
	rows(ctx)
	c := v.Characters
	row(ctx, "characters", Count(c.Living()))
	row(ctx, "active", Count(c.Active))
	row(ctx, "sleeping", Count(c.Sleeping))
	row(ctx, "waking", Count(c.Waking))
	row(ctx, "ended", Count(c.Ended))
	zones := "none: click the map"
	if v.Zones > 0 {
		zones = Count(v.Zones) + ", pinned " + Count(v.Pinned)
	}
	row(ctx, "active zones", zones)
	row(ctx, "legs started", Thousands(v.Legs))
	row(ctx, "map", v.Map)
	row(ctx, "size", fmt.Sprintf("%d x %d cells", v.MapWidth, v.MapHeight))
	row(ctx, "zone side", fmt.Sprintf("%d cells", v.Setup.ZoneSide))
	row(ctx, "seed", Thousands(v.Setup.Seed))
}
