"""Which format a file has, and a reader for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from os import SEEK_END
from pathlib import Path
from typing import BinaryIO, Protocol

from paragold.events.settings import EventSpec
from paragold.problems import FileProblem
from paragold.registry import NotRegisteredError, Registry
from paragold.sources.articles_jsonl import read_clusters
from paragold.sources.pages.main_text_model import MainTextModel
from paragold.sources.records import ClusterRecord

from .article_lines import ArticleLines
from .conversion import FINDING, ConvertedReader
from .fetched_pages import LIST, FetchedPages
from .found_clusters import FoundClusters, Standing
from .given import Source
from .headline_articles import HeadlineArticles, holds_headlines
from .members import ArchiveMembers, FolderMembers
from .saved_pages import SavedPages
from .table import NEEDED, NEEDED_OF_A_STREAM, ArticleTable

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
# Its last record, with a comment of the greatest length.
_ZIP_END_BYTES = 22 + 0xFFFF
_TABLES = (".csv", ".tsv", ".tab")


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """How to read a source.

    `format` is an id of ARTICLE_SOURCES or "auto"; `mapping` (field -> column) is for tables, `story_model`
    for pages (None: trafilatura). With `events` the articles are a stream with dates, and their clusters are
    found.
    """

    format: str = "auto"
    encoding: str = "utf-8"
    mapping: Mapping[str, str] = field(default_factory=dict)
    story_model: MainTextModel | None = None
    events: EventSpec | None = None


class CorpusReader(Protocol):
    """Iterated over once for its clusters; then it tells what was found."""

    @property
    def problems(self) -> list[FileProblem]: ...
    @property
    def counts(self) -> dict[str, int]: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def share(self) -> float:
        """How much of the source is read, 0 to 1."""

    def __iter__(self) -> Iterator[ClusterRecord]: ...
    def located(self, problem: FileProblem) -> FileProblem:
        """A problem of a record, on the record's line, told with its place in the source."""


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

    Headlines are told from articles by the first line: names of columns, or the keys of an object.
    """
    name = (filename or path.name).lower()
    return next((one.id for one in ARTICLE_SOURCES if one.recognises(path, name)), JSONL.id)


def _is_folder(path: Path, name: str) -> bool:
    return path.is_dir()


def _is_archive(path: Path, name: str) -> bool:
    if path.is_dir():
        return False
    with path.open("rb") as file:
        # An archive whose beginning is damaged still has its list of files at the end.
        return file.read(4) in _ZIP or _has_zip_end(file) or name.endswith(".zip")


def _is_headlines(path: Path, name: str) -> bool:
    return not path.is_dir() and holds_headlines(path, table=name.endswith(_TABLES))


def _is_table(path: Path, name: str) -> bool:
    return name.endswith(_TABLES)


def _has_zip_end(file: BinaryIO) -> bool:
    size = file.seek(0, SEEK_END)
    file.seek(max(0, size - _ZIP_END_BYTES))
    at = (end := file.read()).rfind(_ZIP[1])
    return (
        at >= 0
        and len(end) >= at + 22
        and len(end) == at + 22 + int.from_bytes(end[at + 20 : at + 22], "little")
    )


def open_source(
    path: Path,
    options: SourceOptions,
    *,
    copy: Path,
    filename: str = "",
    progress: Callable[[float], None] = lambda share: None,
    standing: Standing | None = None,
) -> CorpusReader:
    """A reader of the path. `copy` is a path that it may write the articles to. `standing` is what clusters
    that are to be found may join.

    `progress` is told the share that is read whenever that takes long before the first cluster comes.
    Raises FileProblem when the options do not fit, or when nothing of the source can be read.
    """
    name = format_of(path, filename) if options.format == "auto" else options.format
    if options.events is not None:
        stream = _source_of(name).open(path, options)
        found = FoundClusters(stream, options.events, standing, lambda share: progress(FINDING * share))
        return ConvertedReader(found, copy, progress)
    if name == JSONL.id:
        return read_clusters(path, encoding=options.encoding)
    return ConvertedReader(_source_of(name).open(path, options), copy, progress)


def _source_of(name: str) -> ArticleSource:
    try:
        return ARTICLE_SOURCES.get(name)
    except NotRegisteredError as error:
        raise FileProblem(str(error), "Choose one of them.") from error


def _open_table(path: Path, options: SourceOptions) -> Source:
    needed = NEEDED_OF_A_STREAM if options.events else NEEDED
    return ArticleTable(path, options.mapping, encoding=options.encoding, needed=needed)


def _open_archive(path: Path, options: SourceOptions) -> Source:
    members = ArchiveMembers(path)
    if LIST in members.names:
        return FetchedPages(members, model=options.story_model)
    return SavedPages(members, encoding=options.encoding, model=options.story_model)


def _open_folder(path: Path, options: SourceOptions) -> Source:
    return SavedPages(FolderMembers(path), encoding=options.encoding, model=options.story_model)


# What is none of the others.
JSONL = ArticleSource(
    "jsonl",
    "Articles, JSONL",
    lambda path, name: False,
    lambda path, options: ArticleLines(path, encoding=options.encoding),
)
ARTICLE_SOURCES = Registry(
    "format of articles",
    ArticleSource,
    [
        JSONL,
        ArticleSource(
            "folder",
            "Folder of folders with saved pages or texts",
            _is_folder,
            _open_folder,
            uploadable=False,
        ),
        ArticleSource("archive", "Zip of folders with saved pages or texts", _is_archive, _open_archive),
        ArticleSource(
            "headlines",
            "Headlines in clusters: UCI News Aggregator CSV, or JSONL with title and snippet",
            _is_headlines,
            lambda path, options: HeadlineArticles(path, encoding=options.encoding),
        ),
        ArticleSource("table", "Articles, CSV or TSV", _is_table, _open_table),
    ],
    entry_points="paragold.article_sources",
)
