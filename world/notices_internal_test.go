package world

import (
	"testing"

	"chronoscope/coordinator"
)

func TestNoticeNames(t *testing.T) {
	for _, tt := range []struct {
		n    coordinator.Notice
		want string
	}{
		{0, "none"},
		{noticeWake, "something is due"},
		{noticeWake | noticeZone, "something is due, a zone woke"},
		{coordinator.NoticeStop | coordinator.NoticeEnd, "stop, end"},
		{noticeZone | 1<<15, "a zone woke, others"},
	} {
		if got := NoticeNames(tt.n); got != tt.want {
			t.Errorf("NoticeNames(%b) = %q, want %q", tt.n, got, tt.want)
		}
	}
}
