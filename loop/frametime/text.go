package frametime

import "strings"

// oneLine makes a text from elsewhere one line without control characters, at
// most 200 bytes of it.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:200], "") + "..."
	}
	return strings.TrimSpace(s)
}

// clean does that to every text of a Meta that came from a file: it will be
// printed on somebody's terminal.
func (m *Meta) clean() {
	for _, s := range []*string{&m.Name, &m.Source, &m.Note, &m.Scenario, &m.Map, &m.Demo, &m.Monitor, &m.Renderer, &m.OS, &m.Arch, &m.GoVersion} {
		*s = oneLine(*s)
	}
	for _, list := range [][]Setting{m.World, m.Settings} {
		for i := range list {
			list[i] = Setting{oneLine(list[i].Name), oneLine(list[i].Value)}
		}
	}
	for i := range m.Changes {
		m.Changes[i].Setting = Setting{oneLine(m.Changes[i].Name), oneLine(m.Changes[i].Value)}
	}
}
