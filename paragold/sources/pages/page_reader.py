"""Pages parsed in a process of its own, which is ended when a page takes too much time or memory.

A parser of HTML is C code that no timer interrupts and that may run out of memory. The process is reused for
many pages (`paragold.parsing.process`).
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from lxml.etree import XPathEvalError

from paragold.parsing.process import Bounds, LimitedProcess
from paragold.problems import FileProblem

from .main_text import MainText, extract_main_text
from .main_text_model import MainTextModel, load_main_text_model

# An archive in which so many pages are beyond their bounds is not read on.
PAGES_OVER_BOUNDS = 3
PAGE = Bounds(10, 25, 1024, what="The page", remedy="Leave it out.")


class PageReader:
    """Parses a page at a time in a child process, which is started when needed. For any number of threads."""

    def __init__(self, bounds: Bounds = PAGE) -> None:
        self.bounds = bounds
        self.process = LimitedProcess(__name__, "trafilatura", reused=True)
        self._lock = threading.Lock()

    def main_text(self, page: str, *, url: str = "", model: MainTextModel | None = None) -> MainText:
        """As `extract_main_text`. Raises FileProblem, OverBounds for a page that takes too much."""
        with self._lock:
            return self.process.result(self.bounds, _main_text, page, url, _text(model))

    def close(self) -> None:
        """End the process; the next page starts another."""
        with self._lock:
            self.process.end()


def _text(model: MainTextModel | None) -> str:
    return model.to_json() if model else ""


_READERS: dict[int, PageReader] = {}


def page_reader() -> PageReader:
    """The one of this process. A process that was forked from another gets its own."""
    return _READERS.setdefault(os.getpid(), PageReader())


@atexit.register
def _close_at_exit() -> None:
    if os.getpid() in _READERS:
        page_reader().close()


# Functions that the child process calls; a model is given as its text.


def _main_text(page: str, url: str, model: str) -> MainText:
    with _refusing():
        return extract_main_text(page, url=url, model=_model(model))


@lru_cache(maxsize=1)
def _model(text: str) -> MainTextModel | None:
    return load_main_text_model(text) if text else None


@contextmanager
def _refusing() -> Iterator[None]:
    """Any error of a parser is a problem of the page."""
    try:
        yield
    except (FileProblem, MemoryError):
        raise
    except XPathEvalError:
        raise MemoryError from None  # the expressions are fixed: nothing else makes them fail
    except RecursionError:
        raise FileProblem("The page's tags are nested too deep.", "Leave it out.") from None
    except Exception as error:
        raise FileProblem(f"The page cannot be read ({type(error).__name__}).", "Leave it out.") from error
