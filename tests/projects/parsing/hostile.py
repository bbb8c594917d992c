"""Parsers that take too much, crash, or look for what is not theirs. They are called in another process."""

from __future__ import annotations

import os
import resource
import signal
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from paragold.problems import FileProblem

calls = 0


@dataclass(frozen=True, slots=True)
class Found:
    texts: tuple[str, ...]
    path: Path
    counts: dict[str, int]


def honest(path, *, counts):
    return Found(("one", "\ud800 half a character"), path, counts)


def refusing(lines):
    raise FileProblem.of(
        [FileProblem(f"Line {line} is wrong.", "Correct it.", 3, line, "inside.txt") for line in lines]
    )


def numbered_calls():
    global calls
    calls += 1
    return calls, os.getpid()


def endless():
    while True:
        pass


def waiting():
    time.sleep(600)


def greedy():
    return len([bytearray(1 << 20) for _ in range(4_000)])


def killed():
    os.kill(os.getpid(), signal.SIGKILL)


def broken():
    raise KeyError("a fault of ours")


def talking():
    return "x" * (8 << 20)


def writing(path):
    path.write_bytes(bytes(8 << 20))


def connecting(port):
    socket.create_connection(("127.0.0.1", port), timeout=5)


def surroundings():
    return {
        "variables": list(os.environ),
        "modules": sorted({name.partition(".")[0] for name in sys.modules}),
        "processes allowed": [str(resource.getrlimit(resource.RLIMIT_NPROC)[0])],
        "network": [str(Path("/proc/self/ns/net").readlink())],
    }


def lying():
    return ["no number"]  # type: ignore[list-item]  # that is the lie


def rows(count):
    for number in range(count):
        yield {"number": number}
    if count == 7:
        endless()


def slow_rows(count):
    for number in range(count):
        time.sleep(0.5)
        yield {"number": number}


def pieces(count):
    for number in range(count):
        yield honest(Path(), counts={"number": number})


def lying_pieces():
    yield "no number"  # type: ignore[misc]  # that is the lie
