//go:build !race

package world

import (
	"testing"

	"chronoscope/loop"
	"chronoscope/routes"
	"chronoscope/routes/town"
)

// TestTownIsOnTheMove follows the first day of 2,000 people of the built-in
// town: at any tick between 07:00 and 21:00 a tenth of them walk, and everyone
// has 6 to 12 entries a day.
func TestTownIsOnTheMove(t *testing.T) {
	m, err := town.Generate(town.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.EnsurePlaces(1); err != nil {
		t.Fatal(err)
	}
	const people = 2000
	const from, to = loop.TicksPerHour, 15 * loop.TicksPerHour
	v := newLives(m, 1, LifeTown, 0)
	type trip struct{ from, to routes.PlaceID }
	known := map[trip]loop.Tick{}
	s := routes.NewSearcher(m)
	var change [to + 1]int // of the number of walkers
	for spawn := uint64(1); spawn <= people; spawn++ {
		if n := v.count(spawn, 0); n < 6 || n > 12 {
			t.Fatalf("character %d has %d entries", spawn, n)
		}
		var p plan
		at, leg := v.home(spawn), uint32(1)
		for now := v.peek(spawn, &p); now < to; {
			goal := at
			due := now
			for due <= now {
				day, i := p.day, int(p.next)
				p.next++
				if due = v.peek(spawn, &p); due > now {
					goal = v.destination(spawn, day, i, leg+1, at)
				}
			}
			leg++
			if goal == at {
				now = due
				continue
			}
			k := trip{at, goal}
			if known[k] == 0 {
				path, err := s.Find(m.Places[at].Cell, m.Places[goal].Cell)
				if err != nil {
					t.Fatal(err)
				}
				known[k] = path.Ticks()
			}
			change[now]++
			change[min(now+known[k], to)]--
			now, at = max(now+known[k], due), goal
		}
	}
	walking, least := 0, people
	for tick := range to {
		walking += change[tick]
		if tick >= from {
			least = min(least, walking)
		}
	}
	if least < people/10 {
		t.Errorf("at some tick only %d of %d are on the move", least, people)
	}
	t.Logf("at least %d of %d on the move, %d different trips", least, people, len(known))
}
