package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"chronoscope/world/scenario"
)

// A subcommand is the flags of a sub-command, which may stand before, between
// and after its operands.
type subcommand struct {
	name  string // as it is called: "lab physics"
	usage string
	table scenario.Table
}

// flags is the group that a subcommand's rows stand in.
const flags = "Flags"

func newSubcommand(name, usage string, rows ...scenario.Row) *subcommand {
	s := &subcommand{name: name, usage: usage}
	for _, r := range rows {
		r.Group, r.Kind = flags, scenario.Program
		s.table.Add(r)
	}
	return s
}

// help is the sub-command's whole help.
func (s *subcommand) help() string { return s.table.HelpText(s.usage) }

// parse sets the flags and gives the operands; what follows "--" is none but
// them. The error is scenario.ErrHelp or one line that names the sub-command.
func (s *subcommand) parse(args []string) (operands []string, err error) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return append(operands, args[i+1:]...), nil
		}
		if asksHelp(arg) {
			return nil, scenario.ErrHelp
		}
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			operands = append(operands, arg)
			continue
		}
		name, text, given := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
		row := s.table.Lookup(name)
		if row == nil {
			return nil, s.refusal("unknown flag -%s: accepted are %s (./-%[1]s for a file of that name)", name, s.accepted())
		}
		if _, ok := row.Value.(*scenario.Bool); ok && !given {
			text, given = "true", true
		}
		if !given {
			if i++; i == len(args) {
				return nil, s.refusal("-%s needs a value: accepted are %s", name, row.Value.Accepted())
			}
			text = args[i]
		}
		switch err := row.Value.Set(text); {
		case errors.Is(err, scenario.ErrRefused):
			return nil, s.refusal("-%s %s: accepted are %s", name, text, row.Value.Accepted())
		case err != nil:
			return nil, s.refusal("-%s %s: %v", name, text, err)
		}
	}
	return operands, nil
}

// accepted lists the flags.
func (s *subcommand) accepted() string {
	names := []string{"-h"}
	for _, r := range s.table.Rows() {
		names = append(names, "-"+r.Name)
	}
	return strings.Join(names, ", ")
}

func (s *subcommand) refusal(format string, args ...any) error {
	return fmt.Errorf(s.name+": "+format, args...)
}

// listValue is a flag of several texts, with commas between them or given
// several times.
type listValue struct {
	p    *[]string
	hint string
}

// Set adds to the list.
func (v *listValue) Set(text string) error {
	parts := strings.Split(text, ",")
	if slices.Contains(parts, "") {
		return scenario.ErrRefused
	}
	*v.p = append(*v.p, parts...)
	return nil
}

func (v *listValue) String() string        { return strings.Join(*v.p, ",") }
func (v *listValue) Accepted() string      { return v.hint }
func (v *listValue) Plain() any            { return slices.Clone(*v.p) }
func (v *listValue) Forms() scenario.Forms { return scenario.Quoted }
