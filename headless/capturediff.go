package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"chronoscope/loop/frametime"
	"chronoscope/world/scenario"
)

const captureDiffUsage = `Two to four captures of frame times beside each other: their figures, their settings, and whether
the simulation went the same way in all of them.

Usage:
  go run ./headless capture-diff [flags] A B [C [D]]

Files are captures of this program, MangoHud logs, or PresentMon tables. Flags may stand before or
after them. Differences in brackets are no greater than those among the repeated runs.
Exit codes: 0 compared, 1 captures of the same run have other digests or the picture could not be
written, 2 refused arguments or files.
`

// comparing is one call of capture-diff.
type comparing struct {
	files    []string
	repeats  []string
	png      string
	offsets  []string
	captures []*frametime.Capture
	shifts   []time.Duration // of each capture; the first one's is 0
	picture  *target
}

// maxOffset is as long as a capture may be moved in a picture.
const maxOffset = 24 * time.Hour

func (c *comparing) subcommand() *subcommand {
	return newSubcommand("capture-diff", captureDiffUsage,
		scenario.Row{Name: "png", Help: "draw the captures over one another into a picture of that name",
			Value: &scenario.Text{P: &c.png, Hint: "a file name"}},
		scenario.Row{Name: "repeats", Help: "captures of runs that were meant to be the same: what differs no more than they do is noise",
			Value: &listValue{&c.repeats, "two or more file names with commas between them"}},
		scenario.Row{Name: "offset", Help: "move B, and C and D, so much to the right in the picture (to the left: -1.5s), to lay the same moment of several runs over one another",
			Value: &listValue{&c.offsets, "one to three durations, -24h to 24h, with commas between them"}})
}

// captureDiff prints what two to four captures of frame times have different
// from the first: their figures, their settings, and whether the simulation went
// the same way in all of them; and draws them. It fails when it should have and
// didn't.
func (p *program) captureDiff(args []string) int {
	var c comparing
	sub := c.subcommand()
	switch err := c.parse(sub, args); {
	case errors.Is(err, scenario.ErrHelp):
		io.WriteString(p.stdout, sub.help())
		return exitDone
	case err != nil:
		return p.refuse(err)
	}
	cmp, err := c.read(sub)
	if err == nil && c.png != "" {
		err = c.openPicture(sub)
	}
	if err != nil {
		return p.refuse(err)
	}
	io.WriteString(p.stdout, cmp.Text())
	code := exitDone
	if c.picture != nil {
		if err := c.plot(cmp).save(c.picture); err != nil {
			code = p.complain(exitFailed, sub.refusal("-png %s: %w", c.png, err).Error())
		}
	}
	for i, proof := range cmp.Proofs {
		if proof.Verdict == frametime.Differ {
			return p.complain(exitFailed, fmt.Sprintf("capture-diff: %s and %s are of the same run, and their digests differ from tick %d on",
				c.files[0], c.files[i+1], proof.First))
		}
	}
	return code
}

// parse takes the arguments apart; no file is touched.
func (c *comparing) parse(sub *subcommand, args []string) (err error) {
	if c.files, err = sub.parse(args); err != nil {
		return err
	}
	if len(c.files) < 2 || len(c.files) > frametime.MaxSlots {
		return sub.refusal("accepted is capture-diff A B [C [D]], files of captures (see capture-diff -h)")
	}
	if len(c.repeats) == 1 {
		return sub.refusal("-repeats %s: accepted are two or more file names", c.repeats[0])
	}
	c.shifts = make([]time.Duration, len(c.files))
	if len(c.offsets) >= len(c.files) {
		return sub.refusal("-offset %s: accepted are durations for B to %c", strings.Join(c.offsets, ","), 'A'+len(c.files)-1)
	}
	for i, text := range c.offsets {
		d, err := time.ParseDuration(text)
		if err != nil || d < -maxOffset || d > maxOffset {
			return sub.refusal("-offset %s: accepted are durations such as 250ms or -1.5s, -24h to 24h", text)
		}
		c.shifts[i+1] = d
	}
	if len(c.offsets) > 0 && c.png == "" {
		return sub.refusal("-offset %s: it moves captures in a picture, and there is no -png", strings.Join(c.offsets, ","))
	}
	return nil
}

// read reads all files and compares the captures.
func (c *comparing) read(sub *subcommand) (*frametime.Comparison, error) {
	var repeats []*frametime.Capture
	for i, name := range slices.Concat(c.files, c.repeats) {
		capture, err := readCapture(name)
		if err != nil {
			return nil, sub.refusal("%s: %w", name, err)
		}
		if capture.Meta.Name == "" {
			capture.Meta.Name = name
		}
		if i < len(c.files) {
			c.captures = append(c.captures, capture)
		} else {
			repeats = append(repeats, capture)
		}
	}
	return frametime.Compare(c.captures, repeats)
}

// openPicture sees to it that the picture can be written, and over no capture.
func (c *comparing) openPicture(sub *subcommand) error {
	if info, err := os.Stat(c.png); err == nil {
		for _, name := range slices.Concat(c.files, c.repeats) {
			if other, err := os.Stat(name); err == nil && os.SameFile(info, other) {
				return sub.refusal("-png %s: that is the capture %s", c.png, name)
			}
		}
	}
	t, err := openWhole(c.png)
	if err != nil {
		return sub.refusal("-png %s: %w", c.png, err)
	}
	c.picture = t
	return nil
}

// readCapture reads a capture of any known format; what is wrong doesn't name
// the file.
func readCapture(name string) (*frametime.Capture, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, bare(err)
	}
	defer f.Close()
	c, err := frametime.Read(f)
	if err != nil {
		if cause := bare(err); cause != err {
			return nil, cause // of reading, not of what was read
		}
		return nil, errors.New(strings.TrimPrefix(err.Error(), "frametime: "))
	}
	return c, nil
}
