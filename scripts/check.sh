#!/bin/sh
# What `make test` runs: system packages, .venv, then the gate.
set -eu
cd "$(dirname "$0")/.."
scripts/system-packages.sh
scripts/bootstrap.sh --dev
exec .venv/bin/python scripts/gate.py
