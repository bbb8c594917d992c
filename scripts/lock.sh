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
# With the hash of every file of a version, for all platforms: another file under its name is refused.
compile() {
    "$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header "$@"
}
compile --extra web pyproject.toml -o requirements.txt
for name in dev eflomal s3 saml uv; do compile "requirements-$name.in" -o "requirements-$name.txt"; done
echo "requirements*.txt are up to date."
