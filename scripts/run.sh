#!/bin/bash
# Opens the window; without a display it runs the window on a virtual one for
# some seconds and leaves a picture.
#
#   scripts/run.sh [FLAG...]
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/deps.sh build

# The guard's own look at the display decides, as it will in the program.
has_display() {
	[ "$(uname -s)" = Linux ] || return 0
	[ -n "${DISPLAY:-}" ] && CGO_ENABLED=0 go run scripts/display.go >/dev/null 2>&1
}
if has_display; then
	exec go run . "$@"
fi

scripts/deps.sh display
mkdir -p out
picture=out/town.png
for ((i = 1; i <= $#; i++)); do # the flags' last word counts
	case ${!i} in
	-screenshot | --screenshot) j=$((i + 1)); picture=${!j:-} ;;
	-screenshot=* | --screenshot=*) picture=${!i#*=} ;;
	esac
done
echo "no display: running the window on a virtual one" >&2
start=$(mktemp)
trap 'rm -f "$start"' EXIT
scripts/with-display.sh go run . -for 12s -screenshot "$picture" "$@"
# After -h there is none.
if [ "$picture" -nt "$start" ]; then
	echo "no display here: what the window showed is in $picture" >&2
fi
