package frametime

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// presentHeader is PresentMon's table of version 1, with the columns of its
// successor that this program knows something for at the end.
const presentHeader = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,msInPresentAPI,msBetweenPresents," +
	"AllowsTearing,PresentMode,msUntilRenderComplete,msUntilDisplayed,msBetweenDisplayChange,MsCPUBusy,MsCPUWait,MsAnimationError"

// presentLeast is how many rows the programs that read such tables want at
// least.
const presentLeast = 21

// ErrTooFew: a table of so few frames would be refused by those who read it.
var ErrTooFew = errors.New("too few frames")

// WritePresentMon writes the frames that a capture's figures are of as a
// PresentMon table, or gives ErrTooFew for 20 frames or less. The instant of a
// present is that at which the frame counts as shown.
// What lies between the end of Draw and then stands for the time in the present
// call and until the display, which can't be seen from inside.
func WritePresentMon(w io.Writer, c *Capture) error {
	used := c.Meta.Rules.Select(c.Frames).Used
	if len(used) < presentLeast {
		return fmt.Errorf("frametime: presentmon: %w: %d, accepted is %d and more", ErrTooFew, len(used), presentLeast)
	}
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, presentHeader)
	errs := c.animation()
	for i := range used {
		f := &used[i]
		sync, tearing := 0, 1
		if f.Flags.Has(VSyncAsked) {
			sync, tearing = 1, 0
		}
		busy, wait := "NA", "NA"
		if f.Flags&NoStamps == 0 {
			busy, wait = fixed(int64(f.Busy()), 6), fixed(int64(f.Wait()), 6)
		}
		errText := "NA"
		if e, ok := errs[f.Seq]; ok {
			errText = fixed(e, 6)
		}
		in := fixed(int64(f.Wait()), 6)
		interval := fixed(f.Next-f.Layout, 6)
		fmt.Fprintf(b, "chronoscope,1,0x0000000000000001,Other,%d,0,0,%s,%s,%s,%d,Other,%s,%s,%s,%s,%s,%s\n", sync,
			fixed(f.Next-used[0].Layout, 9), in, interval, tearing, in, in, interval, busy, wait, errText)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("frametime: %w", err)
	}
	return nil
}

// animation gives the animation error of frames by Seq, ns, where it is known.
func (c *Capture) animation() map[uint64]int64 {
	errs := map[uint64]int64{}
	for _, s := range c.Segments() {
		if !s.Rate.Valid() {
			continue
		}
		for i := 1; i < len(s.Frames); i++ {
			if e := AnimationErrors(s.Frames[i-1:i+1], s.Rate); len(e) == 1 {
				errs[s.Frames[i].Seq] = int64(e[0])
			}
		}
	}
	return errs
}

// presentRow is a row that is kept until it is known whose rows count.
type presentRow struct {
	who   string
	frame Frame
	at    int64 // of the present, -1: unknown
}

// presentMon reads on after the header. A file may hold several programs and
// swap chains; the one with the most rows counts.
func (t *table) presentMon() (*Capture, error) {
	c := &Capture{Meta: Meta{Source: "PresentMon", OS: "windows"}}
	var rows []presentRow
	count := map[string]int{}
	err := t.rows(func(row []string) error {
		r, ok, err := t.presentRow(row)
		if ok && err == nil {
			rows = append(rows, r)
			count[r.who]++
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	most := ""
	for _, r := range rows { // in order, so that a tie is always decided alike
		if count[r.who] > count[most] {
			most = r.who
		}
	}
	at, others := int64(0), 0
	for _, r := range rows {
		if r.who != most {
			others++
			continue
		}
		f, d := r.frame, r.frame.Next
		if r.at >= 0 {
			at = r.at - d
		}
		f.Layout = at
		f.DrawStart, f.UpdateStart, f.UpdateEnd = at, at, at
		f.DrawEnd += at
		f.CapEnd = at + d - f.CapEnd
		f.Next = at + d
		if f.Flags.Has(NoStamps) {
			f.DrawStart, f.UpdateStart, f.UpdateEnd, f.DrawEnd, f.CapEnd = 0, 0, 0, 0, 0
		}
		at = f.Next
		c.Frames = append(c.Frames, f)
	}
	if others > 0 {
		c.Meta.note("%d rows of other programs or swap chains", others)
	}
	c.Meta.Name, _, _ = strings.Cut(most, "\t")
	return t.finish(c)
}

// presentRow reads a row: Next holds the interval, DrawEnd the busy time and
// CapEnd the wait, until the instant of the frame is known.
func (t *table) presentRow(row []string) (presentRow, bool, error) {
	r := presentRow{who: t.text(row, "application") + "\t" + t.text(row, "swapchainaddress"), at: -1}
	var cells [5]float64
	var known [5]bool
	for i, names := range [...][2]string{{"betweenpresents", "frametime"}, {"cpubusy", ""}, {"cpuwait", ""}, {"timeinseconds", ""}, {"syncinterval", ""}} {
		name := names[0]
		if !t.has(name) && names[1] != "" {
			name = names[1]
		}
		var err error
		if cells[i], known[i], err = t.number(row, name); err != nil {
			return r, false, err
		}
	}
	d, ok := nanos(cells[0], 1e6)
	if !known[0] || !ok {
		t.without++
		return r, false, nil
	}
	r.frame.Next = d
	busy, ok1 := nanos(cells[1], 1e6)
	wait, ok2 := nanos(cells[2], 1e6)
	if known[1] && known[2] && ok1 && ok2 {
		// Some versions count them from the start of one frame's work to that of
		// the next, which isn't quite from present to present: no part of an
		// interval is longer than it, and none negative.
		busy = min(busy, d)
		r.frame.DrawEnd, r.frame.CapEnd = busy, min(wait, d-busy)
	} else {
		r.frame.Flags |= NoStamps
	}
	if at := math.Round(cells[3] * 1e9); known[3] && at >= 0 && at < maxStamp {
		r.at = int64(at)
	}
	if known[4] && cells[4] >= 1 {
		r.frame.Flags |= VSyncAsked
	}
	return r, true, nil
}
