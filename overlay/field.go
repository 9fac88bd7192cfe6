package overlay

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"strings"
	"unicode"

	"chronoscope/world/scenario"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
)

// entryLimit is how many characters can be typed into a field: file names are
// the longest.
const entryLimit = 256

// field is a value that can be typed over. It keeps only what was refused: the
// value itself is whoever's it is, and stays as it was until something is
// accepted.
type field struct {
	refused string // the line that says what was wrong; "" when nothing was
}

// editor is the text that is being typed: one field has the keyboard.
type editor struct {
	field *field // nil: none
	text  string
	start string // what there was to begin with
	all   bool   // all of it is selected: the next key replaces it
	shown bool   // in this Update
	box   image.Rectangle
}

// entry is a text that was typed to the end: with Enter, by going elsewhere.
type entry struct {
	field *field
	text  string
}

func (e *editor) begin(f *field, text string) {
	*e = editor{field: f, text: text, start: text, all: true, shown: true}
}

// put types a character.
func (e *editor) put(r rune) {
	if !unicode.IsPrint(r) {
		return
	}
	if e.all {
		e.text, e.all = "", false
	}
	if len(e.text) < entryLimit {
		e.text += string(r)
	}
}

// erase takes the last character off, or all that is selected.
func (e *editor) erase() {
	if r := []rune(e.text); e.all || len(r) == 0 {
		e.text = ""
	} else {
		e.text = string(r[:len(r)-1])
	}
	e.all = false
}

// end gives what was typed; false when that is what there was.
func (e *editor) end() (entry, bool) {
	d := entry{e.field, strings.TrimSpace(e.text)}
	changed := d.field != nil && e.text != e.start
	*e = editor{}
	return d, changed
}

// finish ends the typing; the field takes it when it is next laid out.
func (p *Panels) finish() {
	if d, changed := p.edit.end(); changed {
		p.done = d
	}
}

// keyboard leads through the controls without a mouse.
type keyboard struct {
	on    bool
	at    controlKey
	order []controlKey // of this Update
	prev  []controlKey // of the one before
	press bool         // the control at at is pressed in this Update
	nudge int          // and its value changed by a step, for sliders
	seek  bool         // it has to be scrolled to
}

// controlKey is a control's name.
type controlKey struct {
	section Section
	name    string
}

// move goes to the next control (dir > 0) or the one before, around the ends.
func (k *keyboard) move(dir int) {
	n := len(k.prev)
	if n == 0 {
		return
	}
	k.seek = true
	for i, c := range k.prev {
		if c == k.at {
			k.at = k.prev[(i+dir+n)%n]
			return
		}
	}
	k.at = k.prev[0]
}

// repeating says whether a key acts in this Update: when it goes down, and,
// held for 0.4 s, 15 times a second.
func repeating(k ebiten.Key) bool {
	d := inpututil.KeyPressDuration(k)
	return d == 1 || d >= 24 && d%4 == 0
}

// listen reads the keyboard: F2 takes it for the panels. It says whether it was
// the panels' before.
func (p *Panels) listen(shown bool) (typing bool) {
	k, e := &p.keys, &p.edit
	typing = e.field != nil || k.on
	k.prev, k.order = k.order, k.prev[:0]
	k.press, k.nudge = false, 0
	e.shown = false
	if !shown {
		k.on = false
		return typing
	}
	pressed := inpututil.IsKeyJustPressed
	clicked := inpututil.IsMouseButtonJustPressed(ebiten.MouseButtonLeft)
	if clicked {
		k.on = false
	}
	step := 0
	if pressed(ebiten.KeyTab) {
		step = 1
		if ebiten.IsKeyPressed(ebiten.KeyShift) {
			step = -1
		}
	}
	if e.field != nil {
		for _, r := range ebiten.AppendInputChars(nil) {
			e.put(r)
		}
		if repeating(ebiten.KeyBackspace) {
			e.erase()
		}
		switch {
		case pressed(ebiten.KeyEscape):
			*e = editor{}
		case pressed(ebiten.KeyEnter), pressed(ebiten.KeyNumpadEnter):
			p.finish()
		case step != 0:
			p.finish()
			k.on = true
			k.move(step)
		case clicked && !image.Pt(ebiten.CursorPosition()).In(e.box):
			p.finish()
		}
		return true
	}
	if pressed(ebiten.KeyF2) {
		k.on, k.seek = !k.on, true
		if k.on && k.at == (controlKey{}) && len(k.prev) > 0 {
			k.at = k.prev[0]
		}
		return true
	}
	if !k.on {
		return typing
	}
	if repeating(ebiten.KeyArrowDown) {
		step = 1
	}
	if repeating(ebiten.KeyArrowUp) {
		step = -1
	}
	if step != 0 {
		k.move(step)
	}
	if repeating(ebiten.KeyArrowRight) {
		k.nudge = 1
	}
	if repeating(ebiten.KeyArrowLeft) {
		k.nudge = -1
	}
	k.press = pressed(ebiten.KeyEnter) || pressed(ebiten.KeyNumpadEnter) || pressed(ebiten.KeySpace)
	if pressed(ebiten.KeyEscape) {
		k.on = false
	}
	return true
}

