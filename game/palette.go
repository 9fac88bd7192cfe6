package game

import (
	"image"
	"slices"
	"strings"
	"time"
	"unicode"

	"chronoscope/overlay"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
)

// palette is the command line at the top of the map: with it the keyboard alone
// does all that panels and mouse do. What is typed filters the list of commands
// below it.
type palette struct {
	open  bool
	line  []rune
	caret int // in line
	fault string

	entries []command
	shown   []int // in entries, those that match the line, best first
	at      int   // in shown, the one chosen
	first   int   // in shown, the uppermost row

	box  image.Rectangle // as drawn last
	rows image.Rectangle
}

// command is a line of the list: an action, or a setting with a present value.
type command struct {
	name string
	help string
	// accepted is what may follow the name, "" when nothing does; optional says
	// that it may also be left out.
	accepted string
	optional bool
	// words are the values there are to choose from, if they are a few.
	words []string
	// setting says that it has a value, which is value when the line is opened.
	setting bool
	value   string
	// run does it. Its error is shown in the line.
	run func(args string, in *overlay.Intents) error
}

// lineLimit bounds what is typed, in characters.
const lineLimit = 200

// openPalette opens the command line with a text already in it.
func (g *Game) openPalette(text string) {
	p := &g.palette
	*p = palette{open: true, line: []rune(text), caret: len([]rune(text)), entries: g.commands(), shown: p.shown}
	p.filter()
	g.cam.Glide(0, 0) // no key moves the map from here on
}

func (p *palette) close() { p.open = false }

// text is what was typed.
func (p *palette) text() string { return string(p.line) }

// set replaces what was typed.
func (p *palette) set(s string) {
	p.line = []rune(s)
	p.caret = len(p.line)
	p.changed()
}

func (p *palette) changed() {
	p.fault = ""
	p.filter()
}

// insert types a character at the caret.
func (p *palette) insert(c rune) {
	if len(p.line) < lineLimit && unicode.IsPrint(c) {
		p.line = slices.Insert(p.line, p.caret, c)
		p.caret++
		p.changed()
	}
}

// erase deletes the character before the caret, or the whole word.
func (p *palette) erase(word bool) {
	from := max(p.caret-1, 0)
	if word {
		for from > 0 && p.line[from] == ' ' {
			from--
		}
		for from > 0 && p.line[from-1] != ' ' {
			from--
		}
	}
	p.line = slices.Delete(p.line, from, p.caret)
	p.caret = from
	p.changed()
}

// move moves the caret.
func (p *palette) move(by int) { p.caret = min(max(p.caret+by, 0), len(p.line)) }

// choose moves the choice in the list.
func (p *palette) choose(by int) { p.at = min(max(p.at+by, 0), max(len(p.shown)-1, 0)) }

// chosen is the entry chosen in the list, nil if the list is empty.
func (p *palette) chosen() *command {
	if p.at >= len(p.shown) {
		return nil
	}
	return &p.entries[p.shown[p.at]]
}

// named is the entry whose name the line begins with, and what follows it. No
// name is the first words of another.
func (p *palette) named() (e *command, args string) {
	line := strings.TrimSpace(p.text())
	for i := range p.entries {
		n := p.entries[i].name
		if rest, ok := strings.CutPrefix(line, n); ok && (rest == "" || rest[0] == ' ') {
			e, args = &p.entries[i], strings.TrimSpace(rest)
		}
	}
	return e, args
}

// filter lists the entries that match: the one that is named with its values,
// else those whose name begins with what was typed, contains it, or whose help
// does.
func (p *palette) filter() {
	p.shown, p.at, p.first = p.shown[:0], 0, 0
	line := strings.ToLower(strings.TrimSpace(p.text()))
	e, args := p.named()
	rank := func(i int) int {
		x := &p.entries[i]
		switch {
		case e != nil && x == e:
			return 0
		case e != nil && args != "":
			return -1 // it is settled which is meant
		case strings.HasPrefix(x.name, line):
			return 1
		case strings.Contains(x.name, line):
			return 2
		case len(line) > 2 && strings.Contains(strings.ToLower(x.help), line):
			return 3
		}
		return -1
	}
	for i := range p.entries {
		if rank(i) >= 0 {
			p.shown = append(p.shown, i)
		}
	}
	slices.SortStableFunc(p.shown, func(a, b int) int { return rank(a) - rank(b) })
}

