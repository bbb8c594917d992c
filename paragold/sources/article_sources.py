"""The formats of articles: how each is recognised and opened. `ArticleReader` reads clusters from each."""

from __future__ import annotations

import logging
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any

from paragold import limits
from paragold.events.settings import EventSpec
from paragold.formats.json_lines import parse_object
from paragold.formats.tables import ROWS_SHOWN, TableHead, TableRows, named
from paragold.formats.text_files import decoded, text_head
from paragold.languages import language
from paragold.problems import FileProblem
from paragold.registry import NotRegisteredError, Registry
from paragold.text.segmenters import RULES, segmenter_in, segmenter_signature

from .archives import ArchiveMembers, FolderMembers
from .articles import (
    COLUMNS,
    NEEDED,
    NEEDED_OF_A_STREAM,
    PREPARATION,
    ArticleLines,
    ArticleReader,
    Keys,
    Place,
    RawArticle,
    Source,
    Undecodable,
)
from .event_clusters import EventClusters, ExistingEvents
from .headlines import HeadlineArticles, holds_headlines
from .main_text_model import MainTextModel

logger = logging.getLogger(__name__)

PAGES = (".html", ".htm", ".xhtml")
SINGLE_FILES = (".mhtml", ".mht")
TEXTS = (".txt",)
PAGES_NAMED = 3
# Folders that browsers make for the images and scripts of a page that they save.
_COMPANIONS = ("_files", "_dateien", "_fichiers", "_archivos", "_bestanden", ".files")
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_TABLES = (".csv", ".tsv", ".tab")


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """Options of reading a source.

    `format` is an id of ARTICLE_SOURCES or "auto"; `mapping` (field -> column or key) is for tables and JSON
    Lines, `story_model` for pages (None: trafilatura). With `events` the articles are a dated stream that is
    clustered by event. `segmenter`, an id of SEGMENTERS, splits texts into sentences; `language` is their BCP
    47 tag.
    """

    format: str = "auto"
    encoding: str = "utf-8"
    mapping: Mapping[str, str] = field(default_factory=dict)
    story_model: MainTextModel | None = None
    events: EventSpec | None = None
    segmenter: str = RULES.id
    language: str = "en"

    @property
    def signature(self) -> str:
        """The signature of the segmenter, and of a plug-in that reads the file."""
        return ARTICLE_SOURCES.signed(self.format, segmenter_signature(self.segmenter, self.language))


def open_source(path: Path, options: SourceOptions, filename: str = "") -> Source:
    """The articles of a file or folder; `filename` is the name that it had, if it was another.

    Raises FileProblem when the options do not fit, or nothing of it can be read.
    """
    name = format_of(path, filename) if options.format == "auto" else options.format
    try:
        return ARTICLE_SOURCES.get(name).open(path, options)
    except NotRegisteredError as error:
        raise FileProblem(str(error), "Choose one of them.") from error


def read_articles(
    path: Path,
    options: SourceOptions,
    *,
    folder: Path | None = None,
    filename: str = "",
    progress: Callable[[float], None] = lambda share: None,
    existing: ExistingEvents | None = None,
    open_source: Callable[[Path, SourceOptions, str], Source] = open_source,
) -> ArticleReader:
    """A reader of the clusters of a file or folder of articles, whose name was `filename` if it was another.

    `folder` is for temporary files. `progress` is given the share that is read, 0 to 1, whenever that takes
    long before the first cluster comes. `existing` are clusters that the articles of a stream may join.
    `open_source` may be another: one that reads in another process, say. Raises FileProblem when the options
    do not fit, or nothing of the source can be read.
    """
    segmenter = segmenter_in(options.segmenter, options.language)
    source = open_source(path, options, filename)
    if options.events is not None:
        source = EventClusters(
            source, options.events, existing, lambda share: progress(PREPARATION * share), segmenter, folder
        )
    return ArticleReader(source, segmenter=segmenter, folder=folder, progress=progress)


