package frametime

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"chronoscope/loop"
)

// A capture's file is
//
//	"chronofc" | version, uint32 | SHA-256 of the body | body
//
// little-endian, and the body gzip of
//
//	length of Meta, uvarint | Meta as JSON | frames | releases | digests | inputs
//
// each of the four a count, uvarint, and a record after the other, its numbers
// as zigzag varints less those of the record before. It is lossless: nanoseconds
// stay integers, rates fractions, and Alpha its 64 bits.

const (
	fileMagic = "chronofc"
	// FileVersion is written, and the only one that is read.
	FileVersion = 1
	fileHead    = len(fileMagic) + 4 + sha256.Size
	// MaxFile bounds a capture's file in bytes, MaxContent what is in it
	// uncompressed: hours at 120 frames a second. In memory it takes at most eight
	// times as much, which a small file made for it can ask for.
	MaxFile    = 64 << 20
	MaxContent = 64 << 20
	maxMeta    = 16 << 20
	// maxSettings bounds the parameters that a capture lists, either of the two
	// lists: comparing looks for each among all.
	maxSettings = 1000
)

// The ways in which a file is no capture; errors.Is tells them apart.
var (
	// ErrFormat: it isn't a file of frame times that this package knows.
	ErrFormat = errors.New("not a capture of frame times")
	// ErrVersion: it is a capture of another version.
	ErrVersion = errors.New("unknown version of a capture")
	// ErrDamaged: it was one, but has changed since it was written.
	ErrDamaged = errors.New("damaged capture")
	// ErrTooLarge: it is larger than MaxFile, MaxContent or MaxRows.
	ErrTooLarge = errors.New("capture too large")
)

// Write writes a capture as a file of its own format. One that couldn't be read
// again is an error, as Check says.
func Write(w io.Writer, c *Capture) error {
	if err := c.Check(); err != nil {
		return err
	}
	meta, err := json.Marshal(&c.Meta)
	if err != nil {
		return fmt.Errorf("frametime: %w", err)
	}
	content := binary.AppendUvarint(nil, uint64(len(meta)))
	content = append(content, meta...)
	content = appendRecords(content, c.Frames, (*Frame).numbers)
	content = appendRecords(content, c.Releases, (*Release).numbers)
	content = appendRecords(content, c.Digests, (*Digest).numbers)
	content = appendRecords(content, c.Inputs, (*Input).numbers)
	if len(content) > MaxContent || len(meta) > maxMeta {
		return fmt.Errorf("frametime: %w", ErrTooLarge)
	}
	var body bytes.Buffer
	z := gzip.NewWriter(&body)
	// A buffer takes everything.
	z.Write(content)
	if err := z.Close(); err != nil {
		return fmt.Errorf("frametime: %w", err)
	}
	sum := sha256.Sum256(body.Bytes())
	head := binary.LittleEndian.AppendUint32([]byte(fileMagic), FileVersion)
	if _, err := w.Write(append(head, sum[:]...)); err != nil {
		return fmt.Errorf("frametime: %w", err)
	}
	if _, err := w.Write(body.Bytes()); err != nil {
		return fmt.Errorf("frametime: %w", err)
	}
	return nil
}

// readAll reads a file of at most MaxFile bytes.
func readAll(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, MaxFile+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("frametime: %w", err)
	case len(b) > MaxFile:
		return nil, fmt.Errorf("frametime: %w: over %d bytes", ErrTooLarge, MaxFile)
	}
	return b, nil
}

// Decode reads a capture from a file's bytes. It never panics, whatever they
// are, and takes no more memory than some times what the content needs.
func Decode(b []byte) (*Capture, error) {
	fail := func(err error, why string) (*Capture, error) {
		return nil, fmt.Errorf("frametime: %w: %s", err, why)
	}
	if !bytes.HasPrefix(b, []byte(fileMagic)) {
		return fail(ErrFormat, "it doesn't begin as one")
	}
	if len(b) < fileHead {
		return fail(ErrDamaged, "it is cut off")
	}
	if v := binary.LittleEndian.Uint32(b[len(fileMagic):]); v != FileVersion {
		return fail(ErrVersion, fmt.Sprintf("%d, this program reads %d", v, FileVersion))
	}
	body := b[fileHead:]
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], b[fileHead-sha256.Size:fileHead]) {
		return fail(ErrDamaged, "its checksum is wrong")
	}
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return fail(ErrDamaged, err.Error())
	}
	content, err := io.ReadAll(io.LimitReader(z, MaxContent+1))
	if err != nil {
		return fail(ErrDamaged, err.Error())
	}
	if len(content) > MaxContent {
		return fail(ErrTooLarge, fmt.Sprintf("over %d bytes of content", MaxContent))
	}
	return decodeContent(content)
}

