package scenario

import (
	"fmt"
	"strings"
)

// width of a line of help, in characters.
const helpWidth = 96

// HelpText is the complete help of a program: the usage text, then every
// parameter by group with its default and accepted range. It depends on the
// table's defaults only, not on what has been set since, so it can be written
// to a file and compared.
func (t *Table) HelpText(usage string) string {
	var b strings.Builder
	b.WriteString(strings.TrimRight(usage, "\n"))
	b.WriteByte('\n')
	for _, group := range t.groups() {
		fmt.Fprintf(&b, "\n%s\n", group)
		for _, r := range t.rows {
			if r.Group == group {
				r.writeHelp(&b)
			}
		}
	}
	return b.String()
}

// groups are the headings in order of first appearance.
func (t *Table) groups() []string {
	var list []string
	seen := make(map[string]bool)
	for _, r := range t.rows {
		if !seen[r.Group] {
			seen[r.Group] = true
			list = append(list, r.Group)
		}
	}
	return list
}

func (r *Row) writeHelp(b *strings.Builder) {
	head := "  -" + r.Name
	if _, ok := r.Value.(*Bool); !ok {
		head += " VALUE"
	}
	if r.Default != "" {
		head += " (" + r.Default + ")"
	}
	text := strings.ToUpper(r.Help[:1]) + r.Help[1:]
	if _, ok := r.Value.(*Bool); !ok {
		text += ". Accepted: " + r.Value.Accepted()
	}
	const indent = 6
	fmt.Fprintln(b, head)
	for _, line := range wrap(text+".", helpWidth-indent) {
		fmt.Fprintf(b, "%*s%s\n", indent, "", line)
	}
}

// wrap breaks a text at spaces into lines of at most width bytes; a longer
// word gets a line of its own.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