def read_keys(path: Path, *, encoding: str = "utf-8") -> tuple[TableHead, dict[str, str]]:
    """The keys of JSON Lines with the first articles as rows, and field -> key as they would be read.

    Raises FileProblem when the first line cannot be read.
    """
    text, whole = text_head(path, encoding)
    lines = [line for line in re.split(r"[\r\n]+", text) if line.strip()]
    if not whole:
        lines = lines[:-1]
    keys, rows = Keys(), list[dict[str, Any]]()
    for line in lines[:ROWS_SHOWN]:
        value = parse_object(line)
        articles = value.get("articles")
        first = articles[0] if isinstance(articles, list) and articles else {}
        rows.append(value | (first if isinstance(first, dict) else {}))
        keys.of_line(value)
    if not rows:
        raise FileProblem("The first line is not whole.", "Give a file with an article on each line.")
    columns = tuple(key for key in dict.fromkeys(chain.from_iterable(rows)) if key != "articles")
    shown = [tuple(str(row.get(key, "")) for key in columns) for row in rows]
    return (columns, tuple(shown)), keys.read_as


class ArticleTable(Source):
    """The articles of a table, a row each; those of FIELDS that are `needed` must have a column.

    `mapping` gives fields the columns that people choose, "" for none; the others are found by usual names.
    Without `id` an article is called by the number of its row's line. Empty cells are as if not there.
    Raises FileProblem when the mapping names a column that is not there, or lacks what is needed.
    """

    def __init__(
        self,
        path: Path,
        mapping: Mapping[str, str],
        *,
        encoding: str = "utf-8",
        needed: tuple[str, ...] = NEEDED,
    ) -> None:
        super().__init__()
        self._rows = TableRows(path, self.problems, encoding=encoding)
        columns = self._rows.columns
        mapping = COLUMNS.mapping(columns, mapping)
        if missing := [field for field in needed if field not in mapping]:
            raise FileProblem(
                f"No column is chosen for {' and '.join(missing)}.",
                COLUMNS.wrong_door(columns) or "Choose one.",
            )
        self._fields = {field: columns.index(column) for field, column in mapping.items()}
        if unused := [column for column in columns if column not in mapping.values()]:
            self.notes.append(f"Columns that are not used: {named(unused)}.")

    def __iter__(self) -> Iterator[RawArticle]:
        for line, row in self._rows:
            self.share = self._rows.share
            value = {field: row[at] for field, at in self._fields.items() if row[at].strip()}
            value.setdefault("text", "")
            value.setdefault("id", f"row {line}")
            yield Place("", line), value


