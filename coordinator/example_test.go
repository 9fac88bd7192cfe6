package coordinator_test

import (
	"fmt"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

// A participant runs every tick up to the last, as fast as it can.
func ExampleCoordinator() {
	c, err := coordinator.New(coordinator.Options{MaxSpeed: true, LastTick: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	var progress coordinator.Progress
	progress.Init(coordinator.ParticipantID{Object: coordinator.MakeObjectID(0, 1)}, make(chan struct{}, 1))
	progress.Publish(c.Global())
	c.Join(&progress)
	c.Start()
	w := coordinator.NewWaiter()
	for local := progress.Completed(); local < 3; {
		if local == c.Global() {
			c.Await(&progress, w)
			continue
		}
		local++
		fmt.Println("tick", local)
		c.Complete(&progress, local)
	}
	w.Close()
	fmt.Println("left:", c.Leave(&progress))
	c.Stop()
	c.Wait()
	// Output:
	// tick 1
	// tick 2
	// tick 3
	// left: <nil>
}

// Wakes are delivered at their tick; one for a tick that has passed, at once.
func ExampleScheduler() {
	c, err := coordinator.New(coordinator.Options{MaxSpeed: true, LastTick: 100})
	if err != nil {
		fmt.Println(err)
		return
	}
	dues := coordinator.NewDues()
	done := make(chan string, 4)
	s := coordinator.NewScheduler(c, coordinator.SchedulerOptions{Dues: dues, Deliver: func(due loop.Tick, ids []coordinator.ObjectID) {
		for _, id := range ids {
			done <- fmt.Sprintf("wake of %v, due %d", id, due)
		}
		dues.SettleN(due, len(ids))
	}})
	sleeper := coordinator.MakeObjectID(7, 1)
	s.Register(90, sleeper)
	s.Register(30, sleeper)
	s.Start()
	c.Start()
	fmt.Println(<-done)
	fmt.Println(<-done)
	s.Register(10, sleeper)
	fmt.Println(<-done)
	s.Stop()
	s.Wait()
	c.Stop()
	c.Wait()
	// Output:
	// wake of 7.1, due 30
	// wake of 7.1, due 90
	// wake of 7.1, due 10
}

// Notices merge and are never refused; events are counted and bounded.
func ExampleInbox() {
	const lookAtSchedule coordinator.Notice = 1 << 2
	dues := coordinator.NewDues()
	var counters coordinator.InboxCounters
	var inbox coordinator.Inbox[string]
	inbox.Init(2, dues, &counters)

	for _, due := range []loop.Tick{12, 10, 11} {
		dues.Open(due, 1)
		fmt.Println("notify:", inbox.Notify(lookAtSchedule, due))
	}
	for _, e := range []string{"first", "second", "third"} {
		fmt.Println("send:", inbox.Send(e, 11))
	}
	<-inbox.Bell()
	notices, events := inbox.Take(nil)
	fmt.Println(notices == lookAtSchedule, events)
	oldest, _ := dues.Oldest()
	fmt.Println("oldest due:", oldest)
	inbox.Settle()
	fmt.Println("open:", dues.Len())
	// Output:
	// notify: <nil>
	// notify: <nil>
	// notify: <nil>
	// send: <nil>
	// send: <nil>
	// send: coordinator: inbox full
	// true [{11 first} {11 second}]
	// oldest due: 10
	// open: 0
}

// The pace is live; what is out of range is refused.
func ExamplePacing() {
	p := coordinator.DefaultPacing()
	p.TickRate = loop.Rate{Num: 60000, Den: 1001}
	p.SleepFloor = 50 * time.Microsecond
	fmt.Println(p.Validate())
	p.TimeScale = 0
	fmt.Println(p.Validate())
	// Output:
	// <nil>
	// coordinator: time scale 0: want 0.1 to 16
}
