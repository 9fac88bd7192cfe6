package frametime_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

func encode(t interface{ Fatal(...any) }, c *frametime.Capture) []byte {
	var b bytes.Buffer
	if err := frametime.Write(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestCaptureRoundTrip(t *testing.T) {
	full := sample(120, 500)
	full.Meta.Changes = []frametime.Change{{At: 5, Setting: frametime.Setting{Name: "tick-rate", Value: "30"}}}
	full.Meta.Rules = frametime.Rules{Begin: 3, Warmup: -1, Keep: [frametime.Reasons]bool{frametime.OfFocus: true}}
	full.Meta.TickRate = loop.Rate{Num: 60000, Den: 1001}
	for name, c := range map[string]*frametime.Capture{"full": full, "empty": {}} {
		t.Run(name, func(t *testing.T) {
			b := encode(t, c)
			got, err := frametime.Read(bytes.NewReader(b))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, c) {
				t.Errorf("%+v, want %+v", got.Meta, c.Meta)
			}
			if !bytes.Equal(encode(t, got), b) {
				t.Error("another file the second time")
			}
			if name == "full" {
				t.Logf("%d frames, %d releases in %d bytes", len(c.Frames), len(c.Releases), len(b))
			}
		})
	}
}

// Any frame there can be comes back bit for bit.
func TestEveryFrameRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stamp := rapid.Int64Range(-math.MaxInt64/2, math.MaxInt64/2)
		c := &frametime.Capture{}
		seq := uint64(0)
		for range rapid.IntRange(0, 5).Draw(t, "frames") {
			seq += rapid.Uint64Range(1, 1<<61).Draw(t, "seq")
			draw := func(name string) int64 { return stamp.Draw(t, name) }
			c.Frames = append(c.Frames, frametime.Frame{
				Seq: seq, Layout: draw("layout"), Next: draw("next"), UpdateStart: draw("us"), UpdateEnd: draw("ue"), DrawStart: draw("ds"), DrawEnd: draw("de"),
				CapEnd: draw("cap"), Wall: draw("wall"), NextWall: draw("next wall"),
				TickBefore: loop.Tick(rapid.Uint64().Draw(t, "before")), TickAfter: loop.Tick(rapid.Uint64().Draw(t, "after")),
				Alpha: rapid.Float64Range(0, 0.999).Draw(t, "alpha"), Lag: loop.Tick(rapid.Uint64().Draw(t, "lag")),
				Laggards: rapid.Int32().Draw(t, "laggards"), Dropped: rapid.Int32().Draw(t, "dropped"), Updates: rapid.Int32().Draw(t, "updates"),
				Flags: frametime.Flags(rapid.Uint32Range(0, 1<<12-1).Draw(t, "flags")),
			})
		}
		got, err := frametime.Decode(encode(t, c))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, c) {
			t.Fatalf("%+v, want %+v", got, c)
		}
		frametime.Summarize(got) // whatever the numbers are
	})
}

// A byte that changed anywhere is noticed.
func TestDamage(t *testing.T) {
	b := encode(t, sample(60, 30))
	for i := range b {
		bad := bytes.Clone(b)
		bad[i] ^= 0x10
		_, err := frametime.Decode(bad)
		want := frametime.ErrDamaged
		switch {
		case i < 8:
			want = frametime.ErrFormat
		case i < 12:
			want = frametime.ErrVersion
		}
		if !errors.Is(err, want) {
			t.Fatalf("byte %d of %d changed: %v", i, len(b), err)
		}
	}
	for n := range b {
		if _, err := frametime.Decode(b[:n]); err == nil || strings.Contains(err.Error(), "\n") {
			t.Fatalf("cut off at %d: %v", n, err)
		}
	}
}

// pack makes a file of a content, with its checksum right.
func pack(content []byte) []byte {
	var body bytes.Buffer
	z := gzip.NewWriter(&body)
	z.Write(content)
	z.Close()
	sum := sha256.Sum256(body.Bytes())
	head := binary.LittleEndian.AppendUint32([]byte("chronofc"), frametime.FileVersion)
	return append(append(head, sum[:]...), body.Bytes()...)
}

