"""Parsers that take too much, crash, or look for what is not theirs. They are called in another process."""

from __future__ import annotations

import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from paragold.problems import FileProblem

calls = 0


@dataclass(frozen=True, slots=True)
class Found:
    texts: tuple[str, ...]
    path: Path
    counts: dict[str, int]


def honest(path: Path, *, counts: dict[str, int]) -> Found:
    return Found(("one", "\ud800 half a character"), path, counts)


def refusing(lines: list[int]) -> list[str]:
    raise FileProblem.of(
        [FileProblem(f"Line {line} is wrong.", "Correct it.", 3, line, "inside.txt") for line in lines]
    )


def numbered_calls() -> tuple[int, int]:
    global calls
    calls += 1
    return calls, os.getpid()


def endless() -> None:
    while True:
        pass


def waiting() -> None:
    time.sleep(600)


def greedy() -> int:
    return len([bytearray(1 << 20) for _ in range(4_000)])


def killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def broken() -> None:
    raise KeyError("a fault of ours")


def talking() -> str:
    return "x" * (8 << 20)


def writing(path: Path) -> None:
    path.write_bytes(bytes(8 << 20))


def connecting(port: int) -> None:
    socket.create_connection(("127.0.0.1", port), timeout=5)


def surroundings() -> dict[str, list[str]]:
    return {
        "variables": list(os.environ),
        "modules": sorted({name.partition(".")[0] for name in sys.modules}),
        "processes allowed": [str(resource.getrlimit(resource.RLIMIT_NPROC)[0])],
        "network": [str(Path("/proc/self/ns/net").readlink())],
    }


def lying() -> list[int]:
    return ["no number"]  # type: ignore[list-item]  # that is the lie


def rows(count: int) -> Iterator[dict[str, int]]:
    for number in range(count):
        yield {"number": number}
    if count == 7:
        endless()


def slow_rows(count: int) -> Iterator[dict[str, int]]:
    for number in range(count):
        time.sleep(0.5)
        yield {"number": number}
