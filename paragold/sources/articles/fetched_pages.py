"""Pages that were fetched, in an archive with a list of what they are."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from paragold import limits
from paragold.problems import FileProblem
from paragold.sources.pages.decoding import decode_page
from paragold.sources.pages.main_text_model import MainTextModel
from paragold.sources.pages.page_reader import PAGES_OVER_BOUNDS, OverBounds, page_reader

from .given import GivenArticle, Place
from .members import ArchiveMembers

LIST = "0-fetched.json"


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """A page of the archive: `file` in it, the article that it is, and where it was found.

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
    told = []
    with zipfile.ZipFile(path, "w") as archive:
        for page, data in pages:
            told.append(asdict(page))
            archive.writestr(zipfile.ZipInfo(page.file), data)
        text = json.dumps(told, ensure_ascii=False, indent=0)
        archive.writestr(zipfile.ZipInfo(LIST), text.encode())


class FetchedPages:
    """The articles of such an archive, told with their addresses."""

    def __init__(self, members: ArchiveMembers, *, model: MainTextModel | None = None) -> None:
        self.problems: list[FileProblem] = []
        self.notes: list[str] = []
        self.share = 0.0
        self._members = members
        self._model = model

    def __iter__(self) -> Iterator[GivenArticle]:
        try:
            yield from self._articles()
        except FileProblem as refusal:
            self.problems.append(refusal.at())

    def _articles(self) -> Iterator[GivenArticle]:
        pages: dict[str, FetchedPage] = {}
        empty = over = 0
        # The list comes first: members come in the order of their names.
        for number, member in enumerate(self._members):
            self.share = number / len(self._members.names)
            if member.name == LIST:
                pages = read_fetched_list(member.data)
                continue
            page = pages.get(member.name)
            if page is None:
                raise FileProblem(
                    f"{member.name}: the list of the archive does not know it.", "Fetch the pages again."
                )
            try:
                value = self._article(page, member.data)
            except FileProblem as refusal:
                self.problems.append(refusal.at(file=page.url))
                over += isinstance(refusal, OverBounds)
                if over >= PAGES_OVER_BOUNDS:
                    self.notes.append(f"Reading stopped after {over} pages beyond their bounds.")
                    return
                if len(self.problems) >= limits.PROBLEMS:
                    return
                continue
            empty += not (value.get("text") or value.get("paragraphs"))
            yield GivenArticle(Place(page.url, 0), value)
        if empty:
            self.notes.append(f"No main text was found in {empty:,} pages; they were left out.")

    def _article(self, page: FetchedPage, data: bytes) -> dict[str, object]:
        value: dict[str, object] = {"cluster_id": page.cluster_id, "id": page.id, "url": page.url}
        text = decode_page(data, declared=page.encoding)
        if page.kind == "txt":
            return value | {"text": text}
        story = page_reader().main_text(text, url=page.url, model=self._model)
        told = {
            "title": story.title[: limits.TITLE_CHARACTERS],
            "published": story.published,
            "source": story.source[: limits.SOURCE_CHARACTERS],
        }
        return (
            value | {"paragraphs": list(story.paragraphs)} | {key: text for key, text in told.items() if text}
        )


def read_fetched_list(data: bytes) -> dict[str, FetchedPage]:
    """The pages of an archive by their files. Raises FileProblem for what is no such list."""
    try:
        rows: list[dict[str, Any]] = json.loads(data)
        pages = [FetchedPage(**row) for row in rows]
        if not all(isinstance(value, str) for page in pages for value in asdict(page).values()):
            raise TypeError
    except (ValueError, TypeError) as error:
        raise FileProblem(f"{LIST}: it is no list of fetched pages.", "Fetch the pages again.") from error
    return {page.file: page for page in pages}
