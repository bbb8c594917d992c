#!/bin/sh
# The tests need PostgreSQL, Redis, Chromium, WordNet and tsc. Root on Debian gets what is missing; anyone else is told.
set -eu

missing=
need() { missing="$missing $1"; }
have() { command -v "$1" >/dev/null 2>&1; }

have redis-server || need redis-server
have initdb || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || need postgresql
installs() { [ "$(id -u)" = 0 ] && have apt-get; }
# Hosts of a test have networks of their own; others than root cannot make them.
! installs || have ip || need iproute2
browser() { have chromium-headless-shell || have chromium || have chromium-browser || have google-chrome; }
# Debian's headless shell opens a page in a quarter of the processor time that Chromium takes.
if installs && grep -qs '^ID=debian' /etc/os-release; then
    have chromium-headless-shell || need chromium-headless-shell
else
    browser || need chromium
fi
have tsc || need node-typescript
[ -e /usr/share/wordnet/index.noun ] || [ -n "${WNSEARCHDIR:-}" ] || need wordnet-base
[ -n "$missing" ] || exit 0

if ! installs; then
    echo "The tests need packages that are missing here:$missing" >&2
    echo "On Debian or Ubuntu: sudo apt-get install --no-install-recommends$missing" >&2
    exit 1
fi

echo "Installing system packages for the tests:$missing"
# The tests start servers of their own: the packages must not start theirs.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    trap 'exit 130' INT TERM HUP
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
fi
# shellcheck disable=SC2086 - a list of words on purpose
if ! "$(dirname "$0")/apt-install.sh" $missing; then
    [ "$missing" != " chromium-headless-shell" ] || ! browser || exit 0
    echo "The system packages could not be installed:$missing" >&2
    exit 1
fi
