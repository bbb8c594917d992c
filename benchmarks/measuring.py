"""What a work costs: processor seconds, memory, percentiles; and processes for what must be apart."""

from __future__ import annotations

import multiprocessing
import os
import platform
import resource
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

Row = dict[str, Any]
Result = TypeVar("Result")

REPOSITORY = Path(__file__).resolve().parents[1]
DATA = REPOSITORY.parent / "shared" / "data"
ECB = str(DATA / "news" / "ecbplus_topics_1_35.jsonl")
PACKAGES = ("numpy", "numba", "scipy", "scikit-learn", "rapidfuzz", "duckdb", "pyarrow", "Django", "celery")


def cpu_seconds() -> float:
    """Of this process and of the children that it has waited for."""
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(use.ru_utime + use.ru_stime for use in usage)


def peak_mb() -> float:
    """The most memory (2**20 bytes) that this process has had.

    Linux counts into ru_maxrss what the parent had when it started this process; its status file does not.
    """
    status = Path("/proc/self/status").read_text(encoding="ascii")
    lines = dict(line.split(":", 1) for line in status.splitlines())
    return int(lines["VmHWM"].split()[0]) / 1024


@contextmanager
def cost() -> Iterator[Row]:
    """Gives a row that has `cpu_s`, `wall_s` and `peak_mb` (of this process) when the block has ended."""
    row: Row = {}
    cpu, wall = cpu_seconds(), time.monotonic()
    yield row
    row |= {"cpu_s": round(cpu_seconds() - cpu, 3), "wall_s": round(time.monotonic() - wall, 2)}
    row["peak_mb"] = round(peak_mb())


def seconds(work: Callable[[], object]) -> float:
    """Processor seconds of this process."""
    began = time.process_time()
    work()
    return time.process_time() - began


def apart(function: Callable[..., Result], *arguments: object) -> Result:
    """What the function returns in a new process, without the memory and the modules of this one."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(function, *arguments).result()


def percentile(values: Iterable[float], share: float) -> float | None:
    """The value below which `share` (0 to 1) of the values lie, by nearest rank, to 0.1; None if empty."""
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1) if ordered else None


def spread(values: Sequence[float]) -> Row:
    """Median and 95th percentile, as `p50_ms` and `p95_ms`."""
    return {"p50_ms": percentile(values, 0.5), "p95_ms": percentile(values, 0.95)}


def ratio(one: float | None, other: float | None, digits: int = 2) -> float | None:
    return round(one / other, digits) if one is not None and other else None


def machine() -> Row:
    """Where the figures come from."""
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "versions": {name: version(name) for name in PACKAGES},
    }
