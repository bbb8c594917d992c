"""The HTML pages of an archive, one by one, for people to look at."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from paragold.sources.pages.decoding import decode_page

from .fetched_pages import LIST, read_fetched_list
from .members import ArchiveMembers
from .saved_pages import PAGES, is_article


@dataclass(frozen=True, slots=True)
class ListedPage:
    """A page of an archive: its file, what people call it, and its encoding ("" for what it declares)."""

    file: str
    name: str
    encoding: str


def list_pages(path: Path, *, encoding: str = "utf-8") -> list[ListedPage]:
    """The HTML pages of an archive of saved or fetched pages, in order. Raises FileProblem for what is
    none."""
    members = ArchiveMembers(path)
    if LIST in members.names:
        fetched = read_fetched_list(members.read(LIST))
        return [ListedPage(one.file, one.url, one.encoding) for one in fetched.values() if one.kind == "html"]
    declared = "" if encoding == "utf-8" else encoding
    return [
        ListedPage(name, name, declared)
        for name in members.names
        if PurePosixPath(name).suffix.lower() in PAGES and is_article(PurePosixPath(name))
    ]


def read_page(path: Path, page: ListedPage) -> str:
    """The text of a page. Raises FileProblem when it cannot be read."""
    return decode_page(ArchiveMembers(path).read(page.file), declared=page.encoding)
