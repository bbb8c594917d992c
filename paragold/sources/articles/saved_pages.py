"""Folders and archives of `cluster/article.txt` and `cluster/article.html`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from paragold import limits
from paragold.formats.text_files import known_encoding, marked_encoding
from paragold.problems import FileProblem
from paragold.sources.pages.decoding import decode_page
from paragold.sources.pages.main_text_model import MainTextModel
from paragold.sources.pages.page_reader import PAGES_OVER_BOUNDS, OverBounds, page_reader
from paragold.text.quoting import quoted

from .given import GivenArticle, Place
from .members import Members

PAGES = (".html", ".htm", ".xhtml")
TEXTS = (".txt",)
# What browsers put beside a page that they save.
_BESIDE = ("_files", "_dateien", "_fichiers", "_archivos", "_bestanden", ".files")


class SavedPages:
    """Articles of files in folders: the folder is the cluster, the file without its ending the article.

    With folders in folders the cluster's key is the whole path; one folder around all of them is not part of
    it. Files of other kinds are left out and counted in the notes; files outside any folder are refused.
    """

    def __init__(
        self, members: Members, *, encoding: str = "utf-8", model: MainTextModel | None = None
    ) -> None:
        self.problems: list[FileProblem] = []
        self.notes: list[str] = []
        self.share = 0.0
        self._members = members
        self._encoding = encoding
        self._model = model
        self._depth = _depth_of_clusters(name for name in members.names if is_article(PurePosixPath(name)))

    def __iter__(self) -> Iterator[GivenArticle]:
        others: Counter[str] = Counter()
        empty = over = 0
        try:
            for number, member in enumerate(self._members):
                self.share = number / len(self._members.names)
                if len(self.problems) >= limits.PROBLEMS:
                    break
                path = PurePosixPath(member.name)
                if not is_article(path):
                    others[path.suffix.lower() or "without an ending"] += 1
                    continue
                try:
                    value = self._article(path, member.data)
                except FileProblem as refusal:
                    self.problems.append(refusal.at(file=member.name))
                    over += isinstance(refusal, OverBounds)
                    if over >= PAGES_OVER_BOUNDS:
                        self.notes.append(f"Reading stopped after {over} pages beyond their bounds.")
                        break
                    continue
                empty += not (value.get("text") or value.get("paragraphs"))
                yield GivenArticle(Place(member.name, 0), value)
        except FileProblem as refusal:
            self.problems.append(refusal.at())
        if others:
            told = ", ".join(f"{count:,} {ending}" for ending, count in others.most_common(6))
            self.notes.append(f"{others.total():,} files of other kinds were left out ({told}).")
        if empty:
            self.notes.append(f"No main text was found in {empty:,} files; they were left out.")

    def _article(self, path: PurePosixPath, data: bytes) -> dict[str, object]:
        if len(path.parts) < 2:
            raise FileProblem(
                "The file lies in no folder.", "Put the articles of an event into a folder of their own."
            )
        value: dict[str, object] = {"cluster_id": "/".join(path.parts[self._depth : -1]), "id": path.stem}
        if path.suffix.lower() in TEXTS:
            return value | {"text": _text(data, self._encoding)}
        page = decode_page(data, declared="" if self._encoding == "utf-8" else self._encoding)
        story = page_reader().main_text(page, model=self._model)
        told = {
            "title": story.title[: limits.TITLE_CHARACTERS],
            "published": story.published,
            "source": story.source,
        }
        return (
            value | {"paragraphs": list(story.paragraphs)} | {key: text for key, text in told.items() if text}
        )


def is_article(path: PurePosixPath) -> bool:
    """Whether a file is a page or a text, and not what a browser saved beside a page."""
    beside_a_page = any(part.lower().endswith(_BESIDE) for part in path.parts[:-1])
    return path.suffix.lower() in PAGES + TEXTS and not beside_a_page


def _text(data: bytes, encoding: str) -> str:
    try:
        if encoding == "utf-8":
            encoding = marked_encoding(data) or encoding
        return data.decode(known_encoding(encoding)).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileProblem(
            f"Byte {error.start:,} (0x{data[error.start]:02x}) is not {encoding}.",
            "Declare the encoding that the files have, or save them as UTF-8.",
            line=line,
        ) from error
    except LookupError as error:
        raise FileProblem(
            f"The encoding {quoted(encoding)} is not known.", "Declare one such as utf-8."
        ) from error


def _depth_of_clusters(names: Iterable[str]) -> int:
    """Where the path of a cluster begins: after a folder that lies around all, as zipping a folder gives."""
    folders = {PurePosixPath(name).parts[:-1] for name in names}
    around = {parts[0] for parts in folders if parts}
    return int(len(around) == 1 and all(len(parts) > 1 for parts in folders))
