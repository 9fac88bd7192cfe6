package main

import (
	"os"
	"strings"
	"testing"
)

const pond = `type octile
height 4
width 6
map
......
..WW..
..WW.@
.@@@@.
`

func TestMapInfo(t *testing.T) {
	file := write(t, "pond.map", pond)
	o := call(t.Context(), program{}, "map", "info", file)
	if o.code != exitDone || o.stderr != "" {
		t.Fatalf("got %d: %s", o.code, o.stderr)
	}
	for _, want := range []string{"format", "size        6 x 4", "walkable    15 of 24 cells (62.5 %)", "components  2", "largest     14 cells",
		"places      none of its own; 14 are drawn with seed 1", "hash        "} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("no %q in\n%s", want, o.stdout)
		}
	}
	if strings.Contains(o.stdout, "trips") {
		t.Errorf("trips without a list:\n%s", o.stdout)
	}
}

func TestMapInfoTrips(t *testing.T) {
	file := write(t, "pond.map", pond)
	list := "version 1\n" +
		"0\tpond.map\t6\t4\t0\t0\t5\t0\t5.00000000\n" +
		"0\tpond.map\t6\t4\t0\t0\t5\t3\t0.00000000\n" +
		"0\tpond.map\t60\t40\t0\t0\t5\t3\t1.00000000\n"
	want := "the longest 5 cells, 1 for a map of another size, 1 without a way"
	if err := os.WriteFile(file+".scen", []byte(list), 0o644); err != nil {
		t.Fatal(err)
	}
	if o := call(t.Context(), program{}, "map", "info", file); !strings.Contains(o.stdout, "trips       3 in "+file+".scen, "+want) {
		t.Errorf("beside the map: got %d, %s%s", o.code, o.stdout, o.stderr)
	}
	other := write(t, "other.scen", list)
	if o := call(t.Context(), program{}, "map", "info", file, other); !strings.Contains(o.stdout, "trips       3 in "+other+", "+want) {
		t.Errorf("given: got %d, %s%s", o.code, o.stdout, o.stderr)
	}
}

func TestMapInfoUninhabitable(t *testing.T) {
	file := write(t, "rock.map", "type octile\nheight 1\nwidth 3\nmap\n.@.\n")
	o := call(t.Context(), program{}, "map", "info", file)
	if o.code != exitDone || !strings.Contains(o.stdout, "nobody can live here: ") {
		t.Errorf("got %d, %s%s", o.code, o.stdout, o.stderr)
	}
}
