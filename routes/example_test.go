package routes_test

import (
	"fmt"

	"chronoscope/routes"
)

// pond is a small map: a field with a pond, and a road round it.
func pond() *routes.Map {
	rows := []string{
		"------",
		"-.~~.-",
		"-.~~.-",
		"------",
	}
	m := &routes.Map{Name: "pond", Width: 6, Height: 4, Cost: routes.DefaultCosts()}
	for _, row := range rows {
		for i := range len(row) {
			m.Terrain = append(m.Terrain, letters[row[i]])
		}
	}
	return m
}

func ExampleSearcher() {
	s := routes.NewSearcher(pond())
	p, err := s.Find(routes.Cell{X: 1, Y: 1}, routes.Cell{X: 4, Y: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d straight and %d diagonal steps, %.3f cells, %d ticks\n", p.Straight, p.Diagonal, p.Length(), p.Ticks())
	_, err = s.Find(routes.Cell{X: 1, Y: 1}, routes.Cell{X: 2, Y: 1})
	fmt.Println(err)
	// Output:
	// 5 straight and 0 diagonal steps, 5.000 cells, 42 ticks
	// routes: not walkable: cell 2,1
}

func ExampleCache() {
	c, err := routes.NewCache(pond(), routes.CacheOptions{ZoneSide: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	from, to := routes.Cell{X: 0, Y: 0}, routes.Cell{X: 5, Y: 3}
	for range 3 {
		p, ok := c.Lookup(from, to)
		if !ok {
			search := c.Request(from, to, false)
			<-search.Done() // a character would listen for its end as well
			if p, err = search.Result(); err != nil {
				fmt.Println(err)
				return
			}
		}
		fmt.Println(p.Ticks(), p.Zones())
	}
	st := c.Stats()
	fmt.Println(st.Misses, "searched,", st.Hits, "hits")
	// Output:
	// 56 [{0 0} {1 0} {2 0} {2 1}]
	// 56 [{0 0} {1 0} {2 0} {2 1}]
	// 56 [{0 0} {1 0} {2 0} {2 1}]
	// 1 searched, 2 hits
}

func ExampleLeg() {
	s := routes.NewSearcher(pond())
	s.Side = 2
	p, err := s.Find(routes.Cell{X: 0, Y: 0}, routes.Cell{X: 4, Y: 0})
	if err != nil {
		fmt.Println(err)
		return
	}
	l := routes.NewRoute(7, 1, p, 1000)
	fmt.Println("from", l.At(l.Start), "to", l.At(l.End), "at", l.End)
	for _, passage := range l.Passages(nil) {
		fmt.Println(passage.Zone, passage.Enter, passage.Exit)
	}
	// Output:
	// from {512 512} to {4608 512} at 1030
	// {0 0} 1000 1012
	// {1 0} 1012 1027
	// {2 0} 1027 1030
}

func ExampleIndex() {
	m := pond()
	x := routes.NewIndex(m, 2)
	home := routes.NewStay(1, 1, routes.Cell{X: 1, Y: 1}.Center(), 0, 500, 2)
	x.Insert(home)
	for _, l := range x.Lookup(routes.ZoneKey{X: 0, Y: 0}, nil) {
		fmt.Println("candidate: leg", l.Number, "of", l.Owner)
	}
	x.Remove(home)
	fmt.Println(x.Count(routes.ZoneKey{X: 0, Y: 0}), "left")
	// Output:
	// candidate: leg 1 of 1
	// 0 left
}
