package mapfile

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"chronoscope/routes"
)

// MaxTrips is the largest number of trips that a list may have; the longest
// published one has 19,080.
const MaxTrips = 1_000_000

// longestRow is the longest row of a list in characters, map path included.
const longestRow = 8192

// Trip is a row of a list: two cells and the published length of the shortest
// way between them.
type Trip struct {
	Line          int // in the list, from 1
	Bucket        int
	Map           string // path as the list has it; often of another machine
	Width, Height int32  // of the map that From and To refer to, in cells
	From, To      routes.Cell
	Length        float64 // in cells; 0 can also mean that there is no way
	Printed       string  // Length as the list has it
	Decimals      int     // decimals that Printed stands for, trailing zeros left out included
}

// ReadScen reads a list of trips. It has at least one. The error is an *Error.
func ReadScen(path string) ([]Trip, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readScen(f, path)
}

func readScen(r io.Reader, name string) ([]Trip, error) {
	in := newLines(r, name, longestRow)
	var trips []Trip
	for {
		line, err := in.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		text := strings.TrimSpace(string(line))
		if version, ok := strings.CutPrefix(text, "version"); ok && in.at == 1 {
			if v := strings.TrimSpace(version); v != "1" && v != "1.0" {
				e := in.fault("version %.40q of the list is not supported (accepted: 1 and 1.0)", v)
				e.Err = ErrUnsupported
				return nil, e
			}
			continue
		}
		if text == "" {
			continue
		}
		if len(trips) == MaxTrips {
			e := in.fault("list has more than %d trips", MaxTrips)
			e.Err = ErrTooLarge
			return nil, e
		}
		trip, err := readTrip(in, text)
		if err != nil {
			return nil, err
		}
		trips = append(trips, trip)
	}
	if len(trips) == 0 {
		reason := "has no trips"
		if in.at == 0 {
			reason = "is empty"
		}
		return nil, &Error{File: name, Reason: reason}
	}
	setDecimals(trips)
	return trips, nil
}

// readTrip reads one row: bucket, map, width, height, from x, from y, to x,
// to y, length, separated by tabs or by spaces. A map's path may hold spaces:
// it is all that stands between the first and the last seven.
func readTrip(in *lines, text string) (Trip, error) {
	f := strings.Fields(text)
	if len(f) < 9 {
		return Trip{}, in.fault("row has %d fields, must have 9: bucket, map, width, height, from x, y, to x, y, length", len(f))
	}
	t := Trip{Line: in.at}
	tail := f[len(f)-7:]
	t.Map = strings.TrimSpace(text[len(f[0]):lastFields(text, 7)])
	t.Printed = tail[6]
	bucket, err := strconv.ParseInt(f[0], 10, 32)
	if err != nil || bucket < 0 {
		return Trip{}, in.fault("bucket %.40q: must be a whole number from 0", f[0])
	}
	t.Bucket = int(bucket)
	numbers := []struct {
		name string
		to   *int32
		low  int64
		high int64
	}{
		{"width", &t.Width, 1, 1 << 30},
		{"height", &t.Height, 1, 1 << 30},
		{"from x", &t.From.X, 0, 0}, {"from y", &t.From.Y, 0, 0},
		{"to x", &t.To.X, 0, 0}, {"to y", &t.To.Y, 0, 0},
	}
	for i, n := range numbers {
		high := n.high
		switch i {
		case 2, 4:
			high = int64(t.Width) - 1
		case 3, 5:
			high = int64(t.Height) - 1
		}
		v, err := strconv.ParseInt(tail[i], 10, 64)
		if err != nil || v < n.low || v > high {
			return Trip{}, in.fault("%s %.40q: must be a whole number from %d to %d", n.name, tail[i], n.low, high)
		}
		*n.to = int32(v)
	}
	whole, fraction, point := strings.Cut(t.Printed, ".")
	if !isDigits(whole) || point && !isDigits(fraction) || len(t.Printed) > 32 {
		return Trip{}, in.fault("length %.40q: must be a decimal number from 0", t.Printed)
	}
	if t.Length, err = strconv.ParseFloat(t.Printed, 64); err != nil {
		return Trip{}, in.fault("length %.40q: %v", t.Printed, err)
	}
	return t, nil
}

// lastFields is where the last n fields of a text begin.
func lastFields(text string, n int) int {
	end := len(text)
	for range n {
		end = len(strings.TrimRight(text[:end], " \t\v\f\r"))
		end = strings.LastIndexAny(text[:end], " \t\v\f\r") + 1
	}
	return end
}

// setDecimals finds out how the list prints lengths. Lists have a fixed number
// of decimals (8 or 2), or a fixed number of significant digits (6) with
// trailing zeros left out, which shows by the decimals that differ from row to
// row.
func setDecimals(trips []Trip) {
	fixed, most, digits := true, 0, 0
	first := decimals(trips[0].Printed)
	for i := range trips {
		d := decimals(trips[i].Printed)
		fixed = fixed && d == first
		most = max(most, d)
		if d > 0 {
			digits = max(digits, wholeDigits(trips[i].Printed)+d)
		}
	}
	for i := range trips {
		t := &trips[i]
		if fixed {
			t.Decimals = first
			continue
		}
		t.Decimals = max(min(digits-wholeDigits(t.Printed), most), decimals(t.Printed))
	}
}

// decimals counts the digits behind the point.
func decimals(s string) int {
	_, fraction, _ := strings.Cut(s, ".")
	return len(fraction)
}

// wholeDigits counts the digits before the point.
func wholeDigits(s string) int {
	whole, _, _ := strings.Cut(s, ".")
	return len(whole)
}

// Base is the name of the map's file without folders, whichever way its slashes
// lean.
func (t *Trip) Base() string {
	return t.Map[strings.LastIndexAny(t.Map, `/\`)+1:]
}

// FindMap is the map file that a list belongs to: the one its rows name,
// beside the list, or the list's own name without ".scen". All rows must be for
// the same map. The error is an *Error.
func FindMap(scen string, trips []Trip) (string, error) {
	if len(trips) == 0 {
		return "", &Error{File: scen, Reason: "has no trips"}
	}
	base := trips[0].Base()
	for i := range trips {
		if b := trips[i].Base(); b != base {
			return "", &Error{File: scen, Line: trips[i].Line, Reason: fmt.Sprintf("row is for map %.80q, rows before for %.80q", b, base)}
		}
	}
	beside := filepath.Join(filepath.Dir(scen), base)
	own := strings.TrimSuffix(scen, ".scen")
	for _, path := range [...]string{beside, own} {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && path != scen {
			return path, nil
		}
	}
	return "", &Error{File: scen, Line: trips[0].Line, Reason: fmt.Sprintf("map %.80q is not in the list's folder", base), Err: os.ErrNotExist}
}

// CheckSize refuses a list with rows for another size of the map: they would
// ask for scaling. scen is what the error calls the list.
func CheckSize(scen string, trips []Trip, m *routes.Map) error {
	for i := range trips {
		t := &trips[i]
		if t.Width != m.Width || t.Height != m.Height {
			return &Error{
				File: scen, Line: t.Line,
				Reason: fmt.Sprintf("row is for a map of %d x %d cells, %s has %d x %d: scaling is not supported", t.Width, t.Height, m.Name, m.Width, m.Height),
				Err:    ErrUnsupported,
			}
		}
	}
	return nil
}
