package loop

import "time"

// TickerPacer waits with a time.Ticker, the way most programs do: a wait ends
// with the first tick at or after its target. The ticker runs on by itself; if
// its ticks don't fall on the targets, every wait is late by the difference.
//
// [Begin] tells the ticker its period. Without it the first wait is taken for
// the period, and the ticker starts anew when a target lies more than a period
// ahead or less than half of one: for targets at irregular distances it is a
// sleep.
//
// The zero TickerPacer is ready for use. It uses the standard ticker alone, so in
// a synctest bubble it waits in virtual time.
type TickerPacer struct {
	ticker *time.Ticker
	period time.Duration
	begun  bool // the period was given
}

var _ Pacer = (*TickerPacer)(nil)

// NewTickerPacer returns a pacer that waits for a ticker.
func NewTickerPacer() *TickerPacer { return &TickerPacer{} }

// Begin starts the ticker, now, with the period of the rate, rounded up to a
// whole nanosecond: a ticker that ran ahead of its schedule would come just
// before a target, for which the whole next period would be waited then. So it
// falls behind the schedule instead, by less than a nanosecond a tick.
func (p *TickerPacer) Begin(r Rate) {
	p.begun = true
	period := r.Period()
	if r.BoundaryNanos(1)*r.Num != uint64(time.Second)*r.Den {
		period++
	}
	p.start(period)
}

func (p *TickerPacer) start(period time.Duration) {
	p.period = max(1, period)
	if p.ticker == nil {
		p.ticker = time.NewTicker(p.period)
	} else {
		p.ticker.Reset(p.period)
	}
}

// Now is time.Now, with its monotonic reading.
func (p *TickerPacer) Now() time.Time { return time.Now() }

// Wait implements [Pacer].
func (p *TickerPacer) Wait(target time.Time, wake <-chan struct{}) bool {
	left := time.Until(target)
	if left <= 0 {
		return true
	}
	if p.ticker == nil || !p.begun && (left > p.period || left < p.period/2) {
		p.start(left)
	}
	for {
		select {
		case <-wake:
			return false
		case <-p.ticker.C:
			if time.Until(target) <= 0 {
				return true
			}
		}
	}
}

// Close stops the ticker. Waiting again afterwards makes a new one.
func (p *TickerPacer) Close() {
	if p.ticker != nil {
		p.ticker.Stop()
	}
	*p = TickerPacer{}
}
