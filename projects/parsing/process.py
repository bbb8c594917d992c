"""Functions that read the files of strangers, called in limited processes without a network.

A parser may compute for ever, take all memory, crash, or have a weakness. So it never runs in a worker or a
web server, but in a fresh interpreter (`child`) with neither their environment variables nor a connection to
the database; each call is a fork of it, of which nothing is left. Arguments and results pass as JSON and get
their types from the function's annotations: no answer of such a process can run anything here, as a pickle
could. Functions are those of modules that know nothing of Django.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python

from paragold.problems import FileProblem
from paragold.registry import PluginError

# Processes without work that wait for the next upload.
MAX_IDLE = 2
IDLE_SECONDS = 240.0  # soon after it such a process ends by itself
_ROOT = Path(__file__).resolve().parents[2]
_INHERITED_VARIABLES = ("PATH", "PYTHONPATH", "VIRTUAL_ENV", "LANG", "LC_ALL", "TMPDIR")
# The modules that parse uploads: a call is not to wait for them.
_PRELOADED = (
    "paragold.formats.judgement_files",
    "paragold.formats.labelled_pairs",
    "paragold.formats.link_files",
    "paragold.matching.files",
    "paragold.sources.article_sources",
    "paragold.sources.pages",
)

P = ParamSpec("P")
T = TypeVar("T")


class OverBounds(FileProblem):
    """A file took more time or memory than it may."""


class TooManyCalls(Exception):
    """As many calls as this process may wait for at a time are running already; see `share_calls`."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of a call: seconds of computing, seconds from answer to answer, memory beside the parsers'.

    written_megabytes: the maximum that it may answer, or write into one file. unpacked_megabytes: the maximum
        that a packed file may hold.
    """

    cpu_seconds: float
    seconds: float
    megabytes: int
    written_megabytes: int = 1024
    unpacked_megabytes: int = 1024


UPLOAD = Bounds(60, 90, 2048)
"""For a file whose uploader waits."""
SOURCE = Bounds(4 * 3600, 120, 2048, written_megabytes=64 << 10, unpacked_megabytes=4096)
"""For the articles that a worker imports, up to 4 GB, which it uses as they come."""


def limited(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """The result of a function of a module, called in a process of its own within UPLOAD; all types are data.

    Raises FileProblem as the function does, OverBounds for a file that takes too much, PluginError for a
    plug-in that fails, TooManyCalls where `share_calls` allows no further one, RuntimeError for any other
    error of the function.
    """
    [answer] = _answers(UPLOAD, function, arguments, named)
    result: T = _checked(function, answer["result"])
    return result


def limited_pieces(function: Callable[P, Iterator[T]], *arguments: P.args, **named: P.kwargs) -> Iterator[T]:
    """As `limited`, of a generator: its rows one by one, so that not all of them are in memory at once."""
    return _rows(UPLOAD, function, arguments, named)


def limited_source(function: Callable[P, Iterator[T]], *arguments: P.args, **named: P.kwargs) -> Iterator[T]:
    """As `limited_pieces`, but within SOURCE."""
    return _rows(SOURCE, function, arguments, named)


def _rows(bounds: Bounds, function: Callable[..., Any], arguments: Any, named: Any) -> Iterator[Any]:
    for answer in _answers(bounds, function, arguments, named):
        if "row" in answer:
            yield _checked(function, answer["row"])


def _checked(function: Callable[..., Any], value: Any) -> Any:
    """A result, or a row of a generator, as the type that the function declares."""
    try:
        return _result_type(function).validate_python(value)
    except ValidationError as error:
        raise RuntimeError(f"{function.__qualname__} returned what it does not declare.") from error


@lru_cache(maxsize=64)
def _result_type(function: Callable[..., Any]) -> TypeAdapter[Any]:
    declared = get_type_hints(function)["return"]
    return TypeAdapter(get_args(declared)[0] if get_origin(declared) is Iterator else declared)


def _answers(
    bounds: Bounds, function: Callable[..., Any], arguments: Any, named: Any
) -> Iterator[dict[str, Any]]:
    """The rows that a function gives, each as {"row": value}, and what it returns as {"result": value}."""
    call = {
        "function": f"{function.__module__}:{function.__qualname__}",
        "folder": Path.cwd(),
        "arguments": arguments,
        "named": named,
        "bounds": asdict(bounds),
    }
    request = json.dumps(call, default=to_jsonable_python).encode() + b"\n"
    with _share.hold(), _child() as child:
        for answer in child.answers(request, bounds):
            if "refused" in answer:
                raise FileProblem.of([FileProblem(**problem) for problem in answer["refused"]])
            if "over" in answer:
                raise _beyond(f"The file takes more than {bounds.megabytes:,} MB of memory to read.")
            if "died" in answer:
                computed = answer["died"] == -signal.SIGXCPU
                wrong = (
                    f"takes more than {bounds.cpu_seconds:g} s to read" if computed else "crashes its reader"
                )
                raise _beyond(f"The file {wrong}.")
            if "failed" in answer:
                raise PluginError(answer["plugin"]) if answer["plugin"] else RuntimeError(answer["failed"])
            yield answer


def _beyond(message: str) -> OverBounds:
    return OverBounds(message, "Split it.")


class _Child:
    """The process that forks itself for each call, one at a time."""

    def __init__(self) -> None:
        self.since = 0.0
        environment = {name: os.environ[name] for name in _INHERITED_VARIABLES if name in os.environ}
        environment["OPENBLAS_NUM_THREADS"] = "1"  # a fork may not start others
        # A session of its own: a signal to our group asks us to finish, and we still need it then.
        self.process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", f"{__package__}.child", *_PRELOADED],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=_ROOT,
            env=environment,
            start_new_session=True,
        )

    def end(self) -> None:
        """Kill it with its fork, which is in its group."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def answers(self, request: bytes, bounds: Bounds) -> Iterator[dict[str, Any]]:
        """The answers to a call, of which the last has no row. Raises OverBounds."""
        if self.process.stdin is None:
            raise AssertionError("started with pipes")
        with suppress(BrokenPipeError):
            self.process.stdin.write(request)
            self.process.stdin.flush()
        for line in self._lines(bounds):
            try:
                answer = json.loads(line)
            except ValueError:  # a fork ended within it
                continue
            yield answer
            if "row" not in answer:
                return
        raise RuntimeError(f"The process that reads uploads has ended ({self.process.wait()}).")

    def _lines(self, bounds: Bounds) -> Iterator[bytes]:
        if self.process.stdout is None:
            raise AssertionError("started with pipes")
        output, waiting = self.process.stdout.fileno(), select.poll()
        waiting.register(output, select.POLLIN)
        left, pieces = bounds.written_megabytes << 20, list[bytes]()
        while True:
            if not waiting.poll(bounds.seconds * 1000):
                raise _beyond(f"The file takes more than {bounds.seconds:g} s to read.")
            block = os.read(output, 1 << 16)
            left -= len(block)
            if left < 0:
                raise _beyond("What the file holds is too large.")
            if not block:
                return
            *ends, rest = block.split(b"\n")
            for end in ends:
                yield b"".join((*pieces, end))
                pieces.clear()
            pieces.append(rest)


