"""Starts the worker processes by forking, and replaces one that dies or does not move."""

from __future__ import annotations

import logging
import mmap
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FrameType

from ops.launcher.supervisor import describe_exit

logger = logging.getLogger("ops.workers")

TICK = 0.2
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds. After a life shorter than `quick` the wait before a restart doubles each time; a process
    without a pulse for `pulse` is killed."""

    quick: float = 20.0
    first_wait: float = 0.5
    longest_wait: float = 10.0
    pulse: float = 45.0


@dataclass(slots=True)
class Slot:
    """The place of one process, and whom it holds now."""

    number: int
    short_only: bool
    pid: int | None = None
    started: float = 0.0
    start_at: float = 0.0
    quick_deaths: int = 0
    pulse: int = 0
    silent: float = 0.0


Run = Callable[[Slot, Callable[[], None]], int]
"""What a process does: with its slot and what to call about once a second; returns its exit code."""


class Supervisor:
    def __init__(self, slots: Sequence[Slot], run: Run, *, patience: Patience | None = None) -> None:
        self.slots = slots
        self._run = run
        self._patience = patience or Patience()
        # A counter for each slot, in shared memory; without a lock, since each process writes its own only.
        self._pulses = memoryview(mmap.mmap(-1, 8 * (len(slots) + 1))).cast("q")
        self._stops = 0

    def run(self) -> int:
        """Run until SIGTERM, SIGINT or SIGHUP. Processes finish their message; a second signal kills them."""
        for number in SIGNALS:
            signal.signal(number, self._stop)
        while True:
            began = time.monotonic()
            for slot in self.slots:
                self.check(slot)
            if self._stops and all(slot.pid is None for slot in self.slots):
                return 0
            time.sleep(TICK)
            # While this process was itself stopped, or the machine asleep, nobody was silent.
            passed = min(time.monotonic() - began, 1.0)
            for slot in self.slots:
                slot.silent += passed

    def check(self, slot: Slot) -> None:
        """One look at a slot: start, replace or kill its process."""
        if slot.pid is None:
            if not self._stops and time.monotonic() >= slot.start_at:
                self._start(slot)
            return
        pid, status = os.waitpid(slot.pid, os.WNOHANG)
        if pid:
            self._record_exit(slot, os.waitstatus_to_exitcode(status))
            return
        pulse = self._pulses[slot.number]
        if pulse != slot.pulse:
            slot.pulse, slot.silent = pulse, 0.0
        elif slot.silent > self._patience.pulse:
            logger.error("Worker process %s (%s) does not move; it is killed.", slot.number, slot.pid)
            os.kill(slot.pid, signal.SIGKILL)
            slot.silent = 0.0

    def _start(self, slot: Slot) -> None:
        slot.started, slot.silent = time.monotonic(), 0.0
        sys.stdout.flush()
        sys.stderr.flush()
        # A signal to stop waits until it finds the new process in its slot, or is the process's own.
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        pid = os.fork()
        if pid:
            slot.pid = pid
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
            return
        code = 1
        try:
            for number in SIGNALS:
                signal.signal(number, _end)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
            code = self._run(slot, lambda: self._beat(slot.number))
        except SystemExit as end:
            code = int(end.code or 0)
        except BaseException:
            # Nothing may return into the supervisor's own code: this is another process.
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def _beat(self, slot: int) -> None:
        self._pulses[slot] += 1

    def _record_exit(self, slot: Slot, code: int) -> None:
        patience = self._patience
        quick = time.monotonic() - slot.started < patience.quick
        slot.quick_deaths = slot.quick_deaths + 1 if code and quick else 0
        doubled = patience.first_wait * 2 ** max(0, slot.quick_deaths - 2)
        wait = min(patience.longest_wait, doubled) if slot.quick_deaths > 1 else 0.0
        if code and not self._stops:
            logger.error(
                "Worker process %s (%s) ended (%s); starting another in %.1f s.",
                slot.number, slot.pid, describe_exit(code), wait,
            )  # fmt: skip
        slot.pid = None
        slot.start_at = time.monotonic() + wait

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._stops += 1
        for slot in self.slots:
            if slot.pid is not None:
                os.kill(slot.pid, signal.SIGTERM if self._stops == 1 else signal.SIGKILL)


def _end(number: int, frame: FrameType | None) -> None:
    """The signal handler of a process that has not yet set up its own."""
    raise SystemExit(0)
