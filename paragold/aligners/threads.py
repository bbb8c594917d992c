"""Work in several threads: compiled loops let go of Python's lock, so that they use all cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Part = TypeVar("Part")
Result = TypeVar("Result")


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def each(function: Callable[[Part], Result], parts: Iterable[Part]) -> list[Result]:
    """The results of the function for each part, in order. Parts must not write to the same places."""
    work, threads = list(parts), cores()
    if threads == 1 or len(work) < 2:
        return [function(part) for part in work]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(function, work))
