package loop_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The direction of the module's imports. It is checked here because loop is
// the ground floor and its tests need no display.

const module = "chronoscope"

// floors says what the packages of each folder (and the folders below it) may
// import of the others, directly. The window program's folder is "main".
var floors = map[string][]string{
	"main":           {"game", "game/guard", "overlay", "world", "world/scenario", "coordinator", "routes", "loop", "loop/frametime", "assets"},
	"game":           {"overlay", "world", "world/scenario", "coordinator", "routes", "loop", "loop/frametime", "loop/lab", "assets"},
	"game/guard":     {},
	"overlay":        {"world", "world/scenario", "coordinator", "routes", "loop", "loop/frametime", "loop/lab", "assets"},
	"headless":       {"world", "world/scenario", "coordinator", "routes", "loop", "loop/frametime", "loop/physics", "assets"},
	"world":          {"world/scenario", "coordinator", "routes", "loop"},
	"world/scenario": {"world", "coordinator", "routes", "loop", "loop/frametime", "assets"},
	"coordinator":    {"loop"},
	"routes":         {"loop"},
	"loop":           {"loop/budget"},
	"loop/budget":    {},
	"loop/frametime": {"loop"},
	"loop/physics":   {"loop", "loop/frametime"},
	"loop/lab":       {"loop", "loop/frametime"},
	"assets":         {},
}

const (
	whyDown = "imports point down only, main -> game -> overlay -> world -> {coordinator, routes} -> loop and headless -> world, " +
		"with assets at the side and game/guard for main alone, so that every part can be tested and read without those above it"
	whyDrawn = "only main, game and overlay may depend on Ebitengine, which panics in its package initialisation where there is no display: " +
		"one stray import below would chain every simulation test and the headless program to a display"
	whyGuard = "game/guard imports the standard library alone, since it must be initialised before Ebitengine is, to say in one line that there is no display"
	whyImage = "x/image is for what is drawn: only main, game and overlay import it directly"
)

// floorOf gives the floor of a package of the module, "" for one that has none.
func floorOf(path string) string {
	if path == module {
		return "main"
	}
	// The longest folder counts: world/scenario is not just world.
	for folder := strings.TrimPrefix(path, module+"/"); ; {
		if _, ok := floors[folder]; ok {
			return folder
		}
		i := strings.LastIndexByte(folder, '/')
		if i < 0 {
			return ""
		}
		folder = folder[:i]
	}
}

func inModule(path string) bool { return path == module || strings.HasPrefix(path, module+"/") }

// standard says whether a path belongs to the standard library ("C" is cgo's).
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && !inModule(path)
}

func drawing(path string) bool {
	return path == "github.com/hajimehoshi/ebiten/v2" || strings.HasPrefix(path, "github.com/hajimehoshi/ebiten/v2/") ||
		strings.HasPrefix(path, "github.com/ebitengine/")
}

// pkg is what go list says of a package. Path is the import path without the
// variant of a test: a package's tests count as the package.
type pkg struct {
	ImportPath string
	ForTest    string
	Imports    []string
	Deps       []string
}

// plain takes a test variant's suffix off an import path, as in
// "chronoscope/loop [chronoscope/loop.test]".
func plain(path string) string {
	path, _, _ = strings.Cut(path, " ")
	return path
}

// violations lists what is wrong with one package's imports, each with the
// reason of the rule.
func violations(p pkg) []string {
	path := plain(p.ImportPath)
	if p.ForTest != "" {
		path = p.ForTest // an external test package
	}
	from := floorOf(path)
	if from == "" {
		return []string{fmt.Sprintf("%s has no floor: give it one in this test; %s", path, whyDown)}
	}
	var bad []string
	say := func(to, why string) { bad = append(bad, fmt.Sprintf("%s must not import %s: %s", path, to, why)) }
	drawn := from == "main" || from == "game" || from == "overlay"
	for _, to := range p.Imports {
		to = plain(to)
		switch {
		case standard(to) || to == path:
		case from == "game/guard":
			say(to, whyGuard)
		case inModule(to):
			if f := floorOf(to); f != from && !slices.Contains(floors[from], f) {
				say(to, whyDown)
			}
		case strings.HasPrefix(to, "golang.org/x/image/") && !drawn:
			say(to, whyImage)
		}
	}
	if !drawn {
		// The direct imports first: those are what to take out.
		for _, to := range slices.Concat(p.Imports, p.Deps) {
			if to = plain(to); drawing(to) {
				bad = append(bad, fmt.Sprintf("%s must not depend on %s: %s", path, to, whyDrawn))
				break // the rest follows from it
			}
		}
	}
	return bad
}

// platforms are those the module is built for. cgo is what makes Ebitengine's
// files count on Linux.
var platforms = []struct{ goos, goarch, cgo string }{
	{"linux", "amd64", "1"},
	{"windows", "amd64", "0"},
	{"darwin", "arm64", "1"},
	{"js", "wasm", "0"},
}

func TestImportsPointDown(t *testing.T) {
	root := moduleRoot(t)
	readTree(t, root)
	for _, pf := range platforms {
		t.Run(pf.goos, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-test", "-json=ImportPath,ForTest,Imports,Deps", "./...")
			cmd.Dir = root
			cmd.Env = append(os.Environ(), "GOOS="+pf.goos, "GOARCH="+pf.goarch, "CGO_ENABLED="+pf.cgo)
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("go list: %v\n%s", err, stderr.String())
			}
			seen := map[string]bool{} // by package
			bad := map[string]bool{}
			for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
				var p pkg
				if err := dec.Decode(&p); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				path := plain(p.ImportPath)
				if !inModule(path) || strings.HasSuffix(path, ".test") {
					continue // others' packages, and generated test programs
				}
				seen[path] = true
				for _, v := range violations(p) {
					bad[v] = true
				}
			}
			if !seen[module+"/loop"] || !seen[module+"/loop_test"] {
				t.Errorf("go list doesn't know this very package: %q", slices.Sorted(maps.Keys(seen)))
			}
			for _, v := range slices.Sorted(maps.Keys(bad)) {
				t.Error(v)
			}
		})
	}
}

