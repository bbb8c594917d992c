"""Where the tasks of a stage run: processes of this machine, or Ray; Slurm is in `slurm`."""

from __future__ import annotations

import errno
import os
import signal
import socket
import traceback
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from paragold.problems import FileProblem
from paragold.shards.packages import package

ATTEMPTS = 3
"""How often a task is tried whose worker dies or fails."""

# Ray takes about 20 seconds to notice that a node is gone.
_NODE_ATTEMPTS, _NODE_SECONDS, _SECONDS_BETWEEN = 12, 5.0, 1.0

# What will not go away by trying again.
_FINAL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EFBIG)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an attempt at a task ended.

    record: what the task said of its result; None where it has none.
    problem: why no further attempt makes sense.
    failure: what went wrong in an attempt that may be repeated; "" where nothing did.
    """

    number: int
    record: dict[str, Any] | None = None
    problem: FileProblem | None = None
    failure: str = ""


def attempt(folder: Path, stage: str, number: int) -> Outcome:
    """Do a task and say how it ended; that is also in its log in `logs/`, failures with their trace."""
    # Here and not above: the driver needs neither pyarrow nor kernels.
    from paragold.shards.tasks import run_task

    try:
        record = run_task(folder, stage, number)
        peak = record["peak_bytes"] / 1e6
        _log(folder, stage, number, f"done in {record['seconds']} s, at most {peak:,.0f} MB in its process")
        return Outcome(number, record=record)
    except FileProblem as problem:
        _log(folder, stage, number, str(problem))
        return Outcome(number, problem=problem)
    except Exception as error:
        code = getattr(error, "errno", None)
        if isinstance(error, OSError) and code in _FINAL:
            return Outcome(number, problem=_unwritable(folder, code, str(error.strerror or error)))
        _log(folder, stage, number, traceback.format_exc())
        return Outcome(number, failure=f"{type(error).__name__}: {error}")


def _log(folder: Path, stage: str, number: int, text: str) -> None:
    """Add to the log of a task when and where something happened to it."""
    logs, at = folder / "logs", datetime.now(UTC).isoformat(timespec="seconds")
    # A full disk is reported elsewhere.
    with suppress(OSError):
        logs.mkdir(exist_ok=True)
        with (logs / f"{stage}-{number:06}.log").open("a", encoding="utf-8") as file:
            file.write(f"{at} {socket.gethostname()} {os.getpid()}: {text}\n")


def _unwritable(folder: Path, code: int | None, reason: str) -> FileProblem:
    if code in (errno.ENOSPC, errno.EDQUOT):
        message, remedy = "The disk is full.", "Make room"
    else:
        message, remedy = f"The folder cannot be written ({reason}).", "Correct that"
    return FileProblem(
        message, f"{remedy} and run the same command with --resume: what is done stays.", file=str(folder)
    )


def given_up(stage: str, number: int, failure: str, folder: Path) -> FileProblem:
    return FileProblem(
        f"Task {number} of the stage {stage} failed too often, the last time because: {failure.rstrip('.')}.",
        "See its log in the folder logs, correct the cause and run the same command with --resume; if memory "
        "ran out, use fewer workers, or more shards in another folder.",
        file=str(folder),
    )


class Engine(ABC):
    """Runs tasks on several workers. Use it as a context: leaving it ends all workers.

    dashboard: the address of a page on which they can be watched, or "".
    """

    dashboard = ""

    @abstractmethod
    def run(self, folder: Path, stage: str, numbers: Sequence[int]) -> Iterator[Outcome]:
        """Do the tasks of a stage in any order; yields how each attempt ended.

        Ends when all have a record. Raises FileProblem for a task that was tried `ATTEMPTS` times.
        """

    def __enter__(self) -> Engine:
        return self

    @abstractmethod
    def __exit__(self, *error: object) -> None: ...


@dataclass(slots=True)
class _Worker:
    process: Any
    connection: Connection
    number: int | None = None


@dataclass
class LocalEngine(Engine):
    """Processes of this machine; one that is killed is replaced, and its task is done again.

    on_start: called with the process id of each worker.
    """

    workers: int
    on_start: Callable[[int | None], object] = lambda pid: None
    _pool: list[_Worker] = field(default_factory=list)

    def run(self, folder: Path, stage: str, numbers: Sequence[int]) -> Iterator[Outcome]:
        waiting, left = deque(numbers), len(numbers)
        failures: dict[int, int] = {}
        while left:
            while len(self._pool) < min(self.workers, left):
                self._pool.append(self._start())
            for worker in self._pool:
                if worker.number is None and waiting:
                    worker.number = waiting.popleft()
                    # A worker that died is noticed below.
                    with suppress(OSError):
                        worker.connection.send((folder, stage, worker.number))
            busy = [(worker, worker.number) for worker in self._pool if worker.number is not None]
            ready = wait([worker.connection for worker, _ in busy])
            for worker, number in busy:
                if worker.connection not in ready:
                    continue
                outcome = self._outcome(worker, number)
                yield outcome
                if outcome.record is not None:
                    left -= 1
                    continue
                failures[outcome.number] = failures.get(outcome.number, 0) + 1
                if failures[outcome.number] == ATTEMPTS:
                    raise given_up(stage, outcome.number, outcome.failure, folder)
                waiting.append(outcome.number)

    def _start(self) -> _Worker:
        # Spawned, not forked: the caller may have threads, and a fork would copy their locks.
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        self.on_start(process.pid)
        return _Worker(process, ours)

    def _outcome(self, worker: _Worker, number: int) -> Outcome:
        worker.number = None
        try:
            outcome: Outcome = worker.connection.recv()
            return outcome
        except (EOFError, OSError):
            self._pool.remove(worker)
            worker.process.join()
            code = worker.process.exitcode
            return Outcome(number, failure=f"its process was killed (exit status {code})")

    def __exit__(self, *error: object) -> None:
        for worker in self._pool:
            worker.process.kill()
        for worker in self._pool:
            worker.process.join()
            worker.connection.close()
        self._pool.clear()


def _serve(connection: Connection) -> None:
    """Do what is asked for until the driver closes the connection, or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            folder, stage, number = connection.recv()
            connection.send(attempt(folder, stage, number))


