"""Folders and archives of pages: `cluster/article.html` and `.txt` as people save them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

from paragold import limits
from paragold.formats.text_files import decoded
from paragold.parsing.process import OverBounds
from paragold.problems import FileProblem
from paragold.sources.pages.decoding import Undecodable, decode_page, page_in_mhtml
from paragold.sources.pages.main_text_model import MainTextModel
from paragold.sources.pages.page_reader import PAGES_OVER_BOUNDS, page_reader
from paragold.sources.records import Place, RawArticle, Source

from .members import Member, Members

PAGES = (".html", ".htm", ".xhtml")
SINGLE_FILES = (".mhtml", ".mht")
TEXTS = (".txt",)
# Folders that browsers make for the images and scripts of a page that they save.
PAGES_NAMED = 3
_COMPANIONS = ("_files", "_dateien", "_fichiers", "_archivos", "_bestanden", ".files")


def page_fields(page: str, *, url: str = "", model: MainTextModel | None = None) -> dict[str, Any]:
    """The fields of an article that an HTML page holds. Raises FileProblem."""
    text = page_reader().main_text(page, url=url, model=model)
    metadata = {
        "title": text.title[: limits.TITLE_CHARACTERS],
        "published": text.published,
        "source": text.source[: limits.SOURCE_CHARACTERS],
    }
    return {"paragraphs": list(text.paragraphs)} | {key: value for key, value in metadata.items() if value}


class SavedPages(Source):
    """Articles of files in folders: the folder is the cluster, the file without its ending the article.

    With folders in folders the cluster's key is the whole path; one folder around all of them is not part of
    it. Files of other kinds, pages without main text, and pages that cannot be decoded beside others that can
    are left out and counted in the notes; files outside any folder are refused.
    """

    share = 0.0

    def __init__(
        self, members: Members, *, encoding: str = "utf-8", model: MainTextModel | None = None
    ) -> None:
        super().__init__()
        self._members = members
        self._model = model
        self._encoding = encoding
        self._others: Counter[str] = Counter()
        self._depth = _depth_of_clusters(name for name in members.names if is_article(PurePosixPath(name)))

    def __iter__(self) -> Iterator[RawArticle]:
        empty = over = read = 0
        undecodable: list[FileProblem] = []
        try:
            for number, member in enumerate(self._members):
                self.share = number / len(self._members.names)
                if len(self.problems) >= limits.PROBLEMS:
                    break
                if not (shown := self._shown(member)):
                    continue
                try:
                    value = self._article(member)
                except Undecodable as problem:
                    undecodable.append(problem.at(file=shown))
                    continue
                except FileProblem as problem:
                    self.problems.append(problem.at(file=shown))
                    over += isinstance(problem, OverBounds)
                    if over >= PAGES_OVER_BOUNDS:
                        self.notes.append(f"Reading stopped after {over} pages exceeded their limits.")
                        break
                    continue
                read += 1
                empty += not (value.get("text") or value.get("paragraphs"))
                yield RawArticle(Place(shown, 0), value)
        except FileProblem as problem:
            self.problems.append(problem.at())
        if undecodable and not read:
            self.problems += undecodable[: limits.PROBLEMS]
        elif undecodable:
            named = " ".join(map(str, undecodable[:PAGES_NAMED]))
            self.notes.append(f"Left out, since they cannot be decoded: {len(undecodable):,}. {named}")
        if empty:
            self.notes.append(f"No main text was found in {empty:,} pages; they were left out.")
        if self._others:
            kinds = ", ".join(f"{count:,} {ending}" for ending, count in self._others.most_common(6))
            self.notes.insert(0, f"{self._others.total():,} files of other kinds were left out ({kinds}).")

    def _shown(self, member: Member) -> str:
        path = PurePosixPath(member.name)
        if is_article(path):
            return member.name
        self._others[path.suffix.lower() or "without an extension"] += 1
        return ""

    def _article(self, member: Member) -> dict[str, Any]:
        path = PurePosixPath(member.name)
        if len(path.parts) < 2:
            raise FileProblem(
                "The file lies in no folder.", "Put the articles of an event into a folder of their own."
            )
        value: dict[str, Any] = {"cluster_id": "/".join(path.parts[self._depth : -1]), "id": path.stem}
        if path.suffix.lower() in TEXTS:
            return value | {"text": decoded(member.data, self._encoding)}
        data, declared = member.data, "" if self._encoding == "utf-8" else self._encoding
        if path.suffix.lower() in SINGLE_FILES:
            data, declared = page_in_mhtml(data)
        page = decode_page(data, declared=declared)
        return value | page_fields(page, model=self._model)


def is_article(path: PurePosixPath) -> bool:
    """Whether a file is a page or a text, and not a companion of a saved page."""
    beside_a_page = any(part.lower().endswith(_COMPANIONS) for part in path.parts[:-1])
    return path.suffix.lower() in PAGES + SINGLE_FILES + TEXTS and not beside_a_page


def _depth_of_clusters(names: Iterable[str]) -> int:
    """The number of outer folders that hold all others, as zipping a folder gives: 0 or 1."""
    folders = {PurePosixPath(name).parts[:-1] for name in names}
    around = {parts[0] for parts in folders if parts}
    return int(len(around) == 1 and all(len(parts) > 1 for parts in folders))
