package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"chronoscope/loop/frametime"
)

// captureDiff prints what two to four captures of frame times have different
// from the first: their figures, their settings, and whether the simulation went
// the same way in all of them. It fails when it should have and didn't.
func (p *program) captureDiff(names []string) int {
	for _, name := range names {
		if strings.HasPrefix(name, "-") {
			return p.refuse(fmt.Errorf("capture-diff: unknown flag %s: accepted is capture-diff A B [C [D]], files of captures (./%s for a file of that name)", name, name))
		}
	}
	if len(names) < 2 || len(names) > frametime.MaxSlots {
		return p.refuse(errors.New("capture-diff: accepted is capture-diff A B [C [D]], files of captures"))
	}
	var captures []*frametime.Capture
	for _, name := range names {
		c, err := readCapture(name)
		if err != nil {
			return p.refuse(fmt.Errorf("capture-diff: %s: %w", name, err))
		}
		if c.Meta.Name == "" {
			c.Meta.Name = name
		}
		captures = append(captures, c)
	}
	cmp, err := frametime.Compare(captures, nil)
	if err != nil {
		return p.refuse(err)
	}
	io.WriteString(p.stdout, cmp.Text())
	for i, proof := range cmp.Proofs {
		if proof.Verdict == frametime.Differ {
			return p.complain(exitFailed, fmt.Sprintf("capture-diff: %s and %s are of the same run, and their digests differ from tick %d on", names[0], names[i+1], proof.First))
		}
	}
	return exitDone
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
