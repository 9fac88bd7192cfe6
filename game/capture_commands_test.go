package game

import (
	"strings"
	"testing"
	"time"

	"chronoscope/overlay"
)

// Every line of captures and displays becomes exactly one wish; what can't be
// read says what could.
func TestCaptureCommands(t *testing.T) {
	order := func(kind overlay.CaptureKind, slot int, path string) overlay.Intents {
		return overlay.Intents{Capture: overlay.CaptureOrder{Kind: kind, Slot: slot, Path: path}}
	}
	for _, tt := range []struct {
		line  string
		want  overlay.Intents
		fault string // what it begins with; "": none
	}{
		{"capture begin A", order(overlay.BeginCapture, 0, ""), ""},
		{"capture begin d", order(overlay.BeginCapture, 3, ""), ""},
		{"capture end B", order(overlay.EndCapture, 1, ""), ""},
		{"capture hold C", order(overlay.HoldCapture, 2, ""), ""},
		{"capture clear D", order(overlay.ClearCapture, 3, ""), ""},
		{"capture save A", order(overlay.SaveCapture, 0, ""), ""},
		{"capture save A my run.capture", order(overlay.SaveCapture, 0, "my run.capture"), ""},
		{"capture load B /tmp/Some File.csv", order(overlay.LoadCapture, 1, "/tmp/Some File.csv"), ""},
		{"capture export A mangohud", order(overlay.ExportMangoHud, 0, ""), ""},
		{"capture export B presentmon x.csv", order(overlay.ExportPresentMon, 1, "x.csv"), ""},
		{"capture export C Trace a b.json", order(overlay.ExportTrace, 2, "a b.json"), ""},
		{"frame-cap off", overlay.Intents{HasFrameCap: true}, ""},
		{"frame-cap 0", overlay.Intents{HasFrameCap: true}, ""},
		{"frame-cap 144", overlay.Intents{FrameCap: 144, HasFrameCap: true}, ""},
		{"display real", overlay.Intents{Display: "real", HasDisplay: true}, ""},
		{"display 120", overlay.Intents{Display: "120 Hz", HasDisplay: true}, ""},
		{"display 59.94 Hz", overlay.Intents{Display: "59.94 Hz", HasDisplay: true}, ""},

		{"capture begin E", overlay.Intents{}, "capture begin E: accepted are A to D"},
		{"capture begin A now", overlay.Intents{}, "capture begin A now: accepted are A to D"},
		{"capture load A", overlay.Intents{}, "capture load A: accepted are A to D, then a file's name"},
		{"capture export A", overlay.Intents{}, "capture export A: accepted are A to D, then mangohud, presentmon or trace"},
		{"capture export A png", overlay.Intents{}, "capture export A png: accepted are"},
		{"refresh 1001", overlay.Intents{}, "refresh 1001: accepted are auto"},
		{"refresh 59.94", overlay.Intents{}, ""},
		{"frame-cap 1001", overlay.Intents{}, "frame-cap 1001: accepted are off, or 1 to 1000 frames a second"},
		{"frame-cap -1", overlay.Intents{}, "frame-cap -1: accepted"},
		{"display 61", overlay.Intents{}, "display 61: accepted are real, or a virtual display: 50 Hz, "},
		{"compare offset E 1s", overlay.Intents{}, "compare offset E 1s: accepted are lanes, curves, table; offset"},
		{"compare offset A 2h", overlay.Intents{}, "compare offset A 2h"},
		{"compare axis wide", overlay.Intents{}, "compare axis wide"},
		{"compare span 1s", overlay.Intents{}, "compare span 1s"},
		{"compare span 1s -1s", overlay.Intents{}, "compare span 1s -1s"},
		{"compare lanes now", overlay.Intents{}, "compare lanes now"},
	} {
		t.Run(tt.line, func(t *testing.T) {
			g, _ := lineGame(t)
			in, fault := typed(g, tt.line)
			if in != tt.want {
				t.Errorf("asks for %+v", in)
			}
			if tt.fault == "" && fault != "" || tt.fault != "" && !strings.HasPrefix(fault, tt.fault) {
				t.Errorf("says %q", fault)
			}
		})
	}
}

// The tab of comparison is steered by the command line alone.
func TestCompareCommand(t *testing.T) {
	g, _ := lineGame(t)
	for _, tt := range []struct {
		line string
		ok   func() bool
	}{
		{"compare curves", func() bool { return g.dock.Compare.View == overlay.CurveView }},
		{"compare table", func() bool {
			return g.dock.Compare.View == overlay.TableView && g.dock.Tab == overlay.CompareTab && g.showDock
		}},
		{"compare offset B -350ms", func() bool { return g.dock.Compare.Offset(1) == -350*time.Millisecond }},
		{"compare offset D 1h", func() bool { return g.dock.Compare.Offset(3) == time.Hour }},
		{"compare axis log2", func() bool { return g.dock.Compare.Log }},
		{"compare axis even", func() bool { return !g.dock.Compare.Log }},
		{"compare span 2s 500ms", func() bool { return true }},
		{"compare span all", func() bool { return true }},
		{"compare rows 3", func() bool { return true }},
	} {
		if _, fault := typed(g, tt.line); fault != "" || !tt.ok() {
			t.Errorf("%s: %q", tt.line, fault)
		}
	}
}

// The caps to choose from in the panel are the window's.
func TestFrameCapsAgree(t *testing.T) {
	if got := FrameCaps(); len(got) != len(overlay.FrameCaps) {
		t.Fatalf("%v and %v", got, overlay.FrameCaps)
	}
	for i, n := range FrameCaps() {
		if overlay.FrameCaps[i] != n {
			t.Errorf("%v and %v", FrameCaps(), overlay.FrameCaps)
		}
	}
}
