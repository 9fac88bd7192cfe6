package coordinator_test

import (
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

func TestSmoke(t *testing.T) {
	for _, wait := range []coordinator.Strategy{coordinator.Poll, coordinator.Gate} {
		for _, fast := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				p := coordinator.DefaultPacing()
				p.Wait = wait
				c, err := coordinator.New(coordinator.Options{Pacing: p, MaxSpeed: fast, LastTick: 100})
				if err != nil {
					t.Fatal(err)
				}
				dues := coordinator.NewDues()
				var got []loop.Tick
				s := coordinator.NewScheduler(c, coordinator.SchedulerOptions{Dues: dues, Deliver: func(due loop.Tick, ids []coordinator.ObjectID) {
					got = append(got, due)
					dues.SettleN(due, len(ids))
				}})
				s.Register(7, 1)
				s.Register(100, 2)
				s.Start()
				c.Start()
				time.Sleep(2 * time.Second)
				t.Log(c.Global(), s.Processed(), got)
				if err := c.Do(func(due loop.Tick) {
					if due != 101 {
						t.Errorf("due %d", due)
					}
				}); err != nil {
					t.Error(err)
				}
				t.Logf("%+v", c.Stats().Checks)
				s.Stop()
				s.Wait()
				c.Stop()
				c.Wait()
			})
		}
	}
}
