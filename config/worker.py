"""A worker as `celery --app config worker` starts it, without Celery's other commands, which take 12 MB.

`python -m config.worker short,long` starts PARAGOLD_WORKERS processes for jobs, and
`python -m config.worker short 1 short` one for short jobs only.
"""

from __future__ import annotations

import sys

from celery.utils.nodenames import default_nodename, host_format

from config.celery import app
from config.variables import value


def main(queues: str, concurrency: str = "", name: str = "celery") -> int:
    """Work until a signal ends it; returns the exit code."""
    worker = app.Worker(
        hostname=host_format(default_nodename(f"{name}@%h")),
        queues=queues,
        concurrency=int(concurrency or 0) or None,
        loglevel=value("PARAGOLD_LOG_LEVEL"),
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    return int(worker.exitcode or 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
