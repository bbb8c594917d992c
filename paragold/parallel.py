"""Compiled inner loops, and work in portions and in several threads: such loops release Python's lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from itertools import islice
from threading import Thread
from time import sleep
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """The function compiled by Numba; the machine code is cached on disk where a folder can be written to.

    Division by zero and not-a-number behave as in NumPy, and other threads go on meanwhile. Where neither
    the folder of the source nor the user's cache is writable (a read-only container), it is compiled again
    in each process.
    """
    # Here and not above: it takes half a second and 80 MB, which only work that is compiled should cost.
    import numba

    try:
        return cast(Function, numba.njit(cache=True, nogil=True, error_model="numpy")(function))
    except RuntimeError:
        return cast(Function, numba.njit(nogil=True, error_model="numpy")(function))


Part = TypeVar("Part")
Result = TypeVar("Result")


def portions(items: Iterable[Part], size: int | None) -> Iterator[list[Part]]:
    """The items in lists of `size`, the last one shorter; None makes one list of all."""
    waiting = iter(items)
    while portion := list(islice(waiting, size)):
        yield portion


def cores() -> int:
    """The number of cores that this process may use."""
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


def process_pool(workers: int | None = None) -> Executor:
    """Worker processes, by default one for each core that may be used; they end with this process.

    A script that uses them needs no `if __name__ == "__main__"`, which spawned processes of Python ask for;
    and unlike forked ones they do not copy the locks of other threads.
    """
    from loky import ProcessPoolExecutor

    pool: Executor = ProcessPoolExecutor(workers or cores(), initializer=_end_with, initargs=(os.getpid(),))
    return pool


def _end_with(parent: int) -> None:
    """Have this worker process end when the one that started it was killed; it would wait for ever."""

    def watch() -> None:
        while os.getppid() == parent:
            sleep(1)
        os._exit(1)

    Thread(target=watch, daemon=True).start()
