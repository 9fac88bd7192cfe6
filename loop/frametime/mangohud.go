package frametime

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// MangoHud logs a table of machine facts and one of frames. frametime is in
// milliseconds, in logs of old versions in microseconds; elapsed in nanoseconds
// since the log began.
const (
	mangoFacts  = "os,cpu,gpu,ram,kernel,driver,cpuscheduler"
	mangoHeader = "fps,frametime,cpu_load,cpu_power,gpu_load,cpu_temp,gpu_temp,gpu_core_clock,gpu_mem_clock,gpu_vram_used,gpu_power,ram_used,swap_used,process_rss,cpu_mhz,elapsed"
)

// mangoMicros is the product of fps and frametime that divides milliseconds
// (1,000) from microseconds (1,000,000), and mangoMicrosAlone the median
// frametime that does it without fps: 2 frames a second or 2,000.
const mangoMicros, mangoMicrosAlone = 31_623, 500

// WriteMangoHud writes the frames that a capture's figures are of as a MangoHud
// log. What MangoHud measures and this program doesn't is 0.
func WriteMangoHud(w io.Writer, c *Capture) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s\n%s,,%s,,,,\n%s\n", mangoFacts, csvText(c.Meta.OS), csvText(c.Meta.Renderer), mangoHeader)
	used := c.Meta.Rules.Select(c.Frames).Used
	for i := range used {
		f := &used[i]
		fps := 0.0
		if d := f.Interval(); d > 0 {
			fps = 1 / d.Seconds()
		}
		fmt.Fprintf(b, "%.4f,%s,0,0,0,0,0,0,0,0,0,0,0,0,0,%d\n", fps, fixed(f.Next-f.Layout, 6), f.Next-used[0].Layout)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("frametime: %w", err)
	}
	return nil
}

// csvText is a text that needs no quotes in a table.
func csvText(s string) string { return strings.NewReplacer(",", " ", "\"", "'").Replace(oneLine(s)) }

// fixed writes n/10^places exactly: nanoseconds as milliseconds (6) or
// microseconds (3) or seconds (9).
func fixed(n int64, places int) string {
	sign, u := "", uint64(n)
	if n < 0 {
		sign, u = "-", -u
	}
	s := fmt.Sprintf("%0*d", places+1, u)
	return sign + s[:len(s)-places] + "." + s[len(s)-places:]
}

// mangoHud reads on after the header.
func (t *table) mangoHud(before [][]string) (*Capture, error) {
	c := &Capture{Meta: Meta{Source: "MangoHud"}}
	c.mangoFacts(before)
	var times, products []float64
	var elapsed []float64 // 0: unknown
	err := t.rows(func(row []string) error {
		v, ok, err := t.number(row, "frametime")
		if err != nil {
			return err
		}
		if _, sane := nanos(v, 1e3); !ok || !sane {
			t.without++
			return nil
		}
		fps, ok, err := t.number(row, "fps")
		if err != nil {
			return err
		}
		at, _, err := t.number(row, "elapsed")
		if err != nil {
			return err
		}
		times, elapsed = append(times, v), append(elapsed, at)
		if ok && fps > 0 && v > 0 {
			products = append(products, fps*v)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	unit := 1e6
	if median(products) > mangoMicros || len(products) == 0 && median(times) > mangoMicrosAlone {
		unit = 1e3
		c.Meta.note("frame times were in microseconds")
	}
	at := int64(0)
	for _, v := range times {
		d, ok := nanos(v, unit)
		if !ok {
			t.without++
			continue
		}
		c.Frames = append(c.Frames, Frame{Layout: at, Next: at + d, Flags: NoStamps})
		at += d
	}
	// With an interval set MangoHud logs every so often, and not every frame.
	if n := len(elapsed); n > 1 && elapsed[n-1]-elapsed[0] > 1.5*float64(at) {
		c.Meta.note("the log holds samples, not every frame: %v of frames in %v", time.Duration(at).Round(time.Millisecond), time.Duration(elapsed[n-1]-elapsed[0]).Round(time.Millisecond))
	}
	return t.finish(c)
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(v))
	return s[len(s)/2]
}

// mangoFacts takes over the table of machine facts, if there is one.
func (c *Capture) mangoFacts(before [][]string) {
	for i, row := range before {
		if i+1 >= len(before) || len(row) == 0 || strings.ToLower(strings.TrimSpace(row[0])) != "os" {
			continue
		}
		for k, name := range row {
			if k >= len(before[i+1]) || before[i+1][k] == "" {
				continue
			}
			name, value := strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(before[i+1][k])
			switch name {
			case "os":
				c.Meta.OS = value
			case "gpu":
				c.Meta.Renderer = value
			default:
				c.Meta.Settings = append(c.Meta.Settings, Setting{name, value})
			}
		}
		return
	}
}
