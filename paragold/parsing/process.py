"""Functions that parse uploads and pages, called in limited processes without a network.

A parser may compute for ever, take all memory, crash, or have a weakness. So it never runs in a worker or a
web server, but in a fresh interpreter (`child`) with neither their environment variables nor a connection to
the database. Arguments and results pass as JSON and get their types from the function's annotations: no
answer of such a process can run anything here, as a pickle could.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python

from paragold.problems import FileProblem
from paragold.registry import PluginError

START_SECONDS = 120.0
# Processes without work that wait for the next upload.
MAX_IDLE = 2

_ROOT = Path(__file__).resolve().parents[2]
_INHERITED_VARIABLES = ("PATH", "PYTHONPATH", "VIRTUAL_ENV", "LANG", "LC_ALL", "TMPDIR")

P = ParamSpec("P")
T = TypeVar("T")


class OverBounds(FileProblem):
    """A file or page took more time or memory than it may."""


class TooManyCalls(Exception):
    """As many calls as this process may wait for at a time are running already; see `share_calls`."""


class _Died(Exception):
    """The process ended before it answered; `code` is what it ended with."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of a call: seconds of computing, seconds by the clock, and memory beside the parsers' own.

    written_megabytes: the maximum that it may answer, or write into one file. unpacked_megabytes: the maximum
        that a packed file may hold. what, remedy: words of errors.
    """

    cpu_seconds: float
    seconds: float
    megabytes: int
    written_megabytes: int = 1024
    unpacked_megabytes: int = 1024
    what: str = "The file"
    remedy: str = "Split it."


UPLOAD = Bounds(60, 90, 2048)
"""For a file whose uploader waits."""
SOURCE = Bounds(4 * 3600, 12 * 3600, 2048, written_megabytes=64 << 10, unpacked_megabytes=4096)
"""For the articles that a worker imports, up to 4 GB, which it uses as they come."""


class LimitedProcess:
    """A child process that answers a call at a time and is started when needed; `modules` are imported first.

    With `reused` the calls share it; else each is answered by a fork of it, of which nothing is left.
    """

    def __init__(self, *modules: str, reused: bool = False) -> None:
        self._modules = modules
        self._reused = reused
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False

    def call(
        self, function: Callable[..., Any], *arguments: Any, bounds: Bounds, named: dict[str, Any]
    ) -> Iterator[dict[str, Any]]:
        """The rows that a function gives, each as {"row": value}, and what it returns as {"result": value}.

        Raises FileProblem as the function does, OverBounds, PluginError, and RuntimeError for other failures.
        """
        question = {
            "function": f"{function.__module__}:{function.__qualname__}",
            "folder": Path.cwd(),
            "arguments": arguments,
            "named": named,
            "cpu_seconds": bounds.cpu_seconds,
            "megabytes": bounds.megabytes,
            "written_megabytes": bounds.written_megabytes,
            "unpacked_megabytes": bounds.unpacked_megabytes,
            "in_fork": not self._reused,
        }
        request = json.dumps(question, default=to_jsonable_python).encode() + b"\n"
        last: dict[str, Any] = {}
        for last in self._answers(request, bounds):
            if "row" in last:
                yield last
        if "refused" in last:
            raise FileProblem.of([FileProblem(**problem) for problem in last["refused"]])
        if "over" in last:
            raise OverBounds(
                f"{bounds.what} takes more than {bounds.megabytes:,} MB of memory to read.", bounds.remedy
            )
        if "failed" in last:
            raise PluginError(last["plugin"]) if last["plugin"] else RuntimeError(last["failed"])
        yield last

    def result(self, bounds: Bounds, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """The result of a function, of the type that it declares. Raises as `call` does."""
        [answer] = self.call(function, *arguments, bounds=bounds, named=named)
        returned: T = _checked(function, answer["result"])
        return returned

    def _answers(self, request: bytes, bounds: Bounds) -> Iterator[dict[str, Any]]:
        # A process that had ended before, or was killed from outside, is replaced once.
        answered, last = False, self._process is None
        while True:
            process = self._running()
            try:
                with self._deadline(process, bounds.seconds) as expired:
                    for answer in _exchange(process, request, bounds.written_megabytes << 20):
                        answered = True
                        yield answer
                return
            except _Died as died:
                self.end()
                if expired.is_set() or died.code == -signal.SIGXCPU:
                    seconds = bounds.seconds if expired.is_set() else bounds.cpu_seconds
                    raise OverBounds(
                        f"{bounds.what} takes more than {seconds:g} s to read.", bounds.remedy
                    ) from died
                if last or answered:
                    raise OverBounds(
                        f"{bounds.what} crashes the process that reads it.", bounds.remedy
                    ) from died
                last = True
            except BaseException:
                # An answer may still come, too late.
                self.end()
                raise

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self) -> subprocess.Popen[bytes]:
        """Start the process if it does not run; a call waits until it is ready."""
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.end()
        environment = {name: os.environ[name] for name in _INHERITED_VARIABLES if name in os.environ}
        environment["OPENBLAS_NUM_THREADS"] = "1"  # a fork may not start others
        # A session of its own: a signal to our group asks us to finish, and we still need it then.
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", f"{__package__}.child", *self._modules],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=_ROOT,
            env=environment,
            start_new_session=True,
        )
        self._ready = False
        return self._process

    def _running(self) -> subprocess.Popen[bytes]:
        process = self.start()
        if not self._ready:
            try:
                with self._deadline(process, START_SECONDS):
                    next(_exchange(process, b"", 1 << 10))
            except _Died as died:
                self.end()
                raise RuntimeError(f"The process that reads uploads did not start ({died.code}).") from died
            self._ready = True
        return process

    @contextmanager
    def _deadline(self, process: subprocess.Popen[bytes], seconds: float) -> Iterator[threading.Event]:
        expired = threading.Event()

        def end() -> None:
            expired.set()
            _kill(process)

        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()
        try:
            yield expired
        finally:
            timer.cancel()

    def end(self) -> None:
        """End the process; the next call starts another."""
        process, self._process = self._process, None
        if process is None:
            return
        _kill(process)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill it with its fork, which is in its group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _exchange(process: subprocess.Popen[bytes], request: bytes, max_bytes: int) -> Iterator[dict[str, Any]]:
    """Send a request (none at the start) and give the answers, of which the last has no row. Raises _Died."""
    if process.stdin is None or process.stdout is None:
        raise AssertionError("started with pipes")
    with suppress(BrokenPipeError):
        process.stdin.write(request)
        process.stdin.flush()
    while True:
        line = process.stdout.readline(max_bytes + 1)
        max_bytes -= len(line)
        if not line:
            raise _Died(process.wait())
        if max_bytes < 0:
            raise OverBounds("What the file holds is too large.", "Split it.")
        try:
            answer = json.loads(line)
        except ValueError:  # a fork ended within it
            continue
        if "died" in answer:
            raise _Died(answer["died"])
        yield answer
        if "row" not in answer:
            return


_idle: dict[int, list[LimitedProcess]] = {}
"""The idle ones by the process that made them: a fork has its own."""


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


@contextmanager
def _process() -> Iterator[LimitedProcess]:
    with _share.hold():
        yield from _idle_or_new()


def _idle_or_new() -> Iterator[LimitedProcess]:
    idle = _idle.setdefault(os.getpid(), [])
    try:
        process = idle.pop()
    except IndexError:
        process = LimitedProcess(*_PRELOADED)
    try:
        yield process
    finally:
        if len(idle) < MAX_IDLE:
            idle.append(process)
        else:
            process.end()


# The modules that parse uploads.
_PRELOADED = (
    "paragold.formats.judgements.judged_pairs",
    "paragold.formats.judgements.labelled_pairs",
    "paragold.formats.link_files",
    "paragold.matching.files",
    "paragold.sources.article_sources",
)


@lru_cache(maxsize=64)
def _result_type(function: Callable[..., Any]) -> TypeAdapter[Any]:
    declared = get_type_hints(function)["return"]
    return TypeAdapter(get_args(declared)[0] if get_origin(declared) is Iterator else declared)


def limited(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """The result of a function of a module, called in a process of its own within UPLOAD; all types are data.

    Raises FileProblem as the function does, OverBounds for a file that takes too much, PluginError for a
    plug-in that fails, TooManyCalls where `share_calls` allows no further one, RuntimeError for any other
    error of the function.
    """
    with _process() as process:
        return process.result(UPLOAD, function, *arguments, **named)


def limited_pieces(function: Callable[P, Iterator[T]], *arguments: P.args, **named: P.kwargs) -> Iterator[T]:
    """As `limited`, of a generator: its rows one by one, so that not all of them are in memory at once."""
    with _process() as process:
        for answer in process.call(function, *arguments, bounds=UPLOAD, named=named):
            if "row" in answer:
                yield _checked(function, answer["row"])


def _checked(function: Callable[..., Any], value: Any) -> Any:
    """A result, or a row of a generator, as the type that the function declares."""
    try:
        return _result_type(function).validate_python(value)
    except ValidationError as error:
        raise RuntimeError(f"{function.__qualname__} returned what it does not declare.") from error


def prepare() -> None:
    """Start a process for an upload that is likely to follow."""
    with suppress(TooManyCalls), _process() as process:
        process.start()


def limited_rows(
    function: Callable[P, Iterator[Any]], *arguments: P.args, **named: P.kwargs
) -> Iterator[Any]:
    """The rows of a generator, as JSON has them; as `limited`, but within SOURCE."""
    with _process() as process:
        for answer in process.call(function, *arguments, bounds=SOURCE, named=named):
            if "row" in answer:
                yield answer["row"]


@atexit.register
def _end_at_exit() -> None:
    for process in _idle.pop(os.getpid(), []):
        process.end()