// complete fills in the name that is chosen, or the next of its values.
func (p *palette) complete() {
	e, args := p.named()
	if c := p.chosen(); c != nil && (e == nil || c != e) {
		s := c.name
		if c.accepted != "" {
			s += " "
		}
		p.set(s)
		return
	}
	if e == nil || e.accepted == "" {
		return
	}
	next := args
	if i := slices.Index(e.words, args); i >= 0 {
		next = e.words[(i+1)%len(e.words)]
	} else if i := slices.IndexFunc(e.words, func(w string) bool { return strings.HasPrefix(w, args) }); i >= 0 {
		next = e.words[i]
	} else if args == "" && e.setting {
		next = e.value // to be changed a little
	}
	p.set(e.name + " " + next)
}

// enter runs what was typed, or, when that is only part of a name, what is
// chosen; if it needs more, its name is filled in first. It gives the entry that
// was run, nil if none was.
func (p *palette) enter(in *overlay.Intents) *command {
	e, args := p.named()
	// Of several names that begin alike the arrows decide.
	if c := p.chosen(); c != nil && c != e && (e == nil || args == "" && p.at > 0) {
		e, args = c, ""
	}
	switch {
	case e == nil:
		if line := strings.TrimSpace(p.text()); line != "" {
			p.fault = "no command \"" + line + "\": an empty line lists them all"
		}
		return nil
	case args == "" && e.accepted != "" && !e.optional:
		missing := p.text() == e.name+" "
		p.set(e.name + " ")
		if missing {
			p.fault = e.name + ": accepted are " + e.accepted
		}
		return nil
	case args != "" && e.accepted == "":
		p.fault = e.name + " takes nothing after it"
		return nil
	}
	if err := e.run(args, in); err != nil {
		p.fault = err.Error()
		return nil
	}
	return e
}

// again says whether a key acts now: when it goes down and, held, every few
// updates.
func again(k ebiten.Key) bool {
	// A short press in a slow frame has no duration.
	d := inpututil.KeyPressDuration(k)
	return inpututil.IsKeyJustPressed(k) || d > 24 && d%3 == 0
}

// paletteKeys reads the keyboard for the open command line; nobody else does
// then.
func (g *Game) paletteKeys(in *overlay.Intents, now time.Time) {
	p := &g.palette
	pressed := inpututil.IsKeyJustPressed
	control := ebiten.IsKeyPressed(ebiten.KeyControl)
	g.chars = ebiten.AppendInputChars(g.chars[:0])
	for _, c := range g.chars {
		p.insert(c)
	}
	for _, k := range [...]struct {
		key ebiten.Key
		do  func()
	}{
		{ebiten.KeyBackspace, func() { p.erase(control) }},
		{ebiten.KeyArrowLeft, func() { p.move(-1) }},
		{ebiten.KeyArrowRight, func() { p.move(+1) }},
		{ebiten.KeyArrowUp, func() { p.choose(-1) }},
		{ebiten.KeyArrowDown, func() { p.choose(+1) }},
		{ebiten.KeyPageUp, func() { p.choose(-listRows) }},
		{ebiten.KeyPageDown, func() { p.choose(+listRows) }},
	} {
		if again(k.key) {
			k.do()
		}
	}
	switch {
	case pressed(ebiten.KeyEscape), control && pressed(ebiten.KeyK):
		p.close()
	case control && pressed(ebiten.KeyU):
		p.set("")
	case pressed(ebiten.KeyHome):
		p.move(-lineLimit)
	case pressed(ebiten.KeyEnd):
		p.move(+lineLimit)
	case pressed(ebiten.KeyTab):
		p.complete()
	case pressed(ebiten.KeyEnter), pressed(ebiten.KeyNumpadEnter):
		g.enterPalette(in, now)
	}
}

// enterPalette runs the line and closes it, unless it has to be corrected.
func (g *Game) enterPalette(in *overlay.Intents, now time.Time) {
	p := &g.palette
	p.entries = g.commands() // over the world as it is now
	e := p.enter(in)
	if e == nil {
		return
	}
	if e.setting {
		g.hud.say(strings.TrimSpace(p.text()), now)
	}
	p.close()
}

// clickPalette is a click while the line is open: on a row it is chosen and run,
// or its name filled in. false beside the line.
func (g *Game) clickPalette(in *overlay.Intents, at image.Point) bool {
	p := &g.palette
	if at.In(p.rows) {
		p.at = p.first + (at.Y-p.rows.Min.Y)/g.palettePx(listRow)
		if c := p.chosen(); c != nil {
			if e, _ := p.named(); e != c {
				p.set(c.name)
			}
			g.enterPalette(in, g.now())
		}
		return true
	}
	return at.In(p.box)
}

