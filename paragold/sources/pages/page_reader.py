"""Pages from strangers, parsed in a process of their own that is ended when a page takes too much.

A parser is C code that no timer of ours interrupts and that memory may end: so it never runs in a worker or
a web server, but in a fresh interpreter (`reading_process`) that is reused for many pages. It has no
connection to the database, and ends when this process does, since its input closes then.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paragold.problems import FileProblem

from .blocks import Block
from .main_text import MainText
from .main_text_model import MainTextModel
from .marking import blocks_from

START_SECONDS = 120.0
# An archive in which so many pages are beyond their bounds is not read on.
PAGES_OVER_BOUNDS = 3

_ROOT = Path(__file__).resolve().parents[3]
_INHERITED_VARIABLES = ("PATH", "PYTHONPATH", "VIRTUAL_ENV", "LANG", "LC_ALL", "TMPDIR")


class OverBounds(FileProblem):
    """A page took more time or memory than a page may."""


class _Died(Exception):
    """The process ended before it answered; `code` is what it ended with."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class PageBounds:
    """What one page may take: seconds of computing, seconds by the clock, and memory."""

    cpu_seconds: float = 10.0
    seconds: float = 25.0
    megabytes: int = 1024


class PageReader:
    """Parses a page at a time in a child process, which is started when needed. For any number of threads."""

    def __init__(self, bounds: PageBounds | None = None) -> None:
        self.bounds = bounds or PageBounds()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def main_text(self, page: str, *, url: str = "", model: MainTextModel | None = None) -> MainText:
        """As `extract_main_text`. Raises FileProblem, OverBounds for a page that takes too much."""
        title, published, source, paragraphs = self._ask("main_text", page, url=url, model=model)["main_text"]
        return MainText(title, published, source, tuple(paragraphs))

    def blocks(
        self, page: str, *, model: MainTextModel | None = None, patience: float = -1
    ) -> tuple[list[Block], list[bool]]:
        """The page's blocks and what `suggested_marks` says of them.

        Waits `patience` seconds for pages that others ask about (-1: as long as it takes). Raises
        FileProblem.
        """
        answer = self._ask("blocks", page, model=model, patience=patience)
        return blocks_from(answer["blocks"]), answer["marks"]

    def check(self, page: str) -> None:
        """Raise FileProblem for a page that cannot be read."""
        self._ask("count", page)

    def close(self) -> None:
        """End the process; the next page starts another."""
        with self._lock:
            self._end()

    def _ask(
        self, want: str, page: str, *, url: str = "", model: MainTextModel | None = None, patience: float = -1
    ) -> dict[str, Any]:
        data = page.encode("utf-8", "surrogatepass")
        question = {
            "want": want,
            "bytes": len(data),
            "url": url,
            "model": model.to_json() if model else "",
            "seconds": self.bounds.cpu_seconds,
        }
        request = json.dumps(question).encode() + b"\n" + data
        if not self._lock.acquire(timeout=patience):
            raise FileProblem("Other pages are being read.", "Try again in a few seconds.")
        try:
            answer = self._answer(request)
        finally:
            self._lock.release()
        if "refused" in answer:
            raise FileProblem(*answer["refused"])
        if "over" in answer:
            raise OverBounds(
                f"The page takes more than {self.bounds.megabytes:,} MB of memory to read.", "Leave it out."
            )
        return answer

    def _answer(self, request: bytes) -> dict[str, Any]:
        # A process that had ended before, or was killed from outside, is replaced once.
        for last in (False, True):
            process = self._running()
            try:
                with self._deadline(process, self.bounds.seconds) as expired:
                    answer: dict[str, Any] = json.loads(_exchange(process, request))
                    return answer
            except _Died as died:
                self._end()
                if expired.is_set() or died.code == -signal.SIGXCPU:
                    raise OverBounds(
                        f"The page takes more than {self.bounds.cpu_seconds:g} s to read.", "Leave it out."
                    ) from died
                if last:
                    raise OverBounds("The page crashes the process that reads it.", "Leave it out.") from died
            except BaseException:
                # An answer may still come, too late.
                self._end()
                raise
        raise AssertionError("unreachable")

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._end()
        environment = {name: os.environ[name] for name in _INHERITED_VARIABLES if name in os.environ}
        # A session of its own: a signal to our group asks us to finish, and we still need it then.
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", f"{__package__}.reading_process", str(self.bounds.megabytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=_ROOT,
            env=environment,
            start_new_session=True,
        )
        try:
            with self._deadline(self._process, START_SECONDS):
                _exchange(self._process, b"")
        except _Died as died:
            self._end()
            raise RuntimeError(f"The process that reads pages did not start ({died.code}).") from died
        return self._process

    @contextmanager
    def _deadline(self, process: subprocess.Popen[bytes], seconds: float) -> Iterator[threading.Event]:
        expired = threading.Event()

        def end() -> None:
            expired.set()
            process.kill()

        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()
        try:
            yield expired
        finally:
            timer.cancel()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def _exchange(process: subprocess.Popen[bytes], request: bytes) -> bytes:
    """Send a request (none at the start) and return the line that comes back. Raises _Died."""
    if process.stdin is None or process.stdout is None:
        raise AssertionError("started with pipes")
    try:
        process.stdin.write(request)
        process.stdin.flush()
        line: bytes = process.stdout.readline()
    except BrokenPipeError:
        line = b""
    if not line.endswith(b"\n"):
        raise _Died(process.wait())
    return line


_READERS: dict[int, PageReader] = {}


def page_reader() -> PageReader:
    """The one of this process. A process that was forked from another gets its own."""
    return _READERS.setdefault(os.getpid(), PageReader())


@atexit.register
def _close_at_exit() -> None:
    if os.getpid() in _READERS:
        page_reader().close()
