#!/bin/sh
# Makes .venv fit the requirements files; does nothing when it fits already. With --dev, for the tests too.
set -eu
cd "$(dirname "$0")/.."
python=$(scripts/find-python)
exec "$python" scripts/bootstrap.py "$@"