// The parts of the command line, in device-independent pixels, and how many rows
// of its list are shown at most.
const (
	lineHeight = 32
	listRow    = 20
	listRows   = 10
	lineWidth  = 760
)

func (g *Game) palettePx(v float64) int { return max(int(v*g.device+0.5), 1) }

// drawPalette draws the command line and its list over the map.
func (g *Game) drawPalette(screen *ebiten.Image) {
	p, u, view := &g.palette, g.device, g.at.view
	w := min(g.palettePx(lineWidth), view.Dx()-g.palettePx(24))
	head := float64(lineHeight)
	if p.fault != "" {
		head += listRow
	}
	fits := (view.Dy() - g.palettePx(head+30)) / g.palettePx(listRow)
	n := max(min(len(p.shown), listRows, fits), 0)
	p.first = min(max(p.first, p.at-n+1), p.at)
	x0, y0 := view.Min.X+(view.Dx()-w)/2, view.Min.Y+g.palettePx(10)
	p.box = image.Rect(x0, y0, x0+w, y0+g.palettePx(head)+n*g.palettePx(listRow)+g.palettePx(6))
	p.rows = image.Rect(x0, y0+g.palettePx(head), x0+w, p.box.Max.Y-g.palettePx(6))

	m := &g.mesh
	m.Reset()
	fill(m, p.box, overlay.Alpha(overlay.Surface, 0.97))
	m.Frame(float32(p.box.Min.X), float32(p.box.Min.Y), float32(p.box.Max.X), float32(p.box.Max.Y), float32(u), overlay.Signal)
	row := func(i int) image.Rectangle {
		h := g.palettePx(listRow)
		return image.Rect(p.rows.Min.X+int(u), p.rows.Min.Y+i*h, p.rows.Max.X-int(u), p.rows.Min.Y+(i+1)*h)
	}
	if n > 0 {
		fill(m, row(p.at-p.first), overlay.Line)
	}
	left, right := float64(x0)+14*u, float64(x0+w)-14*u
	lineY := float64(y0) + (lineHeight*u-g.let.Height(overlay.Large))/2
	prompt := g.let.Width("/ ", overlay.Large)
	caret := left + prompt + g.let.Width(string(p.line[:p.caret]), overlay.Large)
	m.Rect(float32(caret), float32(lineY), float32(caret+1.5*u), float32(lineY+g.let.Height(overlay.Large)), overlay.Ink)
	m.Draw(screen, g.white)
	m.Reset()

	g.let.Draw(screen, "/", left, lineY, overlay.Large, overlay.Faint)
	end := g.let.Draw(screen, p.text(), left+prompt, lineY, overlay.Large, overlay.Ink) + 16*u
	note := "type to filter;  Tab completes, Enter runs, Esc closes"
	if e, _ := p.named(); e != nil && e.accepted != "" {
		note = e.accepted
	}
	if room := right - end; room > 60*u {
		note = g.let.Fit(note, overlay.Body, room)
		g.let.DrawRight(screen, note, right, float64(y0)+(lineHeight*u-g.let.Height(overlay.Body))/2, overlay.Body, overlay.Faint)
	}
	if p.fault != "" {
		// Its own row: what is accepted is often longer than the room beside
		// what was typed.
		g.let.Draw(screen, g.let.Fit(p.fault, overlay.Body, right-left), left, float64(y0)+lineHeight*u, overlay.Body, overlay.Awake)
	}
	nameWidth, valueWidth := 140*u, 110*u
	for i := range n {
		e, b := &p.entries[p.shown[p.first+i]], row(i)
		y := float64(b.Min.Y) + (float64(b.Dy())-g.let.Height(overlay.Body))/2
		g.let.Draw(screen, g.let.Fit(e.name, overlay.Strong, nameWidth-8*u), left, y, overlay.Strong, overlay.Ink)
		x := left + nameWidth
		if e.setting {
			g.let.Draw(screen, g.let.Fit(e.value, overlay.Body, valueWidth-8*u), x, y, overlay.Body, overlay.Signal)
		}
		x += valueWidth
		what := e.help
		if e.accepted != "" {
			what = e.accepted + ":  " + e.help
		}
		g.let.Draw(screen, g.let.Fit(what, overlay.Small, right-x), x, y+u, overlay.Small, overlay.Faint)
	}
}