class SavedPages(Source):
    """Articles of files in folders: the folder is the cluster, the file without its ending the article.

    With folders in folders the cluster's key is the whole path; one folder around all of them is not part of
    it. Files of other kinds, pages without main text, and pages that cannot be decoded beside others that can
    are left out and counted in the notes; files outside any folder are refused.
    """

    def __init__(self, members: FolderMembers | ArchiveMembers, options: SourceOptions) -> None:
        super().__init__()
        self._members = members
        self._model, self._encoding = options.story_model, options.encoding
        paths = [path for path in map(PurePosixPath, members.names) if _is_article(path)]
        # An outer folder that holds all others, as zipping a folder gives, is no part of clusters' names.
        outer = {path.parts[0] for path in paths}
        self._depth = int(len(outer) == 1 and all(len(path.parts) > 2 for path in paths))

    def __iter__(self) -> Iterator[RawArticle]:
        empty = read = 0
        others = Counter[str]()
        undecodable: list[FileProblem] = []
        try:
            for number, (name, data) in enumerate(self._members):
                self.share = number / len(self._members.names)
                if len(self.problems) >= limits.PROBLEMS:
                    break
                path = PurePosixPath(name)
                if not _is_article(path):
                    others[path.suffix.lower() or "without an extension"] += 1
                    continue
                try:
                    value = self._article(path, data)
                except Undecodable as problem:
                    undecodable.append(problem.at(file=name))
                    continue
                except FileProblem as problem:
                    self.problems.append(problem.at(file=name))
                    continue
                read += 1
                empty += not (value.get("text") or value.get("paragraphs"))
                yield Place(name, 0), value
        except FileProblem as problem:
            self.problems.append(problem.at())
        if undecodable and not read:
            self.problems += undecodable[: limits.PROBLEMS]
        elif undecodable:
            pages = " ".join(map(str, undecodable[:PAGES_NAMED]))
            self.notes.append(f"Left out, since they cannot be decoded: {len(undecodable):,}. {pages}")
        if empty:
            self.notes.append(f"No main text was found in {empty:,} pages; they were left out.")
        if others:
            kinds = ", ".join(f"{count:,} {ending}" for ending, count in others.most_common(6))
            self.notes.insert(0, f"{others.total():,} files of other kinds were left out ({kinds}).")

    def _article(self, path: PurePosixPath, data: bytes) -> dict[str, Any]:
        if len(path.parts) < 2:
            remedy = "Put the articles of an event into a folder of their own."
            raise FileProblem("The file lies in no folder.", remedy)
        value: dict[str, Any] = {"cluster_id": "/".join(path.parts[self._depth : -1]), "id": path.stem}
        if path.suffix.lower() in TEXTS:
            return value | {"text": decoded(data, self._encoding)}
        # Here and not above: other articles need no lxml.
        from .pages import decode_page, page_fields, page_in_mhtml

        declared = "" if self._encoding == "utf-8" else self._encoding
        if path.suffix.lower() in SINGLE_FILES:
            data, declared = page_in_mhtml(data)
        return value | page_fields(decode_page(data, declared=declared), model=self._model)


def _is_article(path: PurePosixPath) -> bool:
    """Whether a file is a page or a text, and not a companion of a saved page."""
    beside_a_page = any(part.lower().endswith(_COMPANIONS) for part in path.parts[:-1])
    return path.suffix.lower() in PAGES + SINGLE_FILES + TEXTS and not beside_a_page


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
    name = re.sub(r"\.(gz|zst)$", "", (filename or path.name).lower())
    return next((source.id for source in ARTICLE_SOURCES if _recognises(source, path, name)), JSONL.id)


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
        # One whose beginning is damaged still has its list of files at the end.
        return file.read(4) in _ZIP or name.endswith(".zip") or zipfile.is_zipfile(file)


def _open_table(path: Path, options: SourceOptions) -> Source:
    needed = NEEDED_OF_A_STREAM if options.events else NEEDED
    return ArticleTable(path, options.mapping, encoding=options.encoding, needed=needed)


FOLDER = ArticleSource(
    "folder",
    "Folder of folders with saved pages or texts",
    lambda path, name: path.is_dir(),
    lambda path, options: SavedPages(FolderMembers(path), options),
    uploadable=False,
)
ARCHIVE = ArticleSource(
    "archive",
    "Zip of folders with saved pages or texts",
    _is_archive,
    lambda path, options: SavedPages(ArchiveMembers(path), options),
)
# The format of a file that no other format recognises.
JSONL = ArticleSource(
    "jsonl",
    "Articles, JSONL",
    lambda path, name: False,
    lambda path, options: ArticleLines(
        path, options.mapping, encoding=options.encoding, apart=options.events is not None
    ),
)
HEADLINES = ArticleSource(
    "headlines",
    "Headlines in clusters: UCI News Aggregator CSV, or JSONL with title and snippet",
    lambda path, name: not path.is_dir() and holds_headlines(path, table=name.endswith(_TABLES)),
    lambda path, options: HeadlineArticles(
        path, encoding=options.encoding, language=language(options.language)
    ),
)
TABLE = ArticleSource("table", "Articles, CSV or TSV", lambda path, name: name.endswith(_TABLES), _open_table)
ARTICLE_SOURCES = Registry(
    "importer",
    ArticleSource,
    [JSONL, FOLDER, ARCHIVE, HEADLINES, TABLE],
    entry_points="paragold.importers",
)
