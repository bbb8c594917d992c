"""The formats of articles: how each is recognised and opened. All pass through the reader of JSONL."""

from __future__ import annotations

import json
import logging
from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from os import SEEK_END
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from paragold.events.settings import EventSpec
from paragold.parsing.process import limited, limited_rows
from paragold.problems import FileProblem
from paragold.registry import NotRegisteredError, Registry
from paragold.sources.articles_jsonl import ArticleLines, ArticleReader
from paragold.sources.headlines import HeadlineArticles, holds_headlines
from paragold.sources.pages.main_text_model import MainTextModel
from paragold.sources.records import ClusterRecord, Place, RawArticle, Source
from paragold.text.segmenters import RULES, SEGMENTERS, Segmenter, segmenter_signature

from .event_clusters import EventClusters, ExistingEvents
from .members import FolderMembers, LimitedMembers
from .page_files import SavedPages
from .table import NEEDED, NEEDED_OF_A_STREAM, ArticleTable

logger = logging.getLogger(__name__)

# The share of the work that extracting and clustering the articles is.
PREPARATION = 0.9

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
# Its last record, with a comment of the maximum length.
_ZIP_END_BYTES = 22 + 0xFFFF
_TABLES = (".csv", ".tsv", ".tab")


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """Options of reading a source.

    `format` is an id of ARTICLE_SOURCES or "auto"; `mapping` (field -> column) is for tables, `story_model`
    for pages (None: trafilatura). With `events` the articles are a dated stream that is clustered by event.
    `segmenter`, an id of SEGMENTERS, splits texts into sentences.
    """

    format: str = "auto"
    encoding: str = "utf-8"
    mapping: Mapping[str, str] = field(default_factory=dict)
    story_model: MainTextModel | None = None
    events: EventSpec | None = None
    segmenter: str = RULES.id

    @property
    def signature(self) -> str:
        """The signature of the segmenter, and of a plug-in that reads the file."""
        signature = segmenter_signature(self.segmenter)
        return ARTICLE_SOURCES.signed(self.format, signature)


class ConvertedReader:
    """Reads a source as `ArticleReader` reads a file: clusters by iterating, then problems, counts and notes.

    The articles are written to `copy` (UTF-8, one a line) first; problems and notes have their place in
    the source. Nothing is given when the source itself has problems. `share` is how much is done, 0 to 1;
    `progress` is given it for each article while the copy is written, and may raise to stop.
    """

    def __init__(
        self, source: Source, copy: Path, progress: Callable[[float], None], segmenter: Segmenter
    ) -> None:
        self._source = source
        self._progress = progress
        self._copy = copy
        self._files: list[str] = [""]
        # For each line of the copy the index of its file and the line in it.
        self._places = array("q")
        self._lines = 0
        self._reader = ArticleReader(copy, name_line=lambda line: str(self.place(line)), segmenter=segmenter)

    def __iter__(self) -> Iterator[ClusterRecord]:
        with self._copy.open("w", encoding="utf-8", newline="\n") as copy:
            self._write(copy)
        if self._source.problems or not self._places:
            return
        yield from self._reader

    def _write(self, copy: TextIO) -> None:
        for raw in self._source:
            if raw.place.file != self._files[-1]:
                self._files.append(raw.place.file)
            place = (len(self._files) - 1, raw.place.line)
            # A line of the source may hold a cluster of several articles.
            self._lines += place != tuple(self._places[-2:])
            self._places.extend(place)
            # Lone surrogates, which no text of ours may hold, stay escaped, and are refused by the reader.
            copy.write(json.dumps(raw.value, ensure_ascii=True) + "\n")
            self._progress(self.share)

    @property
    def share(self) -> float:
        """Preparing the articles takes most of the time, above all those of pages."""
        return PREPARATION * self._source.share + (1 - PREPARATION) * self._reader.share

    @property
    def problems(self) -> list[FileProblem]:
        """Why it was refused, at most as many as the reader gives."""
        if self._source.problems:
            return list(self._source.problems)
        if not self._places:
            return [FileProblem("The file has no article.", "See docs/formats/articles.md for the format.")]
        return [self.located(problem) for problem in self._reader.problems]

    @property
    def counts(self) -> dict[str, int]:
        return self._reader.counts | {"lines": self._lines}

    @property
    def notes(self) -> list[str]:
        return [*self._source.notes, *self._reader.notes]

    def place(self, line: int) -> Place:
        """The place in the source of the article on a line of the copy."""
        at = 2 * (line - 1)
        return Place(self._files[self._places[at]], self._places[at + 1])

    def located(self, problem: FileProblem) -> FileProblem:
        """A problem on a line of the copy, with its place in the source."""
        if not 0 < problem.line <= len(self._places) // 2:
            return problem
        place = self.place(problem.line)
        return replace(problem, file=place.file, line=place.line, column=None)


class LimitedSource(Source):
    """The articles of a file, read in a process of its own (`limited_rows`)."""

    share = 0.0

    def __init__(self, path: Path, options: SourceOptions) -> None:
        super().__init__()
        self._rows = limited_rows(
            source_rows, path, options.format, options.encoding, dict(options.mapping), bool(options.events)
        )

    def __iter__(self) -> Iterator[RawArticle]:
        for row in self._rows:
            if "value" not in row:
                self.problems += [FileProblem(**problem) for problem in row["problems"]]
                self.notes += row["notes"]
                continue
            self.share = row["share"]
            yield RawArticle(Place(row["file"], row["line"]), row["value"])


