"""The program of `process`: it calls functions for another process. Its arguments are modules to import.

It has no network: a namespace of its own without any, where the system allows that, and Python's own sockets
are refused everywhere. It reads calls from its standard input, and a fork writes the answers of each to its
standard output, one line of JSON each. It ends when its input closes (so it outlives the process that started
it by a call at most), and when no call comes for five minutes.
"""

from __future__ import annotations

import ctypes
import json
import os
import pkgutil
import resource
import select
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import validate_call
from pydantic_core import to_jsonable_python

from paragold import limits
from paragold.problems import FileProblem
from paragold.registry import plugin_failure

IDLE_SECONDS = 300.0
# Constants of sched.h.
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000


def main() -> None:
    leave_network()
    answers = os.fdopen(os.dup(1), "wb", 1 << 16)
    os.dup2(2, 1)  # what a library prints is no answer
    for module in sys.argv[1:]:
        import_module(module)  # the first call is not to pay for it
    while select.select([0], [], [], IDLE_SECONDS)[0] and (line := sys.stdin.buffer.readline()):
        fork = os.fork()
        if fork == 0:
            code = 1
            try:
                _answer(json.loads(line), answers)
                code = 0
            finally:
                os._exit(code)
        if code := os.waitstatus_to_exitcode(os.waitpid(fork, 0)[1]):
            # It may have ended within a line.
            answers.write(b"\n" + _line({"died": code}))
            answers.flush()


def _answer(call: dict[str, Any], answers: BinaryIO) -> None:
    """Nothing of the call is left for the next, and it starts no other process."""
    os.chdir(call["folder"])  # paths may be relative
    bounds = call["bounds"]
    _limit(resource.RLIMIT_NPROC, 0)
    _limit(resource.RLIMIT_FSIZE, bounds["written_megabytes"] << 20)
    _limit(resource.RLIMIT_CPU, int(bounds["cpu_seconds"]) + 1)
    _limit(resource.RLIMIT_AS, _used_memory() + (bounds["megabytes"] << 20))
    limits.UNPACKED_BYTES = bounds["unpacked_megabytes"] << 20
    try:
        for answer in _answers(call):
            answers.write(_line(answer))
            answers.flush()
    except MemoryError:
        answers.write(_line({"over": True}))
        answers.flush()


def _answers(call: dict[str, Any]) -> Iterator[dict[str, Any]]:
    try:
        function = validate_call(pkgutil.resolve_name(call["function"]))
        result = function(*call["arguments"], **call["named"])
        if isinstance(result, Iterator):
            for row in result:
                yield {"row": row}
            result = None
        yield {"result": result}
    except FileProblem as refusal:
        yield {"refused": [problem.as_json() for problem in refusal.problems]}
    except MemoryError:
        raise
    except Exception as error:
        yield {"failed": f"{type(error).__name__}: {error}", "plugin": plugin_failure(error)}


def _line(answer: dict[str, Any]) -> bytes:
    return json.dumps(answer, default=to_jsonable_python).encode() + b"\n"


def _used_memory() -> int:
    """Bytes of address space, 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return 0
    return pages * resource.getpagesize()


def _limit(kind: int, amount: int) -> None:
    _, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (amount if hard == resource.RLIM_INFINITY else min(amount, hard), hard))


def _refuse_sockets(event: str, _: tuple[Any, ...]) -> None:
    if event.startswith("socket."):
        raise PermissionError("This process has no network.")


def leave_network() -> None:
    unshare = getattr(ctypes.CDLL(None), "unshare", None)
    # As root, and as anybody else where users may have namespaces (user_namespaces(7)).
    if unshare is not None and unshare(CLONE_NEWNET) != 0:
        unshare(CLONE_NEWUSER | CLONE_NEWNET)
    sys.addaudithook(_refuse_sockets)


if __name__ == "__main__":
    main()
