#!/bin/bash
# Installs what is missing to build and test on Debian and Ubuntu, and checks Go.
#
#   scripts/deps.sh [build] [display]
#
# build: a C compiler and the headers of the window's libraries.
# display: a virtual display and the tool that moves its mouse.
# On other Linux systems it only says what is missing; elsewhere Go suffices.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { echo "chronoscope: $*" >&2; exit 1; }

want=$(sed -n 's/^go //p' go.mod)
command -v go >/dev/null || fail "Go $want or newer is needed and there is no go on the PATH: see https://go.dev/doc/install"
have=$(go env GOVERSION 2>/dev/null || true)
have=${have#go}
if [ "$(printf '%s\n' "$want" "${have%% *}" | sort -V | head -n 1)" != "$want" ]; then
	fail "Go $want or newer is needed, this is Go ${have:-of an unknown version}: see https://go.dev/doc/install"
fi

[ "$(uname -s)" = Linux ] || exit 0

has_deb() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
has_cmd() { command -v "$1" >/dev/null; }

missing=()
for group in "$@"; do
	case $group in
	build)
		has_cmd gcc || missing+=(gcc)
		if has_cmd dpkg-query; then
			for p in libc6-dev libgl1-mesa-dev libx11-dev libxcursor-dev libxi-dev libxinerama-dev libxrandr-dev libxxf86vm-dev; do
				has_deb $p || missing+=($p)
			done
		fi
		# Without these Go can't fetch modules.
		[ -e /etc/ssl/certs/ca-certificates.crt ] || [ ! -e /etc/debian_version ] || missing+=(ca-certificates)
		;;
	display)
		has_cmd Xvfb || missing+=(xvfb)
		has_cmd xauth || missing+=(xauth)
		has_cmd xdotool || missing+=(xdotool)
		;;
	*) fail "deps: no group $group" ;;
	esac
done
[ ${#missing[@]} -gt 0 ] || exit 0

has_cmd apt-get || fail "missing (by their Debian names): ${missing[*]}"

root=()
if [ "$(id -u)" -ne 0 ]; then
	# Without a terminal sudo can't ask for a password.
	if has_cmd sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
		root=(sudo)
	else
		fail "missing packages, and neither root nor sudo to install them; as root: apt-get install ${missing[*]}"
	fi
fi
apt() {
	"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@" </dev/null >&2
}
echo "installing ${missing[*]}" >&2
apt update || echo "chronoscope: apt-get update failed, trying with the lists there are" >&2
apt install -y --no-install-recommends "${missing[@]}" || fail "could not install ${missing[*]}"
