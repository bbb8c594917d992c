"""One worker process: Celery's consumer, which does the work itself, with bounds on time and memory."""

from __future__ import annotations

import logging
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

from celery.signals import task_postrun
from celery.worker import consumer, state
from django.conf import settings

from config.celery import app
from config.variables import value
from jobs import worker
from jobs.services.ledger import LONG_QUEUE, SHORT_QUEUE
from ops.workers.supervisor import SIGNALS, Slot

logger = logging.getLogger(__name__)

PULSE_SECONDS = 1.0
# Without work, a process that has not asked for a message for so long is of no use.
IDLE_STUCK_SECONDS = 120.0


class Consumer(consumer.Consumer):
    """Notes each turn of the loop in which this process asks for messages."""

    def perform_pending_operations(self) -> None:
        worker.note_poll()
        super().perform_pending_operations()


def run(slot: Slot, pulse: Callable[[], None]) -> int:
    """Take messages until asked to stop, or until this process has done its share. Returns the exit code."""
    for number in SIGNALS:
        signal.signal(number, end_when_started)
    threading.Thread(target=watch, args=(pulse, os.getppid()), name="watchdog", daemon=True).start()
    heart = worker.Heart(short_only=slot.short_only)
    heart.start()
    task_postrun.connect(stop_when_due, weak=False)
    try:
        consuming = app.Worker(
            hostname=f"worker{slot.number}@%h",
            queues=[SHORT_QUEUE] if slot.short_only else [SHORT_QUEUE, LONG_QUEUE],
            pool="solo",
            concurrency=1,
            consumer_cls=Consumer,
            # On both brokers the same loop: one that returns every two seconds at the latest.
            use_eventloop=False,
            loglevel=value("PARAGOLD_LOG_LEVEL"),
            quiet=True,
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
        )
        consuming.start()
    finally:
        heart.stop()
    return int(consuming.exitcode or 0)


def end_when_started(number: int, frame: FrameType | None) -> None:
    """Until Celery has its own handlers: end before the first message.

    Nothing is raised: an exception would be lost if the signal came while an object was being freed.
    """
    state.should_stop = os.EX_OK  # type: ignore[assignment]  # an exit code, or None


def watch(pulse: Callable[[], None], parent: int) -> None:
    """Say once a second that this process lives; end it when it is stuck, or when its supervisor is gone."""
    orphaned = False
    while True:
        pulse()
        late = worker.seconds_stuck()
        if late > (0 if worker.is_busy() else IDLE_STUCK_SECONDS):
            logger.critical("This process was stuck for too long; another one replaces it.")
            os._exit(os.EX_SOFTWARE)
        if not orphaned and os.getppid() != parent:
            orphaned = True
            os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(PULSE_SECONDS)


def stop_when_due(**_: Any) -> None:
    """End this process after the present message, when it has done its share or has grown large."""
    messages = sum(state.total_count.values())
    if messages >= settings.WORKER_MESSAGES or resident_bytes() > settings.WORKER_MEMORY:
        state.should_stop = os.EX_OK  # type: ignore[assignment]  # an exit code, or None


def resident_bytes() -> int:
    """The memory of this process; where the system does not give it, its peak."""
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest if sys.platform == "darwin" else largest * 1024
