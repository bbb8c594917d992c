"""Imports of links, as what an annotator submitted, as gold or as suggestions to accept or correct."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from django.db import transaction
from django.utils.translation import gettext, gettext_noop as _
from pydantic import field_validator

from alignment.services.gold_links import rows_from_links
from alignment.services.link_import import (
    create_batch,
    freeze_imported,
    matched,
    submit_imported,
    suggest_imported,
)
from alignment.views.ladder import ladder
from annotation.forms import annotators_of
from annotation.imports import ANNOTATOR, GOLD, annotator_of
from annotation.models import BatchKind
from annotation.services.batches import annotators_called
from corpus.models import CorpusImport
from corpus.services.importing import AUTO, ImportSpec, Paths, Result, WholeImport, add_not_read
from paragold.formats.answers import PairsRead
from paragold.formats.link_files import LINK_FORMATS, read_link_files
from paragold.metrics.links import LinkedPair
from paragold.registry import Registry
from paragold.spec import param
from projects.errors import PublicError
from projects.models import Project
from projects.parsing.process import limited
from projects.services.projects import checked_name

SUGGESTIONS = "suggestions"
PAIRS_SHOWN = 5
Contents = PairsRead[LinkedPair]


class LinkImportSpec(ImportSpec):
    formats: ClassVar[Registry[Any]] = LINK_FORMATS

    batch: str = param(
        "",
        "Batch",
        "A new name makes a batch of the pairs in the file; the name of an imported batch adds to it. "
        "Suggestions are for any linking batch.",
        max_length=80,
    )
    whose: str = param(
        "",
        "Import as",
        "gold: links decided elsewhere; suggestions: links that annotators accept or correct (of Label "
        "Studio, the predictions are read); annotator:NAME: what that person submitted.",
        max_length=160,
    )
    annotators: str = param(
        "",
        "Annotators of suggestions",
        "Who accept or correct them, in a batch in which nobody links yet; each gets every pair.",
        max_length=10_000,
    )
    judge: str = param(
        "",
        "Judge",
        "Whose links are read, if the file has several people's: a name in it; of a zip with a file for "
        "each, the file's name; of predictions, the model.",
        max_length=200,
    )

    @field_validator("whose")
    @classmethod
    def _is_something(cls, value: str) -> str:
        if value not in ("", GOLD, SUGGESTIONS) and not annotator_of(value):
            raise ValueError("Choose gold, suggestions, or annotator: with a user name.")
        return value


class LinkImport(WholeImport):
    """Links become what a person submitted, gold, or suggestions.

    The first file makes a linking batch of its pairs, with their tokens as they are; further files add
    annotators to it, or gold. The same file again changes nothing.
    """

    id, noun = "links", "pair"
    lede = _(
        "Import links drawn elsewhere as one annotator's links, as gold links, or as suggestions "
        "that annotators accept or correct. The file is checked and shown first; it is imported "
        "completely or not at all."
    )
    page, stage = "link-import", ("Link", "link")
    spec = LinkImportSpec
    on_page, several = ("batch", "whose", "annotators"), ("annotators",)
    columns: ClassVar[Mapping[str, str]] = {
        "id": _("Id"),
        "source": _("First sentence"),
        "target": _("Second sentence"),
        "sure": _("Sure links"),
        "possible": _("Possible links"),
    }
    parts: ClassVar[Mapping[str, tuple[str, str]]] = {
        "file": (_("Links"), _("one of the formats below, also as a zip of several files.")),
        "source": (
            _("First sentences"),
            _("For formats without text: one sentence per line, tokens separated by spaces."),
        ),
        "target": (_("Second sentences"), _("In the same format as the first sentences.")),
    }
    megabytes = 20
    results: ClassVar[Mapping[str, Result]] = {
        "gold_links": ("gold-links", lambda project: project.gold_alignment_sets),
        "batch": ("link-detail", lambda project: project.batches),
    }
    example = "links.csv"
    formats_help = _(
        "Every pair becomes a cluster of two one-sentence articles with its tokens as they are. A second "
        "file with the same pairs adds its annotator."
    )

    def format_rows(self) -> Iterable[tuple[str, str, str]]:
        for form in LINK_FORMATS:
            text = _("sentences in the file") if form.carries_text else _("sentences in two files beside it")
            yield form.label, f"{', '.join(form.extensions)}: {form.example}", text

    def choices(self, project: Project | None) -> dict[str, list[tuple[str, str]]]:
        people = [user.username for user in annotators_of(project)] if project else []
        whose = [
            *((f"{ANNOTATOR}{name}", gettext("Links of %(name)s") % {"name": name}) for name in people),
            (GOLD, gettext("Gold links, decided elsewhere")),
            (SUGGESTIONS, gettext("Suggestions, which annotators accept or correct")),
        ]
        named = [(name, name) for name in people]
        return super().choices(project) | {"whose": whose, "annotators": named}

    def known_names(self, project: Project) -> dict[str, list[str]]:
        linking = project.batches.current().filter(kind=BatchKind.LINK)
        return {"batch": list(linking.values_list("name", flat=True))}

    def read(self, source: CorpusImport, paths: Paths) -> Contents:
        """The pairs in order; where the format has no ids, they are numbered from 1."""
        spec: LinkImportSpec = self.spec_of(source)
        if not spec.whose:
            raise PublicError(
                "Choose what the links become: gold, suggestions, or what an annotator submitted."
            )
        if (spec.whose == SUGGESTIONS) < bool(spec.annotators):
            raise PublicError("Choose annotators only for suggestions.")
        checked_name(spec.batch, noun="name of the batch")
        if ("source" in paths) != ("target" in paths):
            raise PublicError("Give the sentences of both sides, source and target.")
        return limited(
            read_link_files,
            paths["file"],
            None if spec.file_format == AUTO else spec.file_format,
            source=paths.get("source"),
            target=paths.get("target"),
            names={"file": source.filename, **source.options.get("names", {})},
            encoding=spec.encoding,
            judge=spec.judge,
            columns=source.options["mapping"],
            predictions=spec.whose == SUGGESTIONS,
        )

    def show(self, source: CorpusImport, contents: Contents) -> None:
        """What an import would do: it is done and rolled back."""
        trial = CorpusImport(
            project=source.project,
            filename=source.filename,
            options=dict(source.options),
            imported_by=source.imported_by,
        )
        with transaction.atomic():
            trial.save()
            new_batch = not source.project.batches.filter(name=self.spec_of(source).batch.strip()).exists()
            is_new = self.store(trial, contents)
            transaction.set_rollback(True)
        name = trial.options["made"]["batch"]["name"]
        source.notes = [f"It makes the batch {name}." if new_batch else f"It belongs to the batch {name}."]
        if not is_new:
            source.notes.append("Nothing new: all of it is there already.")
        sure = sum(len(pair.links.sure) for pair in contents.pairs)
        possible = sum(len(pair.links.possible_only) for pair in contents.pairs)
        source.counts = {"pairs": len(contents.pairs), "sure_links": sure, "possible_links": possible}
        source.sample = [
            [pair.key, pair.line, pair.source, pair.target, rows_from_links(pair.links)]
            for pair in contents.pairs[:PAIRS_SHOWN]
        ]
        add_not_read(source, contents.unknown, contents.contradictions)

    def samples_of(self, source: CorpusImport) -> list[Any]:
        return [(key, line, a, b, ladder(a, b, links)) for key, line, a, b, links in source.sample]

    def store(self, source: CorpusImport, contents: Contents) -> bool:
        spec: LinkImportSpec = self.spec_of(source)
        name, pairs, username = spec.batch.strip(), contents.pairs, annotator_of(spec.whose)
        people = annotators_called(source.project, [username]) if username else []
        batch = source.project.batches.filter(name=name).first()
        if batch is None:
            batch = create_batch(source=source, name=name, contents=contents)
        elif batch.corpus_import is None and spec.whose != SUGGESTIONS:
            raise PublicError(
                "The batch %(batch)s was not imported; choose another batch name for the links.",
                batch=batch.name,
            )
        source.options["made"] = {"batch": {"name": batch.name}}
        if spec.whose == SUGGESTIONS:
            names = [name for name in spec.annotators.replace(" ", "").split(",") if name]
            return suggest_imported(batch, contents, names, by=source.imported_by, filename=source.filename)
        items = matched(batch, pairs, source.filename)
        if people:
            return submit_imported(batch, people[0], pairs, items, filename=source.filename)
        gold_set, is_new = freeze_imported(batch, pairs, items, source=source)
        version = {"name": gold_set.name, "version": gold_set.version}
        source.options["made"] = {"gold_links": version} | source.options["made"]
        return is_new


LINKS = LinkImport()
