package game

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chronoscope/coordinator/waiting"
	"chronoscope/loop/frametime"
	"chronoscope/loop/lab"
	"chronoscope/overlay"
	"chronoscope/world/scenario"
)

// labAccepted is what the command of the lab takes.
const labAccepted = "page NAME; pacers or waiting, start or stop; rate N or world; work, frame, step or for TIME; slow, cap, loaded or members N; display NAME; matrix on or off; again"

// labCommand is the command of the lab.
func (g *Game) labCommand() command {
	s := g.lab.settings
	return command{name: "lab", help: "experiments beside the world", accepted: labAccepted,
		words:   []string{"page pacers", "page loops", "page overload", "page waiting", "page displays", "pacers start", "pacers stop", "waiting start", "waiting stop", "rate world", "again", "matrix on", "matrix off"},
		setting: true, value: s.Page.String(),
		run: func(args string, in *overlay.Intents) error {
			what, rest, _ := strings.Cut(args, " ")
			if err := g.labLine(what, strings.TrimSpace(rest), in); err != nil {
				return err
			}
			g.showDock = true
			g.dock.Choose(overlay.LabTab)
			return nil
		}}
}

// labLine reads one order to the lab, and shows the page that it is about.
func (g *Game) labLine(what, rest string, in *overlay.Intents) error {
	v := g.values.Lab
	v.Settings = g.lab.settings
	page := v.Settings.Page
	about := func(p overlay.LabPage) *overlay.LabSettings {
		w := in.Lab.Wish(&v)
		w.Page = p
		return w
	}
	count := func(p overlay.LabPage, at func(*overlay.LabSettings) *int, low, high int, unit string) error {
		n := 0
		err := set("lab "+what, &scenario.Int[int]{P: &n, Min: low, Max: high, Unit: unit}, rest)
		if err == nil {
			*at(about(p)) = n
		}
		return err
	}
	span := func(p overlay.LabPage, at func(*overlay.LabSettings) *time.Duration, low, high time.Duration) error {
		var d time.Duration
		err := set("lab "+what, &scenario.Duration{P: &d, Min: low, Max: high}, rest)
		if err == nil {
			*at(about(p)) = d
		}
		return err
	}
	start := func(p overlay.LabPage, to *overlay.Switch) error {
		switch rest {
		case "start":
			*to = overlay.TurnOn
		case "stop":
			*to = overlay.TurnOff
		default:
			return fmt.Errorf("lab %s %s: accepted are start or stop", what, rest)
		}
		about(p)
		return nil
	}
	switch what {
	case "page":
		p, ok := overlay.LabPageNamed(rest)
		if !ok {
			return fmt.Errorf("lab page %s: accepted are %s", rest, strings.Join(overlay.LabPageNames(), ", "))
		}
		about(p)
	case "pacers":
		return start(overlay.PacerPage, &in.Lab.Pacers)
	case "waiting":
		return start(overlay.WaitingPage, &in.Lab.Waiting)
	case "rate":
		r, err := overlay.ParseLabRate(rest)
		if err != nil {
			return fmt.Errorf("lab rate %s: %w", rest, err)
		}
		about(page).Rate = r
	case "work":
		if page == overlay.OverloadPage {
			return span(page, func(s *overlay.LabSettings) *time.Duration { return &s.Overload.Work }, 0, lab.MaxWork)
		}
		return span(overlay.LoopPage, func(s *overlay.LabSettings) *time.Duration { return &s.Work }, 0, lab.MaxWork)
	case "frame":
		return span(overlay.LoopPage, func(s *overlay.LabSettings) *time.Duration { return &s.Frame }, lab.MinFrame, lab.MaxFrame)
	case "slow":
		n := 0
		if err := set("lab slow", &scenario.Int[int]{P: &n, Min: 1, Max: 1000}, rest); err != nil || !slices.Contains(overlay.SlowMotions[:], n) {
			return fmt.Errorf("lab slow %s: accepted are 1, 4, 10 or 40", rest)
		}
		about(overlay.LoopPage).Slow = n
	case "again":
		about(overlay.LoopPage).Again++
	case "step":
		return span(overlay.OverloadPage, func(s *overlay.LabSettings) *time.Duration { return &s.Overload.Step }, lab.MinStep, lab.MaxStep)
	case "cap":
		return count(overlay.OverloadPage, func(s *overlay.LabSettings) *int { return &s.Overload.Cap }, 1, lab.MaxOverloadCap, "steps")
	case "loaded":
		return count(overlay.OverloadPage, func(s *overlay.LabSettings) *int { return &s.Overload.Loaded }, 1, lab.MaxOverloadFrames, "frames")
	case "members":
		return count(overlay.WaitingPage, func(s *overlay.LabSettings) *int { return &s.Members }, 1, waiting.MaxMembers, "members")
	case "for":
		return span(overlay.WaitingPage, func(s *overlay.LabSettings) *time.Duration { return &s.For }, waiting.MinFor, waiting.MaxFor)
	case "display":
		p, ok := frametime.FindPreset(rest)
		if !ok {
			var names []string
			for _, p := range frametime.Presets() {
				names = append(names, p.Name)
			}
			return fmt.Errorf("lab display %s: accepted are %s", rest, strings.Join(names, ", "))
		}
		w := about(overlay.DisplayPage)
		w.Display, w.Matrix = p.Name, false
	case "matrix":
		want, err := parseOn("lab matrix", rest, v.Settings.Matrix)
		if err != nil {
			return err
		}
		about(overlay.DisplayPage).Matrix = want
	default:
		return fmt.Errorf("lab %s: accepted are %s", what, labAccepted)
	}
	return nil
}