// Files that are whole and make no sense.
func TestNonsense(t *testing.T) {
	meta := func(json string, rest ...byte) []byte {
		return pack(append(append([]byte{byte(len(json))}, json...), rest...))
	}
	for name, b := range map[string][]byte{
		"nothing in it":          pack(nil),
		"a description too long": pack([]byte{200, 1, '{', '}'}),
		"no description":         meta("what", 0, 0, 0, 0),
		"more frames than bytes": meta("{}", 255, 255, 255, 255, 255, 255, 255, 255, 255, 1),
		"more frames than that":  meta("{}", binary.AppendUvarint(nil, 1<<39)...),
		"a number too large": meta("{}", func() []byte {
			b := []byte{1}
			for i := range 18 {
				b = binary.AppendVarint(b, int64(i/14)<<40) // laggards and what follows
			}
			return append(b, 0, 0, 0)
		}()...),
		"a frame cut off": meta("{}", 1, 2, 2, 2),
		"something left":  meta("{}", 0, 0, 0, 0, 7),
		"a count cut off": meta("{}", 0, 0, 128),
		"no gzip": func() []byte {
			b := pack(nil)
			sum := sha256.Sum256([]byte("xy"))
			return append(append(b[:12:12], sum[:]...), "xy"...)
		}(),
		"a rate that isn't one": meta(`{"tick_rate":{"Num":0,"Den":7}}`, 0, 0, 0, 0),
		"alpha of 1": meta("{}", func() []byte {
			b := []byte{1}
			for i := range 18 {
				v := int64(0)
				if i == 12 {
					v = int64(math.Float64bits(1))
				}
				b = binary.AppendVarint(b, v)
			}
			return append(b, 0, 0, 0)
		}()...),
		"changes out of order":    meta(`{"changes":[{"at":5},{"at":4}]}`, 0, 0, 0, 0),
		"digests out of order":    meta("{}", 0, 0, 2, 2, 2, 0, 2, 0),
		"a count beyond the file": meta("{}", 0, 9, 1, 1, 1, 1, 0),
	} {
		t.Run(name, func(t *testing.T) {
			if c, err := frametime.Decode(b); !errors.Is(err, frametime.ErrDamaged) || c != nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v", err)
			}
		})
	}
	for name, change := range map[string]func(*frametime.Capture){
		"alpha":     func(c *frametime.Capture) { c.Frames[3].Alpha = 1 },
		"no number": func(c *frametime.Capture) { c.Frames[3].Alpha = math.NaN() },
		"order":     func(c *frametime.Capture) { c.Frames[3].Seq = c.Frames[2].Seq },
		"flags":     func(c *frametime.Capture) { c.Frames[3].Flags |= 1 << 12 },
		"stamp":     func(c *frametime.Capture) { c.Frames[3].Next = math.MaxInt64 },
		"release":   func(c *frametime.Capture) { c.Releases[3].Released = math.MinInt64 },
		"input":     func(c *frametime.Capture) { c.Inputs[1].Seen = math.MinInt64 },
		"digest":    func(c *frametime.Capture) { c.Digests[1].Tick = 0 },
		"settings": func(c *frametime.Capture) {
			c.Meta.World = slices.Repeat([]frametime.Setting{{Name: "x"}}, 1001)
		},
		"display":     func(c *frametime.Capture) { c.Meta.Display = 4 },
		"stated rate": func(c *frametime.Capture) { c.Meta.Stated = loop.Rate{Num: 1 << 40, Den: 1} },
	} {
		t.Run(name, func(t *testing.T) {
			c := sample(60, 10)
			change(c)
			if err := c.Check(); !errors.Is(err, frametime.ErrDamaged) {
				t.Errorf("%v", err)
			}
			// What couldn't be read isn't written either.
			var b bytes.Buffer
			if err := frametime.Write(&b, c); !errors.Is(err, frametime.ErrDamaged) || b.Len() > 0 {
				t.Errorf("written: %v", err)
			}
		})
	}
}

// What a file says is printed: it must not steer a terminal.
func TestTextIsCleaned(t *testing.T) {
	c := sample(60, 10)
	c.Meta.Name, c.Meta.Settings[0].Value = "red \x1b[31m\nalert", strings.Repeat("x", 300)
	got, err := frametime.Decode(encode(t, c))
	if err != nil {
		t.Fatal(err)
	}
	if got.Meta.Name != "red  [31m alert" || len(got.Meta.Settings[0].Value) != 203 {
		t.Errorf("%q, %d bytes", got.Meta.Name, len(got.Meta.Settings[0].Value))
	}
}

func FuzzDecode(f *testing.F) {
	for _, c := range []*frametime.Capture{{}, sample(60, 3)} {
		f.Add(encode(f, c), false)
	}
	v1, err := os.ReadFile(filepath.Join("testdata", "v1.capture"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(v1, false)
	f.Add([]byte{2, '{', '}', 1, 2, 2, 2}, true)
	f.Add(append([]byte{2, '{', '}', 1}, make([]byte, 20)...), true)
	f.Fuzz(func(t *testing.T, b []byte, content bool) {
		if content {
			b = pack(b) // or the checksum would keep everything out
		}
		c, err := frametime.Decode(b)
		if err != nil {
			if c != nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, %q", c, err)
			}
			return
		}
		again, err := frametime.Decode(encode(t, c))
		if err != nil || !reflect.DeepEqual(again, c) {
			t.Errorf("not the same a second time: %v", err)
		}
		exercise(t, c)
	})
}

// exercise asks everything that can be asked of a capture.
func exercise(t *testing.T, c *frametime.Capture) {
	frametime.Summarize(c)
	cmp, err := frametime.Compare([]*frametime.Capture{c, sample(60, 30)}, []*frametime.Capture{c, c})
	if err != nil {
		t.Fatal(err)
	}
	if text := cmp.Text(); strings.ContainsAny(text, "\x1b\r") {
		t.Errorf("it steers terminals: %q", text)
	}
	var b bytes.Buffer
	if err := frametime.WriteMangoHud(&b, c); err != nil {
		t.Error(err)
	}
	if err := frametime.WriteTrace(&b, c); err != nil {
		t.Error(err)
	}
	if err := frametime.WritePresentMon(&b, c); err != nil && !errors.Is(err, frametime.ErrTooFew) {
		t.Error(err)
	}
}

// A file of version 1 is read for ever.
func TestVersion1(t *testing.T) {
	path := filepath.Join("testdata", "v1.capture")
	if *update {
		if err := os.WriteFile(path, encode(t, sample(120, 40)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := frametime.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, sample(120, 40)) {
		t.Error("it isn't what was written")
	}
}
