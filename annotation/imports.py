"""Imports of judgements, as those of an annotator or as a gold set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

from django.utils.translation import gettext, gettext_noop
from pydantic import field_validator, model_validator

from annotation.forms import annotators_of
from annotation.schemes import Label
from annotation.services.batches import annotators_called
from annotation.services.judgement_import import (
    LONGEST_NAME,
    CheckedFile,
    answer_batch,
    batch_of,
    freeze_imported,
    read_file,
)
from corpus.models import CorpusImport
from corpus.services.importing import ImportSpec, Paths, Result, WholeImport, add_not_read
from paragold.formats.judgement_files import JUDGEMENT_FORMATS
from paragold.formats.judgement_formats import HIGHEST_SIMILARITY, Reading
from paragold.registry import Registry
from paragold.spec import SpecError, param
from projects.errors import PublicError
from projects.models import Project

GOLD = "gold"
# A user name may be "gold" too.
ANNOTATOR = "annotator:"


def annotator_of(whose: str) -> str | None:
    """The user name in `annotator:NAME`, None for anything else."""
    return whose.removeprefix(ANNOTATOR) if whose.startswith(ANNOTATOR) else None


class JudgementImportSpec(ImportSpec):
    formats: ClassVar[Registry[Any]] = JUDGEMENT_FORMATS

    whose: str = param(
        GOLD,
        "Import as",
        "gold: a gold set, whose labels are final; annotator:NAME: what that person judged, to be compared "
        "and reviewed with others.",
        max_length=160,
    )
    name: str = param(
        "",
        "Name",
        "Name of the gold set (a name in use gets its next version) or of the batch (a new one is made; in "
        "an existing one pairs are found by their text). Empty: the file's name.",
        max_length=LONGEST_NAME,
    )
    threshold: float | None = param(
        None,
        "Minimum similarity: paraphrase",
        "0 to 5, for files of similarities.",
        ge=0,
        le=HIGHEST_SIMILARITY,
    )
    partial_threshold: float | None = param(
        None,
        "Minimum similarity: partial paraphrase",
        "Leave empty for two labels; otherwise pairs below this are unrelated.",
        ge=0,
        le=HIGHEST_SIMILARITY,
    )
    judge: str = param(
        "",
        "Judge",
        "Whose judgements are read, if the file has several people's: a name in it (pairs.jsonl: a "
        "pseudonym; Label Studio: number or e-mail address). Empty: the gold labels, or the only person's.",
        max_length=100,
    )
    keep_contradictions: bool = param(
        False,
        "Keep contradictions",
        "Freezes a gold set although the same two sentences have different labels in the file.",
    )

    @field_validator("whose")
    @classmethod
    def _is_someone(cls, value: str) -> str:
        if value != GOLD and not annotator_of(value):
            raise ValueError("Choose gold, or annotator: with a user name.")
        return value

    @model_validator(mode="after")
    def _can_be_read(self) -> Self:
        self.reading({})
        return self

    def reading(self, columns: Mapping[str, str]) -> Reading:
        """The options of the reader. Raises SpecError."""
        try:
            return Reading(
                format=self.file_format,
                threshold=self.threshold,
                partial_threshold=self.partial_threshold,
                judge=self.judge,
                columns=columns,
            )
        except ValueError as error:
            field, _, message = str(error).partition(": ")
            raise SpecError([(field, f"{message[:1].upper()}{message[1:]}.")]) from error


class JudgementImport(WholeImport):
    """Pairs judged elsewhere become what a person judged, in a judging batch, or the next version of a gold
    set. The same file again changes nothing."""

    id, noun = "judgements", "pair"
    lede = gettext_noop(
        "Import pairs judged elsewhere as a gold set or as one annotator's judgements. The file is "
        "checked and shown first; it is imported completely or not at all."
    )
    page, stage = "judgements-import", ("Judge", "judge")
    spec = JudgementImportSpec
    on_page = ("whose", "name")
    columns: ClassVar[Mapping[str, str]] = {
        "id": gettext_noop("Id"),
        "a": gettext_noop("First sentence"),
        "b": gettext_noop("Second sentence"),
        "label": gettext_noop("Label"),
        "score": gettext_noop("Similarity"),
        "comment": gettext_noop("Comment"),
        "flagged": gettext_noop("Flagged"),
    }
    parts: ClassVar[Mapping[str, tuple[str, str]]] = {
        "file": (gettext_noop("Judged pairs"), gettext_noop("one of the formats below."))
    }
    results: ClassVar[Mapping[str, Result]] = {
        "gold_set": ("gold-set", lambda project: project.gold_sets),
        "batch": ("batch", lambda project: project.batches),
    }
    example = "judgements.csv"
    formats_help = gettext_noop(
        "Columns of the MSR corpus, and of files with labels or similarities, are separated by tabs. "
        "Whatever a file contains beyond sentences, labels, comments and flags is listed before anything is "
        "written."
    )

    def format_rows(self) -> Iterable[tuple[str, str, str]]:
        return ((form.label, form.help, form.extension) for form in JUDGEMENT_FORMATS)

    def choices(self, project: Project | None) -> dict[str, list[tuple[str, str]]]:
        people = [user.username for user in annotators_of(project)] if project else []
        of_people = [
            (f"{ANNOTATOR}{name}", gettext("Judgements of %(name)s") % {"name": name}) for name in people
        ]
        return super().choices(project) | {
            "whose": [(GOLD, gettext("A gold set: its labels are final")), *of_people]
        }

    def read(self, source: CorpusImport, paths: Paths) -> CheckedFile:
        spec = self.spec_of(source)
        return read_file(paths["file"], spec.reading(source.options["mapping"]), spec.encoding)

    def show(self, source: CorpusImport, file: CheckedFile) -> None:
        labels = {label or "skipped": count for label, count in file.labels.most_common()}
        source.counts = {"pairs": len(file.pairs), **labels}
        source.sample = [[pair.line, pair.a, pair.b, pair.label] for pair in file.sample]
        add_not_read(source, file.unknown, file.contradictions)
        spec = self.spec_of(source)
        if spec.whose == GOLD and file.contradictions and not spec.keep_contradictions:
            raise PublicError(
                "%(problem)s Correct the labels, or choose to keep contradictions (--keep-contradictions).",
                problem=file.contradictions,
            )

    def samples_of(self, source: CorpusImport) -> list[tuple[int, str, str, str]]:
        return [
            (line, a, b, str(Label(label).label) if label else "Skipped")
            for line, a, b, label in source.sample
        ]

    def store(self, source: CorpusImport, file: CheckedFile) -> bool:
        spec = self.spec_of(source)
        name = spec.name.strip() or (source.filename.rpartition(".")[0] or source.filename)[:LONGEST_NAME]
        if (username := annotator_of(spec.whose)) is None:
            reading = spec.reading(source.options["mapping"])
            gold_set = freeze_imported(source=source, name=name, reading=reading, file=file)
            source.options["made"] = {
                "gold_set": {"name": gold_set.name, "version": gold_set.version},
                "batch": {"name": gold_set.batches.get().name},
            }
            return not gold_set.already_frozen
        [user] = annotators_called(source.project, [username])
        batch = source.project.batches.filter(name=name).first() or batch_of(file, source=source, name=name)
        source.options["made"] = {"batch": {"name": batch.name}}
        return answer_batch(batch, user, file)


JUDGEMENTS = JudgementImport()
