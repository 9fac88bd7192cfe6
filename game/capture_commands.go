package game

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/overlay"
)

// slotNames are "A" to "D".
func slotNames() []string {
	var list []string
	for i := range frametime.MaxSlots {
		list = append(list, overlay.SlotName(i))
	}
	return list
}

// lastSlot is "D".
func lastSlot() string { return overlay.SlotName(frametime.MaxSlots - 1) }

// slotOf reads a slot's name and gives what follows it.
func slotOf(s string) (slot int, rest string, ok bool) {
	name, rest, _ := strings.Cut(s, " ")
	slot = slices.Index(slotNames(), strings.ToUpper(name))
	return slot, strings.TrimSpace(rest), slot >= 0
}

// exports are the formats that a capture can be written in for other programs.
var exports = [...]struct {
	name string
	kind overlay.CaptureKind
}{
	{"mangohud", overlay.ExportMangoHud}, {"presentmon", overlay.ExportPresentMon}, {"trace", overlay.ExportTrace},
}

// captureCommands are what can be done with captures and with what frames are
// shown on.
func (g *Game) captureCommands() []command {
	slots := "A to " + lastSlot()
	const file = ", then a file's name"
	// files: 0 none may follow, 1 one may, 2 one must.
	order := func(verb, help, accepted string, kind overlay.CaptureKind, files int) command {
		name := "capture " + verb
		return command{name: name, help: help, accepted: accepted, words: slotNames(),
			run: func(args string, in *overlay.Intents) error {
				slot, path, ok := slotOf(args)
				if !ok || files == 0 && path != "" || files == 2 && path == "" {
					return fmt.Errorf("%s %s: accepted are %s", name, args, accepted)
				}
				in.Capture = overlay.CaptureOrder{Kind: kind, Slot: slot, Path: path}
				return nil
			}}
	}
	return []command{
		order("begin", "capture frame times into a slot from now on", slots, overlay.BeginCapture, 0),
		order("end", "end a capture that is under way", slots, overlay.EndCapture, 0),
		order("hold", "hold what the graph of frame times shows", slots, overlay.HoldCapture, 0),
		order("save", "write a capture to a file, without loss", slots+file+" or nothing", overlay.SaveCapture, 1),
		order("load", "read a capture, or a MangoHud or PresentMon table", slots+file, overlay.LoadCapture, 2),
		order("clear", "empty a slot", slots, overlay.ClearCapture, 0),
		g.exportCommand(),
		g.frameCapCommand(),
		g.displayCommand(),
		g.refreshCommand(),
		g.compareCommand(),
	}
}

func (g *Game) exportCommand() command {
	var names []string
	for _, e := range exports {
		names = append(names, e.name)
	}
	accepted := "A to " + lastSlot() + ", then " + strings.Join(names[:2], ", ") + " or " + names[2] + ", then a file's name or nothing"
	return command{name: "capture export", help: "write a capture for MangoHud's or PresentMon's tools, or for Perfetto",
		accepted: accepted, words: exportWords(names), run: func(args string, in *overlay.Intents) error {
			slot, rest, ok := slotOf(args)
			format, path, _ := strings.Cut(rest, " ")
			at := slices.Index(names, strings.ToLower(format))
			if !ok || at < 0 {
				return fmt.Errorf("capture export %s: accepted are %s", args, accepted)
			}
			in.Capture = overlay.CaptureOrder{Kind: exports[at].kind, Slot: slot, Path: strings.TrimSpace(path)}
			return nil
		}}
}

// exportWords are all slots with all formats.
func exportWords(formats []string) []string {
	var list []string
	for _, s := range slotNames() {
		for _, f := range formats {
			list = append(list, s+" "+f)
		}
	}
	return list
}

func (g *Game) frameCapCommand() command {
	name := func(n int) string {
		if n == 0 {
			return "off"
		}
		return strconv.Itoa(n)
	}
	var words []string
	for _, n := range FrameCaps() {
		words = append(words, name(n))
	}
	accepted := fmt.Sprintf("off, or 1 to %d frames a second", MaxFrameCap)
	return command{name: "frame-cap", help: "the most frames a second", accepted: accepted, words: words,
		value: name(g.values.FrameCap), setting: true,
		run: func(args string, in *overlay.Intents) error {
			n, err := strconv.Atoi(args)
			if args == "off" {
				n, err = 0, nil
			}
			if err != nil || n < 0 || n > MaxFrameCap {
				return fmt.Errorf("frame-cap %s: accepted are %s", args, accepted)
			}
			in.FrameCap, in.HasFrameCap = n, true
			return nil
		}}
}