@dataclass
class RayEngine(Engine):
    """Workers of a Ray cluster, which all have to see the folder and the inputs.

    address: as for `ray.init`; "" is that of a running cluster, or Ray on this machine.
    workers: how many tasks are handed over at once; None is all, and Ray runs as many as there are CPUs.
    """

    address: str = ""
    workers: int | None = None
    _ray: Any = None
    _owned: bool = False

    def __enter__(self) -> RayEngine:
        self._ray = package("ray")
        if not self._ray.is_initialized():
            context = self._ray.init(
                address=self.address or None, log_to_driver=False, ignore_reinit_error=True
            )
            self.dashboard = context.dashboard_url or ""
            self._owned = True
        return self

    def run(self, folder: Path, stage: str, numbers: Sequence[int]) -> Iterator[Outcome]:
        ray = self._ray
        # Ray would try again by itself; here failures are counted and shown.
        task = ray.remote(attempt).options(num_cpus=1, max_retries=0)
        gone = (ray.exceptions.LocalRayletDiedError, ray.exceptions.NodeDiedError)
        waiting, running = deque((0.0, number) for number in numbers), dict[Any, int]()
        failures = Counter[tuple[int, bool]]()
        while waiting or running:
            now = monotonic()
            while waiting and waiting[0][0] <= now and (not self.workers or len(running) < self.workers):
                _, number = waiting.popleft()
                running[task.remote(folder, stage, number)] = number
            if not running:
                sleep(_SECONDS_BETWEEN)
                continue
            for reference in ray.wait(list(running), timeout=_SECONDS_BETWEEN)[0]:
                number, node_gone = running.pop(reference), False
                try:
                    outcome: Outcome = ray.get(reference)
                except ray.exceptions.RayError as error:
                    node_gone = isinstance(error, gone)
                    outcome = Outcome(number, failure=str(error).strip().splitlines()[0])
                yield outcome
                if outcome.record is None:
                    failures[number, node_gone] += 1
                    # Until it notices that a node is gone, Ray may send tasks there again and again.
                    if failures[number, node_gone] == (_NODE_ATTEMPTS if node_gone else ATTEMPTS):
                        raise given_up(stage, number, outcome.failure, folder)
                    waiting.append((monotonic() + _NODE_SECONDS * node_gone, number))

    def __exit__(self, *error: object) -> None:
        if self._owned:
            self._ray.shutdown()