// settle forgets what was typed for a field that isn't shown any more.
func (p *Panels) settle() {
	if p.edit.field != nil && !p.edit.shown {
		p.edit = editor{}
	}
	p.done = entry{}
	if p.held.on && !p.held.shown {
		p.held = grip{}
	}
	p.held.shown = false
}

// reach notes a control for the keyboard, and says whether it is pressed by it.
func (s *page) reach(key controlKey, b image.Rectangle) bool {
	k := &s.p.keys
	k.order = append(k.order, key)
	if !k.on || k.at != key {
		return false
	}
	if k.seek {
		k.seek = false
		if b.Min.Y < s.p.body.Min.Y || b.Max.Y > s.p.body.Max.Y {
			s.p.scrollTo(b.Min.Y - s.p.body.Min.Y + s.scrolled - s.p.body.Dy()/3)
		}
	}
	s.outline(b.Inset(-2), ZoneEdge)
	return k.press
}

// outline paints a frame around a box.
func (s *page) outline(b image.Rectangle, c color.RGBA) {
	s.fill(image.Rect(b.Min.X, b.Min.Y, b.Max.X, b.Min.Y+1), c)
	s.fill(image.Rect(b.Min.X, b.Max.Y-1, b.Max.X, b.Max.Y), c)
	s.fill(image.Rect(b.Min.X, b.Min.Y+1, b.Min.X+1, b.Max.Y-1), c)
	s.fill(image.Rect(b.Max.X-1, b.Min.Y+1, b.Max.X, b.Max.Y-1), c)
}

// typeIn is a field in the next cell. shown is what it reads while nobody
// types, text what there is to type over. take gets what was typed and answers
// why it can't be taken; refusal shows that.
func (s *page) typeIn(f *field, name, shown, text string, take func(string) error) {
	p := s.p
	if p.done.field == f {
		f.refused = ""
		if err := take(p.done.text); err != nil {
			f.refused = quoted(p.done.text) + ": " + err.Error()
		}
		p.done = entry{}
	}
	b, hit := s.press(name)
	if hit && p.edit.field != f {
		p.edit.begin(f, text)
		p.keys.at = controlKey{s.section, name}
	}
	s.fill(b.Inset(1), well)
	in := inset(b)
	e := &p.edit
	if e.field != f {
		s.write(shown, in, Body, left, Ink)
		if f.refused != "" {
			s.outline(b, warned)
		}
		return
	}
	e.shown, e.box = true, p.device(b)
	s.outline(b, Walking)
	t := p.tail(e.text, Body, in.Dx()-3)
	x := in.Min.X + p.width(t, Body)
	if e.all && t != "" {
		s.fill(image.Rect(in.Min.X-1, b.Min.Y+3, x+1, b.Max.Y-3), chosen)
	}
	s.write(t, in, Body, left, Ink)
	s.fill(image.Rect(x+1, b.Min.Y+3, x+2, b.Max.Y-3), Ink)
}

func quoted(s string) string {
	if s == "" {
		return "nothing typed"
	}
	if r := []rune(s); len(r) > 20 {
		s = string(r[:20]) + "…"
	}
	return `"` + s + `"`
}

// refusal says below a field why it didn't take what was typed.
func (s *page) refusal(f *field) {
	if f.refused == "" || s.p.edit.field == f {
		return
	}
	s.lines(-1)
	s.ctx.GridCell(func(b image.Rectangle) {
		s.fill(image.Rect(b.Min.X, b.Min.Y, b.Min.X+3, b.Max.Y), warned)
		s.ctx.SetGridLayout([]int{4, -1}, []int{lineHeight})
		s.ctx.GridCell(func(image.Rectangle) {})
		s.wrapped(f.refused, Body, warned)
	})
}

// value is a field for one of the parameters: x is bound to a variable that
// holds the value in force, and apply uses what it holds then.
func (s *page) value(f *field, name, shown string, x scenario.Value, apply func()) {
	s.typeIn(f, name, shown, x.String(), func(text string) error {
		if err := read(x, text); err != nil {
			return err
		}
		apply()
		return nil
	})
}

// read sets a parameter from what was typed. Numbers may be typed with the
// spaces they are shown with.
func read(x scenario.Value, text string) error {
	if x.Forms()&scenario.Quoted == 0 {
		text = strings.ReplaceAll(text, " ", "")
	}
	err := x.Set(text)
	if errors.Is(err, scenario.ErrRefused) {
		return fmt.Errorf("accepted are %s", x.Accepted())
	}
	return err
}

// valueRow is a name and a field, and what it refused below.
func (s *page) valueRow(f *field, name, shown string, x scenario.Value, apply func()) {
	s.grid(nameWidth, -1)
	s.text(name, Faint)
	s.value(f, name, shown, x, apply)
	s.refusal(f)
}
