package loop

import (
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	// preciseMost bounds the margin that is spun: most naps end a tenth of a
	// millisecond late, one in a hundred 0.3 ms or more. Up to preciseRare is spun
	// where it costs little.
	preciseMost = 300 * time.Microsecond
	preciseRare = 500 * time.Microsecond
	// napMost is the longest nap of a wait that can be ended: so long a wake-up may
	// have to wait.
	napMost = 2 * time.Millisecond

	// pollLate is how late a nap through the poller is when the runtime had no
	// processor left to poll with: on an idle machine one in a thousand is.
	pollLate = time.Millisecond
	// After two such naps in a row the next ones are system calls, 32 at first, twice
	// as many each time that trying the poller again fails. One alone may come from
	// other programs, which system calls don't help against.
	callsLeast = 32
	callsMost  = 512
)

// PrecisePacer naps with a timerfd(2) that is set to an absolute instant and read
// through the runtime's poller, and spins for the learned rest, at most 0.3 ms, or
// 0.5 ms if that is a small part of the time to its next target. It is as close to the target as HybridPacer for a fraction of the processor's time.
//
// The poller rounds the time it waits for the runtime's own timers up to whole
// milliseconds, but a file that becomes readable ends its wait at once. A goroutine
// that waits for a file has neither a processor of the runtime nor a thread, so the
// collector is not held up, and a nap costs half of what clock_nanosleep(2) does on
// a thread of its own: the monitor of the runtime looks after every system call
// that blocks. As long as Go code keeps every processor of the runtime busy, though,
// nobody polls: then naps are calls of clock_nanosleep, whose thread the kernel
// wakes in any case.
//
// Nothing but the kernel ends a nap. A wait that can be ended therefore sleeps with
// a timer first, until some 2 ms before the target; from then on a wake-up waits up
// to 2 ms. Without a wake-up channel one nap does, which costs about half as much.
//
// Close must be called, or the timerfd is kept until the collector finds it. It is
// not for a synctest bubble. On other systems than Linux it is a HybridPacer. Make
// one with NewPrecisePacer.
type PrecisePacer struct {
	timer SleepPacer
	begun bool
	// An instant of the two clocks at once: time.Now's, and the kernel's
	// CLOCK_MONOTONIC in nanoseconds.
	from   time.Time
	kernel int64
	// Nil where the process has no file to spare: naps are system calls then.
	file *os.File
	fd   int
	raw  syscall.RawConn
	turn turn
	spinner
}

var _ Pacer = (*PrecisePacer)(nil)

// NewPrecisePacer returns a pacer that naps close to its target.
func NewPrecisePacer() *PrecisePacer {
	p := &PrecisePacer{}
	p.spinner = spinner{
		now: time.Now, sleep: p.timer.Wait, nap: p.nap, napMax: napMost,
		// The spin is short, and whoever has the processor after a yield may
		// keep it for ten milliseconds.
		yield:       func() {},
		sleepMargin: margin{most: napMost}, napMargin: margin{most: preciseMost, rare: preciseRare},
	}
	return p
}

// Now is time.Now, with its monotonic reading.
func (p *PrecisePacer) Now() time.Time { return time.Now() }

// Wait implements [Pacer].
func (p *PrecisePacer) Wait(target time.Time, wake <-chan struct{}) bool {
	if !p.begun {
		p.begin()
	}
	return p.wait(target, wake)
}

func (p *PrecisePacer) begin() {
	p.begun = true
	var ts unix.Timespec
	// The monotonic clock can always be read.
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	p.from, p.kernel = time.Now(), ts.Nano()
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return
	}
	file := os.NewFile(uintptr(fd), "timerfd")
	raw, err := file.SyscallConn()
	// A file that isn't with the poller has no deadlines.
	if err != nil || file.SetReadDeadline(time.Time{}) != nil {
		file.Close()
		return
	}
	p.file, p.fd, p.raw = file, fd, raw
}

// Close gives the timerfd back. Waiting again afterwards makes a new one.
func (p *PrecisePacer) Close() {
	if p.file != nil {
		p.file.Close()
		p.file, p.raw = nil, nil
	}
	p.begun = false
	p.timer.Close()
}

// nap sleeps until end, or less if a signal comes: the caller looks at the clock
// anyway.
func (p *PrecisePacer) nap(end time.Time) {
	// The kernel takes zero for "disarm" and refuses what is negative.
	ts := unix.NsecToTimespec(max(p.kernel+int64(end.Sub(p.from)), 1))
	if p.file != nil && p.turn.polls() && p.poll(ts) {
		p.turn.polled(time.Since(end))
		return
	}
	_ = unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &ts, nil)
}

// poll is a nap through the poller. It says whether there was one.
func (p *PrecisePacer) poll(ts unix.Timespec) bool {
	spec := unix.ItimerSpec{Value: ts}
	return unix.TimerfdSettime(p.fd, unix.TFD_TIMER_ABSTIME, &spec, nil) == nil && p.raw.Read(expired) == nil
}

// expired says whether the timer of fd has run out, and takes that back. It reads
// what never blocks, so the runtime needn't know of the system call.
func expired(fd uintptr) bool {
	var count [8]byte
	_, _, errno := syscall.RawSyscall(unix.SYS_READ, fd, uintptr(unsafe.Pointer(&count)), uintptr(len(count)))
	return errno != syscall.EAGAIN
}

// turn says which naps go through the poller: all, until two in a row are late.
type turn struct {
	calls  int  // system calls before the poller is tried again
	length int  // of the last turn of system calls; 0: the poller has been in time since
	late   bool // the last nap polled
}

// polls says whether the next nap goes through the poller.
func (t *turn) polls() bool {
	if t.calls > 0 {
		t.calls--
		return false
	}
	return true
}

// polled takes how late such a nap was.
func (t *turn) polled(late time.Duration) {
	again := t.late
	t.late = late >= pollLate
	if !t.late {
		t.length = 0
		return
	}
	if !again {
		return
	}
	t.late = false
	t.length = min(max(2*t.length, callsLeast), callsMost)
	t.calls = t.length
}
