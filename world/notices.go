package world

import (
	"strings"

	"chronoscope/coordinator"
)

// NoticeNames lists what a character's notices tell it, for display: "something
// is due, a zone woke"; "none" when there are none.
func NoticeNames(n coordinator.Notice) string {
	var names []string
	for _, k := range [...]struct {
		bit  coordinator.Notice
		name string
	}{
		{coordinator.NoticeStop, "stop"},
		{coordinator.NoticeEnd, "end"},
		{noticeWake, "something is due"},
		{noticeZone, "a zone woke"},
	} {
		if n&k.bit != 0 {
			names = append(names, k.name)
			n &^= k.bit
		}
	}
	if n != 0 {
		names = append(names, "others")
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}