_idle: list[_Child] = []
os.register_at_fork(after_in_child=_idle.clear)


@contextmanager
def _child() -> Iterator[_Child]:
    """A process for a call; afterwards it waits for the next, unless something of the call may be left."""
    child = _taken()
    try:
        yield child
    except BaseException as error:
        if type(error) is FileProblem:
            _leave(child)
        else:
            child.end()
        raise
    _leave(child)


def _taken() -> _Child:
    while _idle:
        with suppress(IndexError):  # another thread was faster
            child = _idle.pop()
            if child.process.poll() is None and time.monotonic() < child.since + IDLE_SECONDS:
                return child
            child.end()
    return _Child()


def _leave(child: _Child) -> None:
    if len(_idle) >= MAX_IDLE:
        child.end()
    else:
        child.since = time.monotonic()
        _idle.append(child)


def prepare() -> None:
    """Start a process for an upload that is likely to follow."""
    with suppress(TooManyCalls), _share.hold():
        _leave(_taken())


@atexit.register
def _end_at_exit() -> None:
    while _idle:
        _idle.pop().end()


class _CallShare:
    """How many threads may wait for a call at a time; no bound until `free` is set. A thread counts once."""

    def __init__(self) -> None:
        self.free: threading.BoundedSemaphore | None = None
        self._of_thread = threading.local()

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Raises TooManyCalls."""
        depth = getattr(self._of_thread, "depth", 0)
        free = None if depth else self.free
        if free is not None and not free.acquire(blocking=False):
            raise TooManyCalls
        self._of_thread.depth = depth + 1
        try:
            yield
        finally:
            self._of_thread.depth -= 1
            if free is not None:
                free.release()


_share = _CallShare()


def share_calls(number: int) -> None:
    """From now on at most so many threads of this process wait for a call at a time; others are refused.

    For web servers, whose other threads have to go on answering.
    """
    _share.free = threading.BoundedSemaphore(number)
