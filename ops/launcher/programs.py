"""The two programs of an installation, as commands."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ops.launcher.installation import Installation
from ops.launcher.supervisor import Program

# Numeric libraries would start a thread per core in every process, and glibc a memory arena per thread.
FRUGAL = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}


def environment(installation: Installation) -> dict[str, str]:
    """What the children see: one data folder, from wherever they look, and temporary files inside it."""
    return {
        **FRUGAL,
        **os.environ,
        "PARAGOLD_VAR": str(installation.var),
        "TMPDIR": str(installation.var / "tmp"),
        "PYTHONUNBUFFERED": "1",
    }


def web(installation: Installation, listener: int) -> Program:
    """`listener` is the descriptor of a socket that listens already."""
    settings = Path(__file__).with_name("gunicorn_settings.py")
    command = (sys.executable, "-m", "gunicorn", "config.wsgi:application")
    return Program(
        name="web server",
        command=(*command, "--config", str(settings), "--bind", f"fd://{listener}"),
        log=installation.logs / "web.log",
        descriptors=(listener,),
    )


def worker(installation: Installation) -> Program:
    return Program(
        name="worker",
        command=(sys.executable, "-m", "ops.workers"),
        log=installation.logs / "worker.log",
        # People can judge and link without it.
        essential=False,
    )
