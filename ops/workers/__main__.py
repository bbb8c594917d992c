"""`python -m ops.workers`: PARAGOLD_WORKERS processes that work on jobs, and one for short jobs only.

Each takes its own messages from the queue: no pipe, lock or pool is shared between them, so that none can
hold up another, whatever kills it. This process only starts them, and puts another in the place of one
that died or no longer moves. They are forked after everything is loaded, and share that memory.
"""

from __future__ import annotations

import gc
import os
import sys

import django

from config.variables import value
from ops.workers.supervisor import Slot, Supervisor


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # The preparation has made them; they load every page and form, which takes 20 MB.
    os.environ.setdefault("CELERY_SKIP_CHECKS", "1")
    django.setup()

    from config.celery import app
    from ops import migrating
    from ops.workers import process

    migrating.wait()
    app.loader.import_default_modules()
    app.finalize()
    # What is loaded by now stays: the collector need not touch, and so copy, its memory in each process.
    gc.collect()
    gc.freeze()
    number = int(value("PARAGOLD_WORKERS"))
    slots = [Slot(n, short_only=n > number) for n in range(1, number + 2)]
    return Supervisor(slots, process.run).run()


if __name__ == "__main__":
    sys.exit(main())
