"""Judgements from files: as what an annotator said, or as a gold set."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from annotation.models import (
    IMPORTED,
    SCHEME_LABELS,
    Answer,
    Assignment,
    AssignmentState,
    Batch,
    BatchAnnotator,
    BatchKind,
    BatchState,
    GoldJudgement,
    GoldSet,
    Item,
    Judgement,
    Label,
)
from corpus.services.pair_storage import refresh_statistics
from paragold.formats.judgements.judged_pairs import JudgedFile, JudgedPair, Reading, read_judged_pairs
from paragold.formats.manifest import sha256_of
from paragold.problems import FileProblem
from projects.errors import PublicError
from projects.models import Project

from .agreement import agreement_of_labels
from .answers import keep_imported_answers
from .batches import annotators_called
from .freezing import next_version
from .imported_pairs import ROWS_AT_ONCE, create_batch

VERSION = 1


def imported_before(
    project: Project, name: str, reading: Reading, digest: str, found: JudgedFile
) -> GoldSet | None:
    """The gold set that the same file, read alike, became under that name; None if there is none."""
    return project.gold_sets.filter(name=name, signature=_signature(reading, digest, found)).first()


def freeze_imported(
    *,
    project: Project,
    by: User | None,
    name: str,
    reading: Reading,
    filename: str,
    digest: str,
    found: JudgedFile,
) -> GoldSet:
    """Freeze a file's labels as the next version of a gold set, on a closed batch of the file's pairs.

    Votes and adjudications that pairs.jsonl carries are kept; agreement is theirs. To be called in a
    transaction. Raises PublicError when no pair has a label.
    """
    judged = [(pair, pair.label) for pair in found.pairs if pair.label is not None]
    if not judged:
        raise PublicError("No pair of the file has a label: every one was skipped.")
    version = next_version(project.gold_sets, name)
    batch = create_batch(
        project=project,
        by=by,
        name=name if version == 1 else f"{name} v{version}",
        scheme=found.scheme,
        pairs=found.pairs,
        filename=filename,
        sha256=digest,
        format_name=found.format,
    )
    batch.state = BatchState.CLOSED
    batch.save(update_fields=["state"])
    votes = [_votes(pair) for pair, _ in judged]
    said = [{vote["annotator"]: vote["label"] for vote in each} for each in votes]
    labels = Counter(label for _, label in judged)
    gold_set = GoldSet.objects.create(
        project=project,
        name=name,
        version=version,
        rule=IMPORTED,
        scheme=found.scheme,
        agreement=(
            {figure: asdict(value) for figure, value in agreement_of_labels(said).items()}
            if any(said)
            else {}
        ),
        counts={
            "items": len(found.pairs),
            "judgements_missing": len(found.pairs) - len(judged),
            "waiting_for_adjudicator": 0,
            "disputed": sum(len({*each.values()} - {None}) > 1 for each in said),
            "pairs": len(judged),
            **{label: labels[label] for label in Label.values if labels[label]},
        },
        signature=_signature(reading, digest, found),
        created_by=by,
    )
    gold_set.batches.add(batch)
    items = dict(batch.items.values_list("number", "pk"))
    numbers = {pair.key: number for number, pair in enumerate(found.pairs, start=1)}
    GoldJudgement.objects.bulk_create(
        [
            GoldJudgement(
                gold_set=gold_set,
                item_id=items[numbers[pair.key]],
                label=label,
                votes=each,
                adjudication=_adjudication(pair),
            )
            for (pair, label), each in zip(judged, votes, strict=True)
        ],
        batch_size=ROWS_AT_ONCE,
    )
    return gold_set


def _signature(reading: Reading, digest: str, found: JudgedFile) -> str:
    asked = "".join(f"|{name}:{value}" for name, value in asdict(reading).items() if value not in (None, ""))
    return f"gold|rule:{IMPORTED}|scheme:{found.scheme}{asked}|sha256:{digest}|version:{VERSION}"


def _votes(pair: JudgedPair) -> list[dict[str, Any]]:
    if pair.whole is None:
        return []
    return [
        {
            "annotator": vote.annotator,
            "label": vote.label,
            "comment": vote.comment,
            "flagged": vote.flagged,
            "skipped": vote.skipped,
            "milliseconds": 0,
            "at": vote.time,
        }
        for vote in pair.whole.judgements
    ]


def _adjudication(pair: JudgedPair) -> dict[str, Any] | None:
    decision = pair.whole.adjudication if pair.whole else None
    if decision is None:
        return None
    return {
        "adjudicator": decision.adjudicator,
        "label": decision.label,
        "comment": decision.comment,
        "at": decision.time,
    }


PAIRS_SHOWN = 10


@dataclass(slots=True)
class JudgementImport:
    """What a file held and what became of it.

    `status` is "imported", "checked" (valid, nothing written), "unchanged" (all of it is there already) or
    "refused" (see `problems`; nothing was written). `labels` counts them, "skipped" among them.
    """

    filename: str
    status: str = "refused"
    format: str = ""
    scheme: str = ""
    pairs: int = 0
    labels: dict[str, int] = field(default_factory=dict)
    problems: list[FileProblem] = field(default_factory=list)
    sample: list[JudgedPair] = field(default_factory=list)
    batch: Batch | None = None
    gold_set: GoldSet | None = None


def check_judgements(
    *, path: Path, filename: str, reading: Reading, encoding: str = "utf-8"
) -> JudgementImport:
    """Read and validate a whole file without writing anything."""
    return _report(filename, read_judged_pairs(path, reading, encoding=encoding))


def import_judgements(
    *,
    project: Project,
    by: User | None,
    path: Path,
    filename: str,
    name: str,
    reading: Reading,
    annotator: str | None = None,
    encoding: str = "utf-8",
) -> JudgementImport:
    """Import a file of judged pairs (docs/formats/judgements.md) in one transaction: all of it, or nothing.

    With `annotator` (a username) they become what that person judged, in the judging batch called `name`:
    made of the file's pairs if there is none, else its pairs are found by their texts. Without, they become
    the next version of the gold set called `name`. The same file again changes nothing. Problems in the file
    refuse the whole of it. Raises PublicError for a name that is taken, somebody who is no annotator, pairs
    that the batch lacks, and judgements that differ from what the annotator said there.
    """
    found = read_judged_pairs(path, reading, encoding=encoding)
    report = _report(filename, found)
    if report.problems:
        return report
    name = name.strip()
    with transaction.atomic():
        # Two imports into one project wait for each other: both look for what is there already.
        project = Project.objects.select_for_update().get(pk=project.pk)
        digest = sha256_of(path)
        report.status = "imported"
        if annotator is None:
            report.gold_set = imported_before(project, name, reading, digest, found)
            if report.gold_set is not None:
                report.status = "unchanged"
            else:
                report.gold_set = freeze_imported(
                    project=project, by=by, name=name, reading=reading, filename=filename, digest=digest,
                    found=found,
                )  # fmt: skip
            report.batch = report.gold_set.batches.get()
            return report
        [user] = annotators_called(project, [annotator])
        report.batch = project.batches.filter(name=name).first()
        if report.batch is None:
            report.batch = create_batch(
                project=project, by=by, name=name, scheme=found.scheme, pairs=found.pairs, filename=filename,
                sha256=digest, format_name=found.format,
            )  # fmt: skip
        if not _answer(report.batch, user, found.pairs):
            report.status = "unchanged"
    return report


def _report(filename: str, found: JudgedFile) -> JudgementImport:
    return JudgementImport(
        filename=filename,
        status="refused" if found.problems else "checked",
        format=found.format,
        scheme=found.scheme,
        pairs=len(found.pairs),
        labels={label or "skipped": count for label, count in found.labels.most_common()},
        problems=found.problems,
        sample=found.pairs[:PAIRS_SHOWN],
    )


def _answer(batch: Batch, user: User, pairs: Sequence[JudgedPair]) -> bool:
    """Store the judgements as answers; whether anything was new."""
    _check_batch(batch, {pair.label for pair in pairs})
    matched = _matched(batch, pairs)
    mine = Assignment.objects.of(user).filter(item__batch=batch).select_related("judgement", "item")
    known = {assignment.item_id: assignment for assignment in mine}
    new: list[tuple[Assignment, JudgedPair]] = []
    for item, pair in zip(matched, pairs, strict=True):
        assignment = known.get(item.pk)
        if assignment is None:
            if batch.corpus_import_id is None:
                raise PublicError(
                    f"Line {pair.line}: pair {item.number} of {batch.name} is not assigned to "
                    f"{user.username}."
                )
            assignment = Assignment(item=item, annotator=user, position=len(known) + len(new) + 1)
        elif assignment.state != AssignmentState.OPEN:
            said = getattr(assignment, "judgement", None)
            if (said.label if said else None) != pair.label:
                raise PublicError(
                    f"Line {pair.line}: {user.username} said something else of pair {item.number} of "
                    f"{batch.name}; what people have judged is never replaced."
                )
            continue
        new.append((assignment, pair))
    if new:
        _store(batch, user, new)
    return bool(new)


def _check_batch(batch: Batch, labels: set[str | None]) -> None:
    if batch.kind != BatchKind.JUDGE:
        raise PublicError(f"{batch.name} is for linking words, not for judging.", field="name")
    if batch.state != "open":
        raise PublicError(f"The batch {batch.name} is closed; open it again first.", field="name")
    if hasattr(batch, "second_pass"):
        raise PublicError(f"{batch.name} has had a second pass and takes no imports.", field="name")
    strange = {label for label in labels if label is not None} - set(SCHEME_LABELS[batch.scheme])
    if strange:
        raise PublicError(
            f"{batch.name} knows {', '.join(SCHEME_LABELS[batch.scheme])}, not {', '.join(sorted(strange))}.",
            field="name",
        )


def _matched(batch: Batch, pairs: Sequence[JudgedPair]) -> list[Item]:
    """The item of each pair, by the two texts in either order. Raises PublicError with the line of one that
    is missing; of equal pairs each stands for the next."""
    by_texts: dict[tuple[str, str], list[Item]] = defaultdict(list)
    items = batch.items.select_related("pair__sentence_a", "pair__sentence_b").order_by("-number")
    for item in items:
        by_texts[item.pair.sentence_a.text, item.pair.sentence_b.text].append(item)
    matched = []
    for pair in pairs:
        there = by_texts.get((pair.a, pair.b)) or by_texts.get((pair.b, pair.a))
        if not there:
            raise PublicError(
                f"Line {pair.line}: this pair is not in the batch {batch.name}. Import it under a name "
                "of its own, or leave it out.",
                field="name",
            )
        matched.append(there.pop())
    return matched


def _store(batch: Batch, user: User, new: Sequence[tuple[Assignment, JudgedPair]]) -> None:
    now = timezone.now()
    for assignment, pair in new:
        assignment.state = AssignmentState.SKIPPED if pair.label is None else AssignmentState.DONE
        assignment.version += 1
        assignment.flagged, assignment.comment, assignment.answered_at = pair.flagged, pair.comment, now
    assignments = [assignment for assignment, _ in new]
    Assignment.objects.bulk_create([one for one in assignments if one.pk is None], batch_size=ROWS_AT_ONCE)
    fields = ["state", "version", "flagged", "comment", "answered_at"]
    Assignment.objects.bulk_update(assignments, fields, batch_size=ROWS_AT_ONCE)
    Judgement.objects.bulk_create(
        [Judgement(assignment=one, label=pair.label) for one, pair in new if pair.label is not None],
        batch_size=ROWS_AT_ONCE,
    )
    BatchAnnotator.objects.get_or_create(batch=batch, annotator=user)
    if batch.corpus_import_id is not None:
        batch.overlap = batch.annotators.count()
        batch.save(update_fields=["overlap"])
    answers = [
        (one, {"label": pair.label, "skipped": pair.label is None, "imported": True}
         | {"flagged": pair.flagged, "comment": pair.comment})
        for one, pair in new
    ]  # fmt: skip
    keep_imported_answers(answers)
    refresh_statistics(Assignment, Judgement, Answer)