func (g *Game) displayCommand() command {
	names := Displays()
	value := g.values.Display
	if value == "" {
		value = RealDisplay
	}
	accepted := "real, or a virtual display: " + strings.Join(names[1:], ", ")
	return command{name: "display", help: "the display that frames are counted on", accepted: accepted, words: names,
		value: value, setting: true,
		run: func(args string, in *overlay.Intents) error {
			want := args
			if p, ok := frametime.FindPreset(args); ok {
				want = p.Name
			}
			if !slices.Contains(names, want) {
				return fmt.Errorf("display %s: accepted are %s", args, accepted)
			}
			in.Display, in.HasDisplay = want, true
			return nil
		}}
}

// compareCommand is the command of the tab of comparison.
func (g *Game) compareCommand() command {
	views := overlay.CompareViews()
	accepted := strings.Join(views, ", ") + "; offset A to " + lastSlot() + " and a time as 350ms or -1s; axis even or log2; span FROM LENGTH as 2s 500ms, or all; rows and a number to scroll by"
	axis := "even"
	if g.dock.Compare.Log {
		axis = "log2"
	}
	return command{name: "compare", help: "how captures are compared", accepted: accepted,
		words: append(slices.Clone(views), "offset", "axis", "span", "rows"), value: g.dock.Compare.View.String() + ", axis " + axis, setting: true,
		run: func(args string, _ *overlay.Intents) error {
			if !g.compare(args) {
				return fmt.Errorf("compare %s: accepted are %s", args, accepted)
			}
			g.showDock = true
			g.dock.Choose(overlay.CompareTab)
			return nil
		}}
}

// compare does what the command says; false when it can't be read.
func (g *Game) compare(args string) bool {
	d := &g.dock
	what, rest, _ := strings.Cut(args, " ")
	rest = strings.TrimSpace(rest)
	if i := slices.Index(overlay.CompareViews(), what); i >= 0 && rest == "" {
		d.SetCompareView(overlay.CompareView(i))
		return true
	}
	switch what {
	case "offset":
		slot, text, ok := slotOf(rest)
		by, err := time.ParseDuration(text)
		if !ok || err != nil || by.Abs() > overlay.MaxOffset {
			return false
		}
		d.SetOffset(slot, by)
	case "axis":
		if rest != "even" && rest != "log2" {
			return false
		}
		d.SetCompareLog(rest == "log2")
	case "span":
		if rest == "all" {
			d.CompareSpan(0, 0)
			break
		}
		f := strings.Fields(rest)
		if len(f) != 2 {
			return false
		}
		from, err1 := time.ParseDuration(f[0])
		length, err2 := time.ParseDuration(f[1])
		if err1 != nil || err2 != nil || length <= 0 {
			return false
		}
		d.CompareSpan(from, length)
	case "rows":
		n, err := strconv.Atoi(rest)
		if err != nil {
			return false
		}
		d.ScrollCompare(n)
	default:
		return false
	}
	return true
}

// refreshCommand says what the display's refresh is, where the system doesn't
// know or is wrong.
func (g *Game) refreshCommand() command {
	accepted := fmt.Sprintf("auto (as the system states it, or else as measured), or %d to %d Hz, as 59.94", loop.MinRate, loop.MaxRefresh)
	value := "auto"
	if g.override.Valid() {
		value = g.override.String()
	}
	return command{name: "refresh", help: "what the real display's refresh rate is", accepted: accepted, words: []string{"auto"},
		value: value, setting: true,
		run: func(args string, _ *overlay.Intents) error {
			if args == "auto" {
				g.override = loop.Rate{}
				return nil
			}
			r, err := loop.ParseRefresh(args)
			if err != nil {
				return fmt.Errorf("refresh %s: accepted are %s", args, accepted)
			}
			g.override = r
			return nil
		}}
}
