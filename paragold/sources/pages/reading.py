"""The functions that `page_reader` calls in another process: arguments and results are JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from lxml.etree import XPathEvalError

from paragold.problems import FileProblem

from .blocks import blocks_of
from .main_text import extract_main_text
from .main_text_model import MainTextModel, load_main_text_model
from .marking import block_rows, suggested_marks


@lru_cache(maxsize=1)
def _model(numbers: str) -> MainTextModel | None:
    return load_main_text_model(numbers) if numbers else None


def main_text(page: str, url: str, numbers: str) -> tuple[str, str, str, Sequence[str]]:
    """Title, date, source and paragraphs of a page; `numbers` are a model's, or ""."""
    with _refusing():
        text = extract_main_text(page, url=url, model=_model(numbers))
        return text.title, text.published, text.source, text.paragraphs


def blocks(page: str, numbers: str) -> tuple[list[Any], list[bool]]:
    """The blocks of a page as rows, and which of them a model takes for main text."""
    with _refusing():
        blocks_of_page = blocks_of(page)
        return block_rows(blocks_of_page), suggested_marks(page, blocks_of_page, _model(numbers))


def check(page: str) -> None:
    with _refusing():
        blocks_of(page)


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
