#!/bin/bash
# Lists packages of the module, one a line.
#
#   scripts/packages.sh undrawn    those that don't depend on Ebitengine
#   scripts/packages.sh commands   the programs
#   scripts/packages.sh fuzz       DIRECTORY TARGET of every fuzz test
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
undrawn)
	go list -f '{{$drawn := false}}{{range .Deps}}{{if eq . "github.com/hajimehoshi/ebiten/v2"}}{{$drawn = true}}{{end}}{{end}}{{if not $drawn}}{{.ImportPath}}{{end}}' ./...
	;;
commands)
	go list -f '{{if eq .Name "main"}}{{.ImportPath}}{{end}}' ./...
	;;
fuzz)
	grep -rHoE --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' . | sed -E 's|^(.*)/[^/]*:func (.*)$|\1 \2|' | sort
	;;
*)
	echo "chronoscope: packages: undrawn, commands or fuzz" >&2
	exit 2
	;;
esac
