#!/bin/bash
# Runs a command on a virtual display of its own and ends the display with it.
#
#   scripts/with-display.sh COMMAND [ARGUMENT...]
#
# The display takes the first free number. Where windows don't need X11 the
# command runs as it is.
set -euo pipefail
[ "$(uname -s)" = Linux ] || exec "$@"

[ -e /dev/fd/0 ] || exec </dev/null # started with a closed stdin

dir=$(mktemp -d)
server= command=
end() {
	[ -z "$command" ] || kill -TERM -- "-$command" 2>/dev/null || true
	if [ -n "$server" ]; then
		kill "$server" 2>/dev/null || true
		wait "$server" 2>/dev/null || true
	fi
	rm -rf "$dir"
}
trap end EXIT

# A key of its own: Ebitengine complains on stderr about a display without one.
# The server takes any key in the file, clients look for their display's.
export XAUTHORITY=$dir/authority
key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
touch "$XAUTHORITY"
xauth -q add :0 . "$key"

# -displayfd picks a free number and writes it once the server listens. In its
# own session, since Ctrl-C must reach the command before the display goes.
exec {ready}< <(exec setsid Xvfb -displayfd 1 -screen 0 1920x1080x24 -nolisten tcp -noreset -auth "$XAUTHORITY" 2>"$dir/log")
server=$!
if ! read -r -t 60 -u "$ready" number; then
	echo "chronoscope: the virtual display did not start: $(tail -n 1 "$dir/log")" >&2
	exit 1
fi
xauth -q add ":$number" . "$key"

# A process group of its own (set -m), so that a signal ends all that the
# command started; in the background, so that a signal is handled at once.
relay() { # SIGNAL STATUS
	kill "-$1" -- "-$command" 2>/dev/null || true
	wait "$command" || true
	exit "$2"
}
set -m
env -u WAYLAND_DISPLAY DISPLAY=":$number" "$@" <&0 &
command=$!
set +m
trap 'relay INT 130' INT
trap 'relay TERM 143' TERM HUP
status=0
wait "$command" || status=$?
command=
exit "$status"
