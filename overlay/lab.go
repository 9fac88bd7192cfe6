package overlay

import (
	"strconv"
	"time"

	"chronoscope/coordinator/waiting"
	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/loop/lab"
)

// LabPage is an experiment of the lab.
type LabPage uint8

// The pages, in order.
const (
	PacerPage    LabPage = iota // the pacers, live
	LoopPage                    // the right loop beside the wrong ones
	OverloadPage                // the overload policies under a load
	WaitingPage                 // the wait strategies
	DisplayPage                 // loop models on virtual displays
	LabPageCount
)

var labPageNames = [LabPageCount]string{"pacers", "loops", "overload", "waiting", "displays"}

var labPageTitles = [LabPageCount]string{"Pacers", "Loops", "Overload", "Waiting", "Displays"}

// String is the page's name, in lower case.
func (p LabPage) String() string {
	if p < LabPageCount {
		return labPageNames[p]
	}
	return "page " + strconv.Itoa(int(p))
}

// LabPageNamed finds a page by its name.
func LabPageNamed(name string) (LabPage, bool) {
	for p := range LabPageCount {
		if labPageNames[p] == name {
			return p, true
		}
	}
	return 0, false
}

// LabPageNames are the names of all pages, in their order.
func LabPageNames() []string { return append([]string(nil), labPageNames[:]...) }

// SlowMotions are by how much the loops' time may be slowed.
var SlowMotions = [...]int{1, 4, 10, 40}

// LabSettings are what the lab's experiments work with.
type LabSettings struct {
	Page LabPage
	// Rate is ticks a second in every experiment but Overload; not valid: the
	// world's.
	Rate loop.Rate

	// Work is what a step costs the loops, Frame how often they are looked at,
	// Slow by how much their time is slowed. Again counts how often they were
	// begun anew.
	Work, Frame time.Duration
	Slow        int
	Again       int

	Overload lab.OverloadOptions

	Members int           // that wait
	For     time.Duration // with each strategy

	Display string // the preset that is looked at
	Matrix  bool   // the frame-rate matrix is shown in its place
}

// DefaultLab is what the lab begins with.
func DefaultLab() LabSettings {
	return LabSettings{
		Work: 5 * time.Millisecond, Frame: 25 * time.Millisecond, Slow: 10,
		Overload: lab.DefaultOverload(), Members: waiting.DefaultMembers, For: waiting.DefaultFor, Display: "120 Hz",
	}
}

// LabValues is what the lab has measured and worked out.
type LabValues struct {
	Settings LabSettings // in force
	Rate     loop.Rate   // of Settings, or the world's

	PacersOn   bool
	PacerRate  loop.Rate          // that they run or ran at
	Pacers     []lab.PacerReading // nil: never started
	PacersSpan time.Duration      // for how long they have run, or ran

	Overload []lab.OverloadRun

	Waiting waiting.Progress // the zero Progress: never started

	// Runs are of the display of Settings; they and Matrix may be those of a
	// moment ago while others are being worked out.
	Runs    []lab.DisplayRun
	Refresh loop.Rate // of that display
	Matrix  []frametime.Cell

	// Refused is why the last order was; "": it wasn't.
	Refused string
}

// Switch is a wish to start something or to stop it.
type Switch uint8

// The wishes.
const (
	AsItIs Switch = iota
	TurnOn
	TurnOff
)

// LabOrder is what the user wants of the lab. The zero value asks for nothing.
type LabOrder struct {
	Settings    LabSettings
	HasSettings bool
	Pacers      Switch
	Waiting     Switch
}

// Wish is the settings to ask for: they start from those in force, or from what
// was asked for already.
func (o *LabOrder) Wish(v *LabValues) *LabSettings {
	if !o.HasSettings {
		o.Settings, o.HasSettings = v.Settings, true
	}
	return &o.Settings
}

// NextDisplay is the preset after a name (by > 0) or before it, around the ends.
func NextDisplay(name string, by int) string {
	list := frametime.Presets()
	at := 0
	for i, p := range list {
		if p.Name == name {
			at = i
		}
	}
	return list[(at+by+len(list))%len(list)].Name
}

// Lab draws what the lab measures. It is told of it with the rest of the dock's
// values, and keeps what is clicked until Take.
type Lab struct {
	v       LabValues
	order   LabOrder
	buttons labButtons

	loops     *lab.Loops
	loopsOf   LabSettings // what they were begun with
	loopsRate loop.Rate
	loopsAt   time.Time // when they were drawn last
	loopRows  [lab.LoopCount][3][2]string
	loopHead  string
	numbers   map[uint64]string // of ticks

	log *[]labText // what is written, for tests; nil: nobody asks
}

// Take gives what was clicked since the last Take.
func (l *Lab) Take() LabOrder {
	o := l.order
	l.order = LabOrder{}
	return o
}

// show takes over what there is.
func (l *Lab) show(v *LabValues) {
	l.v = *v
	l.renewLoops()
}
