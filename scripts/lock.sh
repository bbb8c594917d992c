#!/bin/sh
# Pins every package for the oldest Python that is supported; all newer ones take the same versions.
set -eu
cd "$(dirname "$0")/.."
uv=$(command -v uv || true)
if [ -z "$uv" ] && [ -x .venv/bin/uv ]; then uv=.venv/bin/uv; fi
if [ -z "$uv" ]; then
    echo "make lock needs uv: https://docs.astral.sh/uv/ (or .venv/bin/python -m pip install uv)" >&2
    exit 1
fi
compile() { "$uv" pip compile --quiet --universal --python-version 3.11 --no-annotate --no-header "$1" -o "$2"; }
compile pyproject.toml requirements.txt
compile requirements-dev.in requirements-dev.txt
echo "requirements.txt and requirements-dev.txt are up to date."
