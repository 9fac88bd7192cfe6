package lab

import (
	"fmt"
	"runtime"
	"sync"
	"time"

	"chronoscope/loop"
)

// MaxPacerRate is the highest rate that the pacers wait at, a second.
const MaxPacerRate = 1000

// deafMost is the longest wait that Stop doesn't cut short: a pacer that needs to
// hear nobody may wait more cheaply.
const deafMost = 50 * time.Millisecond

// settle is how long a pacer learns before anything is counted.
const settle = time.Second

// PacerOptions are constant for the life of Pacers.
type PacerOptions struct {
	// Rate is how often each pacer waits, up to MaxPacerRate a second; not valid:
	// 60. A high rate fills the window sooner and costs more of the processor.
	Rate loop.Rate
	// New makes the pacer of a kind; nil: the kind's own.
	New func(loop.PacerKind) loop.Pacer
}

// Validate names the field, its value and its range.
func (o PacerOptions) Validate() error {
	if o.Rate.Valid() && (o.Rate.Num > MaxPacerRate*o.Rate.Den || o.Rate.Num < o.Rate.Den) {
		return fmt.Errorf("lab: pacer rate %v: want 1 to %d a second", o.Rate, MaxPacerRate)
	}
	return nil
}

// Pacers is one pacer of each kind, waiting for schedules of one rate, side by
// side in real time. The schedules are a fifth of a period apart, so that those
// that spin don't do it all at once.
//
// Where the system tells what a thread has used, each goroutine has one to
// itself. That makes its wake-ups some microseconds later than elsewhere, and the
// figure is of that thread alone: what the runtime does elsewhere to fire a timer
// isn't in it.
type Pacers struct {
	rate loop.Rate
	rows []*pacerRow

	once sync.Once
	done chan struct{} // closed by Stop
	wg   sync.WaitGroup
}

// pacerRow is one of them.
type pacerRow struct {
	kind  loop.PacerKind
	pacer loop.Pacer // its goroutine's

	mu     sync.Mutex
	start  time.Time
	now    time.Time     // of the last wait's end
	spent  time.Duration // by then
	window Window
}

// PacerReading is what a pacer did in the last WindowSpan.
type PacerReading struct {
	Kind loop.PacerKind
	Summary
	// Told says that CPU is known.
	Told bool
}

// StartPacers starts them all. Stop ends them.
func StartPacers(o PacerOptions) (*Pacers, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if !o.Rate.Valid() {
		o.Rate = loop.Hz(60)
	}
	if o.New == nil {
		o.New = loop.PacerKind.New
	}
	p := &Pacers{rate: o.Rate, done: make(chan struct{})}
	kinds := loop.PacerKinds()
	for i, k := range kinds {
		r := &pacerRow{kind: k, pacer: o.New(k)}
		p.rows = append(p.rows, r)
		offset := o.Rate.Period() * time.Duration(i) / time.Duration(len(kinds))
		p.wg.Go(func() { p.run(r, offset) })
	}
	return p, nil
}

// Rate is what they wait at.
func (p *Pacers) Rate() loop.Rate { return p.rate }

// Stop ends the waiting and returns at once; a wait of up to 50 ms that is under
// way is waited to its end. More than one call does no harm.
func (p *Pacers) Stop() { p.once.Do(func() { close(p.done) }) }

// Wait returns when no goroutine of theirs is left, after Stop.
func (p *Pacers) Wait() { p.wg.Wait() }

// Read appends what each pacer did, in the order of loop.PacerKinds.
func (p *Pacers) Read(dst []PacerReading) []PacerReading {
	for _, r := range p.rows {
		dst = append(dst, r.read())
	}
	return dst
}

func (r *pacerRow) read() PacerReading {
	r.mu.Lock()
	defer r.mu.Unlock()
	reading := PacerReading{Kind: r.kind, Told: threadTold}
	if !r.start.IsZero() {
		reading.Summary = r.window.Read(r.now.Sub(r.start), r.spent)
	}
	return reading
}

func (r *pacerRow) begin(start time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.start, r.now = start, start
}

func (r *pacerRow) add(now time.Time, late time.Duration, skipped uint64, spent time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now, r.spent = now, spent
	if at := now.Sub(r.start); at >= settle {
		r.window.Add(at, late, skipped, spent)
	}
}

// run waits for one point of the schedule after the other. Points that passed
// during a wait are skipped, as a game's loop would skip them.
func (p *Pacers) run(r *pacerRow, offset time.Duration) {
	pacer := r.pacer
	if threadTold {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
	}
	defer pacer.Close()
	// The schedule begins when its pacer does: a ticker that began before would
	// be late by as much at each point.
	apart := time.NewTimer(offset)
	defer apart.Stop()
	select {
	case <-apart.C:
	case <-p.done:
		return
	}
	if t, ok := pacer.(interface{ Begin(loop.Rate) }); ok {
		t.Begin(p.rate)
	}
	var bell <-chan struct{}
	if p.rate.Period() > deafMost {
		bell = p.done
	}
	start := pacer.Now()
	r.begin(start)
	for n := loop.Tick(1); ; {
		target := start.Add(p.rate.Boundary(n))
		if !pacer.Wait(target, bell) || p.stopped() {
			return
		}
		now := pacer.Now()
		next := max(n+1, p.rate.TickAt(now.Sub(start))+1)
		r.add(now, now.Sub(target), uint64(next-n-1), threadTime())
		n = next
	}
}

func (p *Pacers) stopped() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}