// The rules themselves, with an arrow of each kind that must and must not be.
func TestImportRules(t *testing.T) {
	const ebiten, debugui, image = "github.com/hajimehoshi/ebiten/v2", "github.com/ebitengine/debugui", "golang.org/x/image/font"
	tests := []struct {
		from, to string
		ok       bool
	}{
		{"chronoscope", "chronoscope/game", true},
		{"chronoscope", "chronoscope/game/guard", true},
		{"chronoscope", "chronoscope/loop", true},
		{"chronoscope", "chronoscope/headless", false},
		{"chronoscope", ebiten, true},
		{"chronoscope/game", "chronoscope/overlay", true},
		{"chronoscope/game", "chronoscope/game/guard", false},
		{"chronoscope/game", "chronoscope/assets", true},
		{"chronoscope/game", image, true},
		{"chronoscope/overlay", "chronoscope/game", false},
		{"chronoscope/overlay", debugui, true},
		{"chronoscope/overlay", "chronoscope/routes/town", true},
		{"chronoscope/headless", "chronoscope/world/scenario", true},
		{"chronoscope/headless", "chronoscope/assets", true},
		{"chronoscope/headless", "chronoscope/game", false},
		{"chronoscope/headless", "chronoscope/overlay", false},
		{"chronoscope/headless", ebiten, false},
		{"chronoscope/world", "chronoscope/coordinator", true},
		{"chronoscope/world", "chronoscope/routes/mapfile", true},
		{"chronoscope/world", "chronoscope/world/scenario", true},
		{"chronoscope/world", "chronoscope/overlay", false},
		{"chronoscope/world", "chronoscope/assets", false},
		{"chronoscope/world", debugui, false},
		{"chronoscope/world", ebiten + "/text/v2", false},
		{"chronoscope/world", image, false},
		{"chronoscope/world/scenario", "chronoscope/assets", true},
		{"chronoscope/world/scenario", "chronoscope/world", true},
		{"chronoscope/world/scenario", "chronoscope/headless", false},
		{"chronoscope/coordinator", "chronoscope/loop", true},
		{"chronoscope/coordinator", "chronoscope/routes", false},
		{"chronoscope/coordinator", "chronoscope/world", false},
		{"chronoscope/routes", "chronoscope/loop", true},
		{"chronoscope/routes", "chronoscope/coordinator", false},
		{"chronoscope/routes/town", "chronoscope/routes", true},
		{"chronoscope/routes", "chronoscope/routes/mapfile", true},
		{"chronoscope/loop", "chronoscope/loop/budget", true},
		{"chronoscope/loop/physics", "chronoscope/loop/frametime", true},
		{"chronoscope/loop/physics", "github.com/jakecoffman/cp/v2", true},
		{"chronoscope/loop/physics", "chronoscope/routes", false},
		{"chronoscope/loop", "chronoscope/loop/physics", false},
		{"chronoscope/overlay", "chronoscope/loop/lab", true},
		{"chronoscope/loop/lab", "chronoscope/loop/frametime", true},
		{"chronoscope/loop/lab", "chronoscope/coordinator", false},
		{"chronoscope/headless", "chronoscope/loop/physics", true},
		{"chronoscope/loop", "chronoscope/routes", false},
		{"chronoscope/loop", "github.com/HdrHistogram/hdrhistogram-go", true},
		{"chronoscope/loop", "time", true},
		{"chronoscope/loop", ebiten, false},
		{"chronoscope/assets", "embed", true},
		{"chronoscope/assets", "chronoscope/loop", false},
		{"chronoscope/assets", ebiten, false},
		{"chronoscope/game/guard", "net", true},
		{"chronoscope/game/guard", "chronoscope/assets", false},
		{"chronoscope/game/guard", "pgregory.net/rapid", false},
		{"chronoscope/game/guard", ebiten, false},
		{"chronoscope/cellar", "time", false},
	}
	for _, tt := range tests {
		t.Run(tt.from+" to "+tt.to, func(t *testing.T) {
			p := pkg{ImportPath: tt.from, Imports: []string{tt.to}, Deps: []string{tt.to}}
			test := pkg{
				ImportPath: tt.from + "_test [" + tt.from + ".test]", ForTest: tt.from,
				Imports: []string{tt.from, tt.to + " [" + tt.from + ".test]"}, Deps: []string{tt.to},
			}
			for _, p := range []pkg{p, test} {
				if bad := violations(p); (len(bad) == 0) != tt.ok {
					t.Errorf("%s: violations %q, want allowed = %v", p.ImportPath, bad, tt.ok)
				}
			}
		})
	}
	// Ebitengine through somebody else's package.
	p := pkg{ImportPath: "chronoscope/routes", Imports: []string{"example.org/chart"}, Deps: []string{"example.org/chart", ebiten}}
	if bad := violations(p); len(bad) != 1 || !strings.Contains(bad[0], "depend on "+ebiten) {
		t.Errorf("an indirect dependency gives %q", bad)
	}
}

func moduleRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	return root
}

// readTree looks at every Go file of the module. What a test opens or stats is
// part of its cache key, what go list reads is not: without this a violation
// would hide behind a cached success.
func readTree(t *testing.T, root string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "out") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, ".go") || d.Name() == "go.mod" {
			files++
			_, err = os.Stat(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 2 {
		t.Fatalf("found %d files below %s", files, root)
	}
}
