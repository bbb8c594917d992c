#!/bin/sh
# apt-get update and install of the named packages. Waits up to 10 minutes while another apt is at work:
# DPkg::Lock::Timeout waits for the lock of dpkg alone, not for those of the package lists and of the archives.
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C

apt() {
    tries=60
    until said=$(apt-get -q -y -o Acquire::Retries=3 -o DPkg::Lock::Timeout=600 "$@" 2>&1 </dev/null); do
        tries=$((tries - 1))
        case $said in
            *"Could not get lock"* | *"Unable to lock"*) [ "$tries" -gt 0 ] && sleep 10 && continue ;;
        esac
        printf '%s\n' "$said" | tail -n 20 >&2
        return 1
    done
}

apt update
apt install --no-install-recommends "$@"
