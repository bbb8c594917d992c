"""Pages parsed in a process of its own, which is ended when a page takes too much time or memory.

A parser of HTML is C code that no timer interrupts and that may run out of memory. The process is reused for
many pages (`paragold.parsing.process`).
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Callable
from typing import Any

from paragold.parsing.process import Bounds, LimitedProcess
from paragold.problems import FileProblem

from . import reading
from .blocks import Block
from .main_text import MainText
from .main_text_model import MainTextModel
from .marking import blocks_from

# An archive in which so many pages are beyond their bounds is not read on.
PAGES_OVER_BOUNDS = 3
PAGE = Bounds(10, 25, 1024, what="The page", remedy="Leave it out.")


class PageReader:
    """Parses a page at a time in a child process, which is started when needed. For any number of threads."""

    def __init__(self, bounds: Bounds = PAGE) -> None:
        self.bounds = bounds
        self.process = LimitedProcess(reading.__name__, "trafilatura", reused=True)
        self._lock = threading.Lock()

    def main_text(self, page: str, *, url: str = "", model: MainTextModel | None = None) -> MainText:
        """As `extract_main_text`. Raises FileProblem, OverBounds for a page that takes too much."""
        title, published, source, paragraphs = self._ask(reading.main_text, page, url, _numbers(model))
        return MainText(title, published, source, tuple(paragraphs))

    def blocks(
        self, page: str, *, model: MainTextModel | None = None, patience: float = -1
    ) -> tuple[list[Block], list[bool]]:
        """The page's blocks and what `suggested_marks` says of them.

        Waits `patience` seconds for other pages to be read (-1: without limit). Raises FileProblem.
        """
        rows, marks = self._ask(reading.blocks, page, _numbers(model), patience=patience)
        return blocks_from(rows), marks

    def check(self, page: str) -> None:
        """Raise FileProblem for a page that cannot be read."""
        self._ask(reading.check, page)

    def close(self) -> None:
        """End the process; the next page starts another."""
        with self._lock:
            self.process.end()

    def _ask(self, function: Callable[..., Any], *arguments: str, patience: float = -1) -> Any:
        if not self._lock.acquire(timeout=patience):
            raise FileProblem("Other pages are being read.", "Try again in a few seconds.")
        try:
            [answer] = self.process.call(function, *arguments, bounds=self.bounds, named={})
        finally:
            self._lock.release()
        return answer["result"]


def _numbers(model: MainTextModel | None) -> str:
    return model.to_json() if model else ""


_READERS: dict[int, PageReader] = {}


def page_reader() -> PageReader:
    """The one of this process. A process that was forked from another gets its own."""
    return _READERS.setdefault(os.getpid(), PageReader())


@atexit.register
def _close_at_exit() -> None:
    if os.getpid() in _READERS:
        page_reader().close()
