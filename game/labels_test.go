package game

import (
	"fmt"
	"image"
	"slices"
	"testing"

	"chronoscope/overlay"
	"chronoscope/routes"

	"pgregory.net/rapid"
)

func boxOf(l *mapLabel) box { return box{l.x - l.w/2, l.y - l.h/2, l.x + l.w/2, l.y + l.h/2} }

func TestPlaceLabels(t *testing.T) {
	view := image.Rect(0, 36, 800, 600)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 60).Draw(t, "n")
		labels := make([]mapLabel, n)
		for i := range labels {
			labels[i] = mapLabel{
				s: fmt.Sprint(i),
				x: rapid.Float64Range(-100, 900).Draw(t, "x"), y: rapid.Float64Range(-100, 700).Draw(t, "y"),
				w: rapid.Float64Range(1, 250).Draw(t, "w"), h: rapid.Float64Range(1, 90).Draw(t, "h"),
				rank: labelRank(rapid.IntRange(0, 3).Draw(t, "rank")), weight: int32(rapid.IntRange(0, 3).Draw(t, "weight")),
			}
		}
		blocked := image.Rect(20, 500, 200, 590)
		again := slices.Clone(labels)
		var p, q placer
		q.reset(image.Rect(0, 0, 2000, 2000), 30) // what it was used for before doesn't count
		q.add(box{0, 0, 2000, 2000})
		place(&p, labels, view, 1, blocked)
		place(&q, again, view, 1, blocked)
		if !slices.Equal(labels, again) {
			t.Fatal("the same labels were placed differently")
		}
		for i := range labels {
			a := &labels[i]
			if i > 0 {
				b := &labels[i-1]
				if b.rank > a.rank || b.rank == a.rank && b.weight < a.weight {
					t.Fatalf("label %d is more important than the one before it", i)
				}
			}
			reason := boxOf(a).overlaps(box{20, 500, 200, 590})
			for j := range labels[:i] {
				if b := &labels[j]; b.kept && boxOf(a).overlaps(boxOf(b)) {
					reason = true
				}
			}
			if a.kept == reason {
				t.Fatalf("label %d: kept %v; something as important lies under it: %v", i, a.kept, reason)
			}
		}
	})
}

func namedGround() *routes.Map {
	m := testGround()
	for i := range 300 {
		h := mix64(uint64(i))
		m.Places = append(m.Places, routes.Place{
			Name: fmt.Sprintf("Some Street %d", i), Kind: routes.PlaceKind(i % 5),
			Cell: routes.Cell{X: int32(h % 256), Y: int32(h >> 8 % 256)}, District: -1,
		})
	}
	for i := range 12 {
		m.Districts = append(m.Districts, routes.District{
			Name: fmt.Sprintf("Quarter %d", i), Center: routes.Cell{X: int32(20 + i%4*60), Y: int32(30 + i/4*70)},
		})
	}
	return m
}

func newTestLettering(t *testing.T) *overlay.Lettering {
	t.Helper()
	let, err := overlay.NewLettering()
	if err != nil {
		t.Fatal(err)
	}
	return let
}

// At every scale no two names overlap, and a name that isn't written gives way
// to one at least as important.
func TestNamesDontOverlap(t *testing.T) {
	let := newTestLettering(t)
	n := newNames(namedGround())
	cam := testCamera()
	cam.mapW, cam.mapH = 256, 256
	written := 0
	for scale := 1.0; scale < 256; scale *= 1.07 {
		cam.Scale, cam.X, cam.Y = scale, 128, 128
		labels := n.label(cam, let, nil)
		written += len(labels)
		for i := range labels {
			w, h := (&name{text: labels[i].s, icon: labels[i].icon, district: labels[i].icon == noIcon}).size(let)
			labels[i].w, labels[i].h = w, h
			for j := range labels[:i] {
				if boxOf(&labels[i]).overlaps(boxOf(&labels[j])) {
					t.Fatalf("at scale %v %q lies over %q", scale, labels[i].s, labels[j].s)
				}
			}
		}
	}
	if written < 200 {
		t.Errorf("%d names at all scales together", written)
	}
}

// While the map is moved and nothing enters or leaves, the same names stay.
func TestNamesStay(t *testing.T) {
	let := newTestLettering(t)
	n := newNames(namedGround())
	cam := testCamera()
	cam.mapW, cam.mapH = 256, 256
	cam.Scale, cam.X, cam.Y = 16, 100, 100
	inner := func() []string {
		var s []string
		for _, l := range n.label(cam, let, nil) {
			if x, y := cam.ToMap(l.x, l.y); x > 80 && x < 120 && y > 92 && y < 108 {
				s = append(s, l.s)
			}
		}
		slices.Sort(s)
		return s
	}
	want := inner()
	if len(want) == 0 {
		t.Fatal("no names")
	}
	for range 60 {
		cam.X += 0.13
		cam.Y -= 0.07
		cam.Scale *= 1.0005
		if got := inner(); !slices.Equal(got, want) {
			t.Fatalf("at (%.1f, %.1f): %q, before %q", cam.X, cam.Y, got, want)
		}
	}
}