def source_rows(
    path: Path, name: str, encoding: str, mapping: dict[str, str], stream: bool
) -> Iterator[dict[str, Any]]:
    """The articles of a source with their places, and at the end its problems and notes."""
    options = SourceOptions(name, encoding, mapping, events=EventSpec() if stream else None)
    source = ARTICLE_SOURCES.get(name).open(path, options)
    for raw in source:
        place = raw.place
        yield {"value": raw.value, "file": place.file, "line": place.line, "share": source.share}
    yield {"problems": [problem.as_json() for problem in source.problems], "notes": source.notes}


def open_source(
    path: Path,
    options: SourceOptions,
    *,
    copy: Path,
    filename: str = "",
    progress: Callable[[float], None] = lambda share: None,
    existing: ExistingEvents | None = None,
) -> ConvertedReader:
    """A reader of a file or folder of articles.

    Parameters
    ----------
    path, options : Path, SourceOptions
        What is read, and how.
    copy : Path
        Where it may write the articles.
    filename : str, optional
        The name that the file had, if it was another.
    progress : callable, optional
        Given the share that is read, 0 to 1, whenever that takes long before the first cluster comes.
    existing : ExistingEvents, optional
        Existing clusters, which the articles of a stream may join.

    Raises
    ------
    FileProblem
        The options do not fit, or nothing of the source can be read.
    """
    name = limited(format_of, path, filename) if options.format == "auto" else options.format
    segmenter = SEGMENTERS.get(options.segmenter)
    try:
        chosen = ARTICLE_SOURCES.get(name)
    except NotRegisteredError as error:
        raise FileProblem(str(error), "Choose one of them.") from error
    # Pages are parsed in a process of their own, and an archive of them is unpacked in one.
    apart = name not in (FOLDER.id, ARCHIVE.id)
    source = LimitedSource(path, replace(options, format=name)) if apart else chosen.open(path, options)
    if options.events is not None:
        source = EventClusters(
            source, options.events, existing, lambda share: progress(PREPARATION * share), segmenter
        )
    return ConvertedReader(source, copy, progress, segmenter)


@dataclass(frozen=True, slots=True)
class ArticleSource:
    """A kind of file or folder that articles are read from.

    recognises: whether a path is of it, by what it is and by the ending of the name that it had.
    open: its articles. Raises FileProblem when the options do not fit, or when nothing of it can be read.
    uploadable: whether it comes as one file.
    """

    id: str
    label: str
    recognises: Callable[[Path, str], bool]
    open: Callable[[Path, SourceOptions], Source]
    uploadable: bool = True


def format_of(path: Path, filename: str = "") -> str:
    """The id of the ArticleSource of a file or folder, by what it is and by the ending of its name.

    Headlines are distinguished from articles by the first line: names of columns, or the keys of an object.
    """
    name = (filename or path.name).lower()
    return next((one.id for one in ARTICLE_SOURCES if _recognises(one, path, name)), JSONL.id)


def _recognises(source: ArticleSource, path: Path, name: str) -> bool:
    """Whether a path is of the source. A plug-in that fails at that must not stop the imports of others."""
    try:
        return source.recognises(path, name)
    except Exception as error:
        if ARTICLE_SOURCES.plugin(source.id) is None:
            raise
        logger.warning("The importer %s does not recognise %s: %r", source.id, name, error)
        return False


def _is_archive(path: Path, name: str) -> bool:
    if path.is_dir():
        return False
    with path.open("rb") as file:
        # An archive whose beginning is damaged still has its list of files at the end.
        return file.read(4) in _ZIP or _has_zip_end(file) or name.endswith(".zip")


def _has_zip_end(file: BinaryIO) -> bool:
    size = file.seek(0, SEEK_END)
    file.seek(max(0, size - _ZIP_END_BYTES))
    at = (end := file.read()).rfind(_ZIP[1])
    return (
        at >= 0
        and len(end) >= at + 22
        and len(end) == at + 22 + int.from_bytes(end[at + 20 : at + 22], "little")
    )


def _open_table(path: Path, options: SourceOptions) -> Source:
    needed = NEEDED_OF_A_STREAM if options.events else NEEDED
    return ArticleTable(path, options.mapping, encoding=options.encoding, needed=needed)


def _open_archive(path: Path, options: SourceOptions) -> Source:
    return SavedPages(LimitedMembers(path), encoding=options.encoding, model=options.story_model)


FOLDER = ArticleSource(
    "folder",
    "Folder of folders with saved pages or texts",
    lambda path, name: path.is_dir(),
    lambda path, options: SavedPages(
        FolderMembers(path), encoding=options.encoding, model=options.story_model
    ),
    uploadable=False,
)
ARCHIVE = ArticleSource("archive", "Zip of folders with saved pages or texts", _is_archive, _open_archive)
# The format of a file that no other format recognises.
JSONL = ArticleSource(
    "jsonl",
    "Articles, JSONL",
    lambda path, name: False,
    lambda path, options: ArticleLines(path, encoding=options.encoding, whole=options.events is None),
)
ARTICLE_SOURCES = Registry(
    "importer",
    ArticleSource,
    [
        JSONL,
        FOLDER,
        ARCHIVE,
        ArticleSource(
            "headlines",
            "Headlines in clusters: UCI News Aggregator CSV, or JSONL with title and snippet",
            lambda path, name: not path.is_dir() and holds_headlines(path, table=name.endswith(_TABLES)),
            lambda path, options: HeadlineArticles(path, encoding=options.encoding),
        ),
        ArticleSource(
            "table", "Articles, CSV or TSV", lambda path, name: name.endswith(_TABLES), _open_table
        ),
    ],
    entry_points="paragold.importers",
)
