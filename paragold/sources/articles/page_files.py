"""Folders and archives of pages: `cluster/article.html` and `.txt` as people save them, and fetched pages.

Fetched pages are an archive with a list (`0-fetched.json`) that says which article each file is, and its
address.
"""

from __future__ import annotations

import json
import zipfile
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import TypeAdapter, ValidationError

from paragold import limits
from paragold.formats.text_files import decoded
from paragold.parsing.process import OverBounds
from paragold.problems import FileProblem
from paragold.sources.pages.decoding import decode_page
from paragold.sources.pages.main_text_model import MainTextModel
from paragold.sources.pages.page_reader import PAGES_OVER_BOUNDS, page_reader
from paragold.sources.records import Place, RawArticle, Source

from .members import ArchiveMembers, LimitedMembers, Member, Members

LIST = "0-fetched.json"
PAGES = (".html", ".htm", ".xhtml")
TEXTS = (".txt",)
# Folders that browsers make for the images and scripts of a page that they save.
_COMPANIONS = ("_files", "_dateien", "_fichiers", "_archivos", "_bestanden", ".files")


class PageFiles(Source):
    """Articles of pages and texts, one a file; those without main text are counted in the notes."""

    share = 0.0

    def __init__(self, members: Members, model: MainTextModel | None) -> None:
        super().__init__()
        self._members = members
        self._model = model

    @abstractmethod
    def _shown(self, member: Member) -> str:
        """The name of the page as people read it, or "" for another file."""

    @abstractmethod
    def _article(self, member: Member) -> dict[str, Any]:
        """The page's article. Raises FileProblem."""

    def __iter__(self) -> Iterator[RawArticle]:
        empty = over = 0
        try:
            for number, member in enumerate(self._members):
                self.share = number / len(self._members.names)
                if len(self.problems) >= limits.PROBLEMS:
                    break
                if not (shown := self._shown(member)):
                    continue
                try:
                    value = self._article(member)
                except FileProblem as problem:
                    self.problems.append(problem.at(file=shown))
                    over += isinstance(problem, OverBounds)
                    if over >= PAGES_OVER_BOUNDS:
                        self.notes.append(f"Reading stopped after {over} pages exceeded their limits.")
                        break
                    continue
                empty += not (value.get("text") or value.get("paragraphs"))
                yield RawArticle(Place(shown, 0), value)
        except FileProblem as problem:
            self.problems.append(problem.at())
        if empty:
            self.notes.append(f"No main text was found in {empty:,} pages; they were left out.")

    def _main_text(self, page: str, url: str = "") -> dict[str, Any]:
        """The fields of an article that an HTML page holds."""
        text = page_reader().main_text(page, url=url, model=self._model)
        metadata = {
            "title": text.title[: limits.TITLE_CHARACTERS],
            "published": text.published,
            "source": text.source[: limits.SOURCE_CHARACTERS],
        }
        return {"paragraphs": list(text.paragraphs)} | {
            key: value for key, value in metadata.items() if value
        }


class SavedPages(PageFiles):
    """Articles of files in folders: the folder is the cluster, the file without its ending the article.

    With folders in folders the cluster's key is the whole path; one folder around all of them is not part of
    it. Files of other kinds are left out and counted in the notes; files outside any folder are refused.
    """

    def __init__(
        self, members: Members, *, encoding: str = "utf-8", model: MainTextModel | None = None
    ) -> None:
        super().__init__(members, model)
        self._encoding = encoding
        self._others: Counter[str] = Counter()
        self._depth = _depth_of_clusters(name for name in members.names if is_article(PurePosixPath(name)))

    def __iter__(self) -> Iterator[RawArticle]:
        yield from super().__iter__()
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
        page = decode_page(member.data, declared="" if self._encoding == "utf-8" else self._encoding)
        return value | self._main_text(page)


def is_article(path: PurePosixPath) -> bool:
    """Whether a file is a page or a text, and not a companion of a saved page."""
    beside_a_page = any(part.lower().endswith(_COMPANIONS) for part in path.parts[:-1])
    return path.suffix.lower() in PAGES + TEXTS and not beside_a_page


def _depth_of_clusters(names: Iterable[str]) -> int:
    """The number of outer folders that hold all others, as zipping a folder gives: 0 or 1."""
    folders = {PurePosixPath(name).parts[:-1] for name in names}
    around = {parts[0] for parts in folders if parts}
    return int(len(around) == 1 and all(len(parts) > 1 for parts in folders))


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """A page of the archive: `file` in it, the article that it is, and its address.

    `kind` is "html" or "txt"; `encoding` is "" for what the page declares itself.
    """

    file: str
    cluster_id: str
    id: str
    url: str
    kind: str
    encoding: str


def write_fetched(path: Path, pages: Iterable[tuple[FetchedPage, bytes]]) -> None:
    """Write the archive. The same pages always give the same bytes."""
    listed = []
    with zipfile.ZipFile(path, "w") as archive:
        for page, data in pages:
            listed.append(asdict(page))
            archive.writestr(zipfile.ZipInfo(page.file), data)
        text = json.dumps(listed, ensure_ascii=False, indent=0)
        archive.writestr(zipfile.ZipInfo(LIST), text.encode())


def read_fetched_list(data: bytes) -> dict[str, FetchedPage]:
    """The pages of an archive by their files. Raises FileProblem for what is no such list."""
    try:
        pages = TypeAdapter(list[FetchedPage]).validate_json(data)
    except ValidationError as error:
        raise FileProblem(f"{LIST}: it is not a list of fetched pages.", "Fetch the pages again.") from error
    return {page.file: page for page in pages}


class FetchedPages(PageFiles):
    """The articles of an archive of fetched pages, shown with their addresses."""

    def __init__(
        self, members: ArchiveMembers | LimitedMembers, *, model: MainTextModel | None = None
    ) -> None:
        super().__init__(members, model)
        self._pages: dict[str, FetchedPage] = {}

    def _shown(self, member: Member) -> str:
        # The list comes first: members come in the order of their names.
        if member.name == LIST:
            self._pages = read_fetched_list(member.data)
            return ""
        if member.name not in self._pages:
            raise FileProblem(
                f"{member.name}: it is missing from the list of the archive.", "Fetch the pages again."
            )
        return self._pages[member.name].url

    def _article(self, member: Member) -> dict[str, Any]:
        page = self._pages[member.name]
        value: dict[str, Any] = {"cluster_id": page.cluster_id, "id": page.id, "url": page.url}
        text = decode_page(member.data, declared=page.encoding)
        return value | ({"text": text} if page.kind == "txt" else self._main_text(text, page.url))


@dataclass(frozen=True, slots=True)
class ListedPage:
    """A page of an archive: its file, what people call it, and its encoding ("" for what it declares)."""

    file: str
    name: str
    encoding: str


def list_pages(path: Path, *, encoding: str = "utf-8") -> list[ListedPage]:
    """The HTML pages of an archive of saved or fetched pages, in order, for people to look at.

    Raises FileProblem for what is no such archive.
    """
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