func decodeContent(content []byte) (*Capture, error) {
	d := decoder{rest: content}
	var c Capture
	n := d.uvarint()
	if n > uint64(len(d.rest)) || n > maxMeta {
		d.bad = true
	}
	if !d.bad {
		if err := json.Unmarshal(d.rest[:n], &c.Meta); err != nil {
			return nil, fmt.Errorf("frametime: %w: its description: %s", ErrDamaged, oneLine(err.Error()))
		}
		d.rest = d.rest[n:]
		c.Meta.clean()
	}
	c.Frames = readRecords(&d, (*Frame).numbers)
	c.Releases = readRecords(&d, (*Release).numbers)
	c.Digests = readRecords(&d, (*Digest).numbers)
	c.Inputs = readRecords(&d, (*Input).numbers)
	if d.bad || len(d.rest) > 0 {
		return nil, fmt.Errorf("frametime: %w: its records don't add up", ErrDamaged)
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	return &c, nil
}

// number is a field of a record as the file has it: read with nil, or set.
type number func(set *int64) int64

// field is a whole number of a record, 64 bits at most.
func field[T ~int64 | ~uint64 | ~int32 | ~uint32](p *T) number {
	return func(set *int64) int64 {
		if set != nil {
			*p = T(*set)
		}
		return int64(*p)
	}
}

func float(p *float64) number {
	return func(set *int64) int64 {
		if set != nil {
			*p = math.Float64frombits(uint64(*set))
		}
		return int64(math.Float64bits(*p))
	}
}

const maxNumbers = 18

// numbers are the fields of a frame in the order of the file.
func (f *Frame) numbers() []number {
	return []number{field(&f.Seq), field(&f.Layout), field(&f.Next), field(&f.UpdateStart), field(&f.UpdateEnd), field(&f.DrawStart), field(&f.DrawEnd),
		field(&f.CapEnd), field(&f.Wall), field(&f.NextWall), field(&f.TickBefore), field(&f.TickAfter), float(&f.Alpha),
		field(&f.Lag), field(&f.Laggards), field(&f.Dropped), field(&f.Updates), field(&f.Flags)}
}

func (r *Release) numbers() []number {
	return []number{field(&r.Tick), field(&r.Scheduled), field(&r.Released), field(&r.Brake)}
}

func (d *Digest) numbers() []number { return []number{field(&d.Tick), field(&d.Sum)} }

func (i *Input) numbers() []number {
	return []number{field(&i.Seen), field(&i.Taken), field(&i.Drawn), field(&i.Shown)}
}

// appendRecords appends records of one kind. Differences wrap around, and come
// back the same way.
func appendRecords[T any](b []byte, records []T, numbers func(*T) []number) []byte {
	b = binary.AppendUvarint(b, uint64(len(records)))
	var record T
	fields := numbers(&record)
	var last [maxNumbers]int64
	for i := range records {
		record = records[i]
		for k, get := range fields {
			v := get(nil)
			b = binary.AppendVarint(b, v-last[k])
			last[k] = v
		}
	}
	return b
}

// decoder takes numbers off the front of a content.
type decoder struct {
	rest []byte
	bad  bool // it ended early, or a number was none
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 {
		d.bad, d.rest = true, nil
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.rest)
	if n <= 0 {
		d.bad, d.rest = true, nil
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

// readRecords reads records of one kind. A count that the rest of the content
// can't hold, at a byte a number, is refused before there is memory for it.
func readRecords[T any](d *decoder, numbers func(*T) []number) []T {
	n := d.uvarint()
	if n == 0 || d.bad {
		return nil
	}
	var record T
	fields := numbers(&record)
	if n > uint64(len(d.rest)/len(fields)) {
		d.bad = true
		return nil
	}
	records := make([]T, n)
	var last [maxNumbers]int64
	for i := range records {
		for k, set := range fields {
			last[k] += d.varint()
			set(&last[k])
			if set(nil) != last[k] {
				d.bad = true // it doesn't fit into its field
			}
		}
		if d.bad {
			return nil
		}
		records[i] = record
	}
	return records
}

// Check says what makes a capture one that figures can't be computed from:
// frames out of order, changes out of order, an alpha out of range.
func (c *Capture) Check() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("frametime: %w: %s", ErrDamaged, fmt.Sprintf(format, args...))
	}
	for i := range c.Frames {
		f := &c.Frames[i]
		if !(f.Alpha >= 0 && f.Alpha < 1) {
			return bad("frame %d has alpha %v, accepted is 0 up to 1", i, f.Alpha)
		}
		if f.Flags >= flagsEnd {
			return bad("frame %d has unknown flags", i)
		}
		if i > 0 && f.Seq <= c.Frames[i-1].Seq {
			return bad("frame %d is out of order", i)
		}
		if far(f.Layout, f.Next, f.UpdateStart, f.UpdateEnd, f.DrawStart, f.DrawEnd, f.CapEnd, f.Wall, f.NextWall) {
			return bad("frame %d has a stamp of over a century", i)
		}
	}
	for i := range c.Releases {
		r := &c.Releases[i]
		if far(r.Scheduled, r.Released, r.Brake) {
			return bad("release %d has a stamp of over a century", i)
		}
	}
	for i := range c.Inputs {
		in := &c.Inputs[i]
		if far(in.Seen, in.Taken, in.Drawn, in.Shown) {
			return bad("input %d has a stamp of over a century", i)
		}
	}
	for i := range c.Digests {
		if i > 0 && c.Digests[i].Tick <= c.Digests[i-1].Tick {
			return bad("digest %d is out of order", i)
		}
	}
	for i, change := range c.Meta.Changes {
		if i > 0 && change.At < c.Meta.Changes[i-1].At {
			return bad("change %d is out of order", i)
		}
	}
	if n := max(len(c.Meta.World), len(c.Meta.Settings)); n > maxSettings {
		return bad("%d settings, accepted is up to %d", n, maxSettings)
	}
	if c.Meta.Display > Unknown {
		return bad("%v is no display", c.Meta.Display)
	}
	for _, r := range []loop.Rate{c.Meta.TickRate, c.Meta.Stated} {
		if r != (loop.Rate{}) && !r.Valid() {
			return bad("%v is no rate", r)
		}
	}
	return nil
}

// maxStamp keeps differences of stamps within 64 bits: a century and more.
const maxStamp = math.MaxInt64 / 2

func far(stamps ...int64) bool {
	for _, t := range stamps {
		if t > maxStamp || t < -maxStamp {
			return true
		}
	}
	return false
}
