#!/bin/bash
# Takes the README's pictures: the program runs on a virtual display, xdotool
# turns the wheel over the map, the program writes its last frame.
#
#   scripts/pictures.sh [MAP_FILE]      with a map file: its picture, too
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${PICTURES_INSIDE:-}" ]; then
	scripts/deps.sh build display
	go build -o out/chronoscope .
	PICTURES_INSIDE=1 exec scripts/with-display.sh "$0" "$@"
fi

# shot NAME WHEEL X Y FLAG...: at X, Y of the window turn the wheel WHEEL times.
shot() {
	local name=$1 wheel=$2 x=$3 y=$4
	shift 4
	out/chronoscope -screenshot "assets/pictures/$name.png" "$@" &
	local program=$! window
	window=$(timeout 60 xdotool search --sync --onlyvisible --name Chronoscope | head -n 1)
	eval "$(xdotool getwindowgeometry --shell "$window" | grep -E '^[XY]=')"
	xdotool mousemove $((X + x)) $((Y + y))
	for ((i = 0; i < wheel; i++)); do
		xdotool click 4
		sleep 0.3
	done
	xdotool mousemove $((X + 640)) $((Y + 20))
	wait "$program"
}

mkdir -p assets/pictures
shot town 0 550 360 -for 25s
shot close 7 560 330 -for 25s
shot brake 5 550 360 -scenario brake -for 25s
if [ $# -gt 0 ]; then
	shot berlin 0 550 360 -map "$1" -npcs 5000 -for 25s
fi
