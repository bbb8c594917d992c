"""Imports of articles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from django.contrib.auth.models import User
from django.utils.translation import gettext, gettext_noop as _
from pydantic import field_validator

from corpus.models import CorpusImport
from corpus.services.import_reading import import_signature, read_source
from corpus.services.import_storing import articles_runner, open_staging, plan_piece
from corpus.services.importing import (
    AUTO,
    ImportKind,
    ImportSpec,
    Paths,
    begin_storing,
    import_here,
)
from corpus.services.uploads import LARGE_MEGABYTES
from jobs.kinds import Runner
from jobs.services.ledger import ChunkPlan
from jobs.services.running import run_here
from paragold.events.settings import EventSpec
from paragold.formats.tables import read_head
from paragold.languages import language
from paragold.problems import quoted
from paragold.registry import Registry
from paragold.sources.article_sources import (
    ARTICLE_SOURCES,
    JSONL,
    TABLE,
    SourceOptions,
    format_of,
    read_keys,
)
from paragold.sources.main_text_model import load_main_text_model
from paragold.spec import param
from paragold.text.segmenters import RULES, SEGMENTERS
from projects.errors import PublicError
from projects.language_choices import names
from projects.models import Project
from projects.parsing.process import limited

UPLOADABLE = [(source.id, source.label) for source in ARTICLE_SOURCES if source.uploadable]


class ArticleReading(ImportSpec):
    formats: ClassVar[Registry[Any]] = ARTICLE_SOURCES

    segmenter: str = param(
        RULES.id,
        "Sentence segmentation",
        "Splits texts into sentences. A file that lists sentences keeps its own.",
        max_length=40,
    )
    article_language: str = param(
        "",
        "Language of the articles",
        "Of a project in two languages; an article that names its language keeps that.",
        max_length=35,
    )
    find_clusters: bool = param(
        False,
        "Find the clusters",
        "Groups dated articles by event. Each needs a date and a unique id; given clusters are ignored. "
        "Articles can join clusters already in the corpus.",
    )

    @field_validator("segmenter")
    @classmethod
    def _is_there(cls, value: str) -> str:
        SEGMENTERS.get(value)  # names those that there are
        return value


class ArticleImportSpec(EventSpec, ArticleReading):
    """How articles are read, and how their clusters are found, if they are."""


class ArticleImport(ImportKind):
    id, noun = "articles", "article"
    lede = _(
        "The whole file is checked and shown to you first; nothing is imported until you confirm. "
        "A file is imported completely or not at all."
    )
    page, stage = "corpus-import", (_("Corpus"), "corpus")
    spec = ArticleImportSpec
    leave_out = ("language",)
    not_on_page = ("title_weight", "name_weight")
    columns: ClassVar[Mapping[str, str]] = {
        "cluster_id": _("Cluster (the same for articles on one event)"),
        "id": _("Article (unique in its cluster)"),
        "text": _("Text"),
        "title": _("Title"),
        "source": _("Source (outlet)"),
        "url": _("Address (URL)"),
        "published": _("Date (as 2004-08-31)"),
    }
    parts: ClassVar[Mapping[str, tuple[str, str]]] = {
        "file": (_("Articles"), _("JSON Lines, CSV, TSV, headlines, or a zip of saved pages or texts."))
    }
    megabytes, grows_corpus = LARGE_MEGABYTES, True
    example = "articles.csv"
    layout = """{"cluster_id": "dam-2004", "articles": [
  {"id": "courier-1", "source": "The Courier", "published": "2004-03-17", "title": "Dam repaired",
   "paragraphs": ["The council repaired the dam on Wednesday. It had leaked for a year."]},
  {"id": "gazette-7", "source": "Gazette", "text": "The leaking dam was fixed this week, they said."}]}"""
    formats_help = _(
        "JSON Lines are shown here over several lines; in the file each object is on one line. An article's "
        "text is text, paragraphs (a list), or sentences (a list, which is then taken as it is). Exact "
        "duplicates within a cluster are left out and counted. Folders are imported on the server by "
        "manage.py import articles."
    )

    def format_rows(self) -> Iterable[tuple[str, str, str]]:
        yield _("JSON Lines"), _("A cluster or an article on each line, as below"), _("Taken as it is")
        yield (
            "CSV, TSV",
            _("An article on each row, names of columns on the first"),
            _("You see which column is what, and may choose others"),
        )
        yield (
            _("Headlines"),
            _(
                "CSV as the UCI News Aggregator has it (ID, TITLE, STORY), or JSON Lines with "
                "cluster_id and headlines (id, title, snippet)"
            ),
            _("A story is a cluster; each headline is an article, its title the first sentence"),
        )
        yield (
            _("Zip"),
            _("A folder for each event with saved pages (.html) or texts (.txt)"),
            _("The main text of each page is extracted; menus, comments and teasers are left out"),
        )

    def choices(self, project: Project | None) -> dict[str, list[tuple[str, str]]]:
        tags = project.languages if project else ()
        return {
            "file_format": [(AUTO, gettext("Recognised")), *UPLOADABLE],
            "segmenter": SEGMENTERS.choices(),
            # One language is no choice, and not shown.
            "article_language": [(tag, names().get(language(tag).tag, tag)) for tag in tags],
        }

    def options(self, spec: Any, columns: Mapping[str, str], project: Project | None) -> dict[str, Any]:
        events = None
        if spec.find_clusters:
            chosen = {name: getattr(spec, name) for name in EventSpec.model_fields}
            events = EventSpec(**chosen | ({"language": project.language} if project else {}))
        tags = project.languages if project else ("en",)
        tag = spec.article_language or tags[0]
        if tag not in tags:
            raise PublicError(
                "The project has no articles in %(language)s: choose %(languages)s.",
                field="article_language",
                language=quoted(tag),
                languages=" or ".join(tags),
            )
        return options_json(
            SourceOptions(spec.file_format, spec.encoding, columns, None, events, spec.segmenter, tag)
        )

    def spec_of(self, source: CorpusImport) -> ArticleImportSpec:
        options = options_of(source)
        events = dict(options.events) if options.events else {}
        return ArticleImportSpec(
            file_format=options.format,
            encoding=options.encoding,
            segmenter=options.segmenter,
            article_language=options.language if source.project_id and source.project.second_language else "",
            find_clusters=bool(events),
            **events,
        )

    def head(self, source: CorpusImport, path: Path) -> tuple[list[str], list[str]]:
        encoding = source.options["encoding"]
        if source.options["format"] == JSONL.id:
            return list(limited(read_keys, path, encoding=encoding)[0][0]), []
        if source.options["format"] == TABLE.id:
            return list(limited(read_head, path, encoding=encoding)[0]), []
        return [], []

    def check(self, source: CorpusImport, paths: Paths, progress: Callable[[float], None]) -> None:
        if source.options["format"] == AUTO:
            source.options["format"] = limited(format_of, paths["file"], source.filename)
        options = options_of(source)
        source.signature = import_signature(options)
        read_source(source, paths["file"], options, progress)

    def store_here(self, source: CorpusImport, contents: None) -> None:
        run_here(job=begin_storing(source=source, by=source.imported_by))

    def plan(self, source: CorpusImport) -> tuple[list[ChunkPlan], int]:
        cuts = source.options["cuts"]
        units = sum(plan_piece(cuts, number).units for number in range(len(cuts) - 1))
        return [plan_piece(cuts, 0)], units

    def begin(self, source: CorpusImport) -> None:
        source.staging = open_staging(source)

    def runner(self) -> Runner:
        return articles_runner()


def options_json(options: SourceOptions) -> dict[str, Any]:
    model = options.story_model
    return {
        "format": options.format,
        "encoding": options.encoding,
        "mapping": dict(options.mapping),
        "story_model": model.to_json() if model else None,
        **({"events": options.events.as_json()} if options.events else {}),
        **({"segmenter": options.segmenter} if options.segmenter != RULES.id else {}),
        **({"language": options.language} if options.language != "en" else {}),
    }


def options_of(source: CorpusImport) -> SourceOptions:
    given = source.options
    model = load_main_text_model(given["story_model"]) if given.get("story_model") else None
    events = EventSpec.from_json(given["events"]) if "events" in given else None
    segmenter, tag = given.get("segmenter", RULES.id), given.get("language", "en")
    encoding, mapping = given.get("encoding", "utf-8"), given.get("mapping", {})
    return SourceOptions(given.get("format", AUTO), encoding, mapping, model, events, segmenter, tag)


def import_corpus(
    *,
    project: Project,
    by: User | None,
    path: Path,
    filename: str,
    options: SourceOptions = SourceOptions(),  # noqa: B008 - immutable
) -> CorpusImport:
    """Import a file, an archive or a folder of articles (docs/formats/sources.md), and wait for the end.

    Articles that are there already are left as they are, exact duplicates within a cluster are left out
    and counted. Any problem in the source, or an article whose text differs from the stored one of the
    same id, refuses the whole of it. Raises PublicError when storing it failed.
    """
    return import_here(
        project=project, by=by, paths={"file": path}, filename=filename, options=options_json(options)
    )


ARTICLES = ArticleImport()
