package overlay

import (
	"testing"
	"time"

	"chronoscope/loop/frametime"
)

// Every control of displays and captures asks for one thing, and can be found
// where it is written; what makes no sense for a slot isn't offered.
func TestDisplayControls(t *testing.T) {
	order := func(kind CaptureKind, slot int) Intents {
		return Intents{Capture: CaptureOrder{Kind: kind, Slot: slot}}
	}
	for _, tt := range []struct {
		press string // the control
		label string // on it
		want  Intents
	}{
		{"vsync", "VSync", Intents{ToggleVSync: true}},
		{"cap off", "off", Intents{HasFrameCap: true}},
		{"cap 30", "30", Intents{FrameCap: 30, HasFrameCap: true}},
		{"cap 90", "90", Intents{FrameCap: 90, HasFrameCap: true}},
		{"cap 240", "240", Intents{FrameCap: 240, HasFrameCap: true}},
		{"display before", "<", Intents{Display: "120 Hz", HasDisplay: true}},
		{"display after", ">", Intents{Display: "clock 5 ms back", HasDisplay: true}},
		{"display real", "virtual starved 12.5 fps", Intents{Display: "real", HasDisplay: true}},
		{"begin A", "begin A", order(BeginCapture, 0)}, // anew
		{"hold A", "hold A", order(HoldCapture, 0)},
		{"save A", "save A", order(SaveCapture, 0)},
		{"clear A", "clear A", order(ClearCapture, 0)},
		{"end B", "end B", order(EndCapture, 1)},
		{"clear B", "clear B", order(ClearCapture, 1)},
		{"save C", "save C", order(SaveCapture, 2)},
		{"begin D", "begin D", order(BeginCapture, 3)},
		{"hold D", "hold D", order(HoldCapture, 3)},
	} {
		t.Run(tt.press, func(t *testing.T) {
			h := newSheet(t, Selection{})
			if b := h.p.Find(tt.label); b.Empty() {
				t.Errorf("%q isn't written anywhere", tt.label)
			}
			if in := h.press(DisplaySection, tt.press); in != tt.want {
				t.Errorf("asks for %+v", in)
			}
		})
	}
	h := newSheet(t, Selection{})
	for _, label := range []string{"hold B", "save B", "begin B", "save D", "clear D"} {
		if !h.p.Find(label).Empty() {
			t.Errorf("%q is offered", label)
		}
	}
}

// From either end of the list of displays the next one is at the other.
func TestDisplayGoesRound(t *testing.T) {
	for _, tt := range []struct{ at, press, want string }{
		{"real", "display before", "clock 5 ms back"},
		{"real", "display after", "120 Hz"},
		{"clock 5 ms back", "display after", "real"},
		{"not in the list", "display after", "120 Hz"},
	} {
		h := newSheet(t, Selection{})
		h.v.Display = tt.at
		h.update()
		if in := h.press(DisplaySection, tt.press); in.Display != tt.want || !in.HasDisplay {
			t.Errorf("%s, %s: %q", tt.at, tt.press, in.Display)
		}
	}
	h := newSheet(t, Selection{})
	h.v.Display = "real"
	h.update()
	if in := h.press(DisplaySection, "display real"); in != (Intents{}) {
		t.Errorf("on the real display its name asks for %+v", in)
	}
}

func TestDisplayTexts(t *testing.T) {
	p, _ := frametime.FindPreset("120 Hz")
	c := sampleCapture(p.Display, 240)
	named := *c
	named.Meta.Name = "morning"
	foreign := named
	foreign.Meta.Display, foreign.Meta.Source = frametime.Unknown, "MangoHud"
	for _, tt := range []struct{ got, want string }{
		{slotText(&Slot{}), "empty"},
		{slotText(&Slot{Filling: true, Frames: 312, For: 5200 * time.Millisecond}), "capturing: 312 frames, 5.2 s"},
		{slotText(&Slot{Capture: c}), "virtual 120 Hz: 240 frames, 2.0 s"},
		{slotText(&Slot{Capture: &named}), "morning, virtual 120 Hz: 240 frames, 2.0 s"},
		{slotText(&Slot{Capture: &foreign}), "morning, 120 Hz: 240 frames, 2.0 s, of MangoHud"},
		{refreshText(&Values{}), "not stated / unknown without VSync"},
		{refreshText(&Values{VSync: true, Recording: &Recording{Stated: NTSC()}}), "stated 59.94 Hz / measuring"},
		{refreshText(&Values{VSync: true, Recording: &Recording{Measured: 8333333}}), "not stated / measured 120.00 Hz"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}
