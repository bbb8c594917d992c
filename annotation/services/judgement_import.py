"""Importing judgements from files, as those of an annotator or as a gold set."""

from __future__ import annotations

import pickle
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone

from annotation.models import (
    IMPORTED,
    Answer,
    Assignment,
    AssignmentState,
    Batch,
    BatchAnnotator,
    BatchKind,
    BatchState,
    GoldJudgement,
    GoldSet,
    Judgement,
)
from annotation.schemes import SCHEME_LABELS, Label
from annotation.services.answers import keep_imported_answers
from annotation.services.batches import batch_of_given_pairs
from corpus.models import CorpusImport
from corpus.services.pair_storage import refresh_statistics
from corpus.services.pairs import ROWS_AT_ONCE, GivenPair, GivenSentence
from paragold import limits
from paragold.formats.answers import Unknown
from paragold.formats.gold_jsonl import Adjudication, GoldJudgement as GivenJudgement
from paragold.formats.judgement_files import judged_pairs_in_pieces, scheme_of
from paragold.formats.judgement_formats import JudgedPair, Reading
from paragold.languages import language
from paragold.metrics.label_agreement import agreement_of_labels
from paragold.problems import FileProblem
from paragold.statistics import RESAMPLES
from projects.errors import PublicError
from projects.parsing.process import limited_pieces
from projects.services.projects import next_version

VERSION = 1
SIGNATURE = "imported-judgements|{}|version:1"
"""With the tokeniser of the project's language."""
LONGEST_NAME = 80
PAIRS_SHOWN = 10


def freeze_imported(*, source: CorpusImport, name: str, reading: Reading, file: CheckedFile) -> GoldSet:
    """Freeze a file's labels as the next version of a gold set, on a closed batch of the file's pairs.

    Votes and adjudications that pairs.jsonl carries are kept; agreement is theirs. Where the same file, read
    alike, became a set of that name before, that one is returned and says `already_frozen`. To be called in a
    transaction. Raises PublicError when no pair has a label.
    """
    project, by = source.project, source.imported_by
    options = asdict(reading).items()
    asked = "".join(f"|{option}:{value}" for option, value in options if value not in (None, "", {}))
    signature = f"gold|rule:{IMPORTED}|scheme:{file.scheme}{asked}|sha256:{source.sha256}|version:{VERSION}"
    before = project.gold_sets.filter(name=name, signature=signature).first()
    if before is not None:
        before.already_frozen = True
        return before
    judged = len(file.pairs) - file.labels[None]
    if not judged:
        raise PublicError("No pair of the file has a label: all were skipped.")
    version = next_version(project.gold_sets, name)
    batch_name = name if version == 1 else f"{name} v{version}"
    batch = batch_of(file, source=source, name=batch_name)
    batch.state = BatchState.CLOSED
    batch.save(update_fields=["state"])
    labels_of_votes = [
        {vote.annotator: vote.label for vote in pair.whole.judgements} if pair.whole else {}
        for pair in file.pairs
        if pair.label is not None
    ]
    gold_set = GoldSet.objects.create(
        project=project,
        name=name,
        version=version,
        rule=IMPORTED,
        scheme=file.scheme,
        agreement=agreement_of_labels(labels_of_votes, resamples=RESAMPLES) if any(labels_of_votes) else {},
        counts={
            "items": len(file.pairs),
            "judgements_missing": file.labels[None],
            "waiting_for_adjudicator": 0,
            "disputed": sum(len({*each.values()} - {None}) > 1 for each in labels_of_votes),
            "pairs": judged,
            **{label: file.labels[label] for label in Label.values if file.labels[label]},
        },
        signature=signature,
        created_by=by,
    )
    gold_set.batches.add(batch)
    items = iter(batch.items.order_by("number").values_list("pk", flat=True))
    for block in file.pairs.blocks():
        GoldJudgement.objects.bulk_create(
            GoldJudgement(
                gold_set=gold_set,
                item_id=item,
                label=pair.label,
                votes=[_as_kept(vote) | {"milliseconds": 0} for vote in pair.whole.judgements]
                if pair.whole
                else [],
                adjudication=_as_kept(pair.whole.adjudication)
                if pair.whole and pair.whole.adjudication
                else None,
            )
            for item, pair in zip(islice(items, len(block)), block, strict=True)
            if pair.label is not None
        )
    return gold_set


def batch_of(file: CheckedFile, *, source: CorpusImport, name: str) -> Batch:
    """A judging batch without assignments: each pair is a cluster `name/id` of two one-sentence articles.

    Raises PublicError for a name that is taken or too long.
    """
    if not name or len(name) > LONGEST_NAME:
        raise PublicError(
            "The batch needs a name of 1 to %(limit)s characters.", field="name", limit=LONGEST_NAME
        )
    if source.project.batches.filter(name=name).exists():
        raise PublicError("A batch called %(name)r exists; choose another name.", field="name", name=name)
    languages = source.project.languages
    own, second = language(languages[0]), language(languages[-1])
    return batch_of_given_pairs(
        source=source,
        name=name,
        kind=BatchKind.JUDGE,
        scheme=file.scheme,
        pairs=(
            GivenPair(
                _cluster_key(name, pair.key), GivenSentence.of(pair.a, own), GivenSentence.of(pair.b, second)
            )
            for pair in file.pairs
        ),
        sides=("a", "b"),
        format_name=file.format,
        signature=SIGNATURE.format(own.token_signature),
    )


def _cluster_key(name: str, key: str) -> str:
    """`name/id`; where the id is too long for a cluster's key, `name/` and a hash of it."""
    whole = f"{name}/{key}"
    if len(whole) <= limits.KEY_CHARACTERS:
        return whole
    return f"{name}/{sha256(key.encode()).hexdigest()}"


def _as_kept(given: GivenJudgement | Adjudication) -> dict[str, Any]:
    """An answer of pairs.jsonl as gold sets store it."""
    fields = asdict(given)
    fields["at"] = fields.pop("time")
    return fields


@dataclass(slots=True)
class CheckedFile:
    """What a process of its own has read of a file; `labels` counts those of its pairs."""

    pairs: Spooled[JudgedPair]
    sample: list[JudgedPair] = field(default_factory=list)
    labels: Counter[str | None] = field(default_factory=Counter)
    problems: list[FileProblem] = field(default_factory=list)
    format: str = ""
    unknown: Unknown = field(default_factory=Counter)
    contradictions: str = ""

    @property
    def scheme(self) -> str:
        return scheme_of(self.labels)


def read_file(path: Path, reading: Reading, encoding: str) -> CheckedFile:
    """What a file holds, read in a process of its own. Raises FileProblem."""
    pairs = Spooled[JudgedPair]()
    file = CheckedFile(pairs)
    for piece in limited_pieces(judged_pairs_in_pieces, path, reading, encoding=encoding):
        if piece.pairs:
            pairs.add(piece.pairs)
            file.labels.update(pair.label for pair in piece.pairs)
            file.sample = file.sample or piece.pairs[:PAIRS_SHOWN]
        else:
            file.problems, file.format = piece.problems, piece.format
            file.unknown, file.contradictions = piece.unknown, piece.contradictions
    if file.problems:
        raise FileProblem.of(file.problems)
    return file


def answer_batch(batch: Batch, user: User, file: CheckedFile) -> bool:
    """Store the judgements as answers, a block at a time; whether anything was new."""
    _check_batch(batch, set(file.labels))
    items = _items_by_texts(batch)
    mine = Assignment.objects.of(user).filter(item__batch=batch)
    position, stored = mine.count(), 0
    for block in file.pairs.blocks():
        matched = [_item_of(items, pair, batch) for pair in block]
        known = {
            assignment.item_id: assignment
            for assignment in mine.filter(item__in=matched).select_related("judgement", "item__batch")
        }
        new = []
        for item, pair in zip(matched, block, strict=True):
            assignment = known.get(item)
            if assignment is None:
                position += 1
                assignment = Assignment(item_id=item, annotator=user, position=position)
            new += [(assignment, pair)] if _is_new(assignment, pair, batch) else []
        _store(new)
        stored += len(new)
    if not stored:
        return False
    BatchAnnotator.objects.get_or_create(batch=batch, annotator=user)
    if batch.corpus_import_id is not None:
        batch.overlap = batch.annotators.count()
        batch.save(update_fields=["overlap"])
    refresh_statistics(Assignment, Judgement, Answer)
    return True


def _is_new(assignment: Assignment, pair: JudgedPair, batch: Batch) -> bool:
    """Whether the annotator has not answered yet. Raises PublicError for another answer and for an item that
    is somebody else's."""
    if assignment._state.adding and batch.corpus_import_id is None:
        raise PublicError(
            "Line %(line)s: pair %(number)s of %(batch)s is not assigned to %(annotator)s.",
            line=pair.line,
            number=assignment.item.number,
            batch=batch.name,
            annotator=assignment.annotator.username,
        )
    if assignment.state == AssignmentState.OPEN:
        return True
    judgement = getattr(assignment, "judgement", None)
    if (judgement.label if judgement else None) != pair.label:
        raise PublicError(
            "Line %(line)s: %(annotator)s gave another answer to pair %(number)s of %(batch)s; "
            "judgements are never replaced.",
            line=pair.line,
            annotator=assignment.annotator.username,
            number=assignment.item.number,
            batch=batch.name,
        )
    return False


def _check_batch(batch: Batch, labels: set[str | None]) -> None:
    if batch.kind != BatchKind.JUDGE:
        raise PublicError("%(batch)s is for linking words, not for judging.", field="name", batch=batch.name)
    if batch.state != "open":
        raise PublicError(
            "The batch %(batch)s is closed. Open it again first.", field="name", batch=batch.name
        )
    if hasattr(batch, "second_pass"):
        raise PublicError(
            "%(batch)s has had a second pass, so nothing can be imported.", field="name", batch=batch.name
        )
    strange = {label for label in labels if label is not None} - set(SCHEME_LABELS[batch.scheme])
    if strange:
        raise PublicError(
            "%(batch)s has the labels %(labels)s, not %(others)s.",
            field="name",
            batch=batch.name,
            labels=", ".join(SCHEME_LABELS[batch.scheme]),
            others=", ".join(sorted(strange)),
        )


def _texts(a: str, b: str) -> bytes:
    """What stands for two texts in this order, in less memory."""
    return sha256(f"{a}\0{b}".encode()).digest()[:16]


def _items_by_texts(batch: Batch) -> dict[bytes, list[int]]:
    """The ids of the batch's items by their two texts, the last first."""
    by_texts: dict[bytes, list[int]] = {}
    items = batch.items.order_by("-number")
    rows = items.values_list("pk", "pair__sentence_a__text", "pair__sentence_b__text")
    for pk, a, b in rows.iterator(ROWS_AT_ONCE):
        by_texts.setdefault(_texts(a, b), []).append(pk)
    return by_texts


def _item_of(by_texts: dict[bytes, list[int]], pair: JudgedPair, batch: Batch) -> int:
    """The item of a pair, by its two texts in either order; of equal pairs each stands for the next. Raises
    PublicError with the line of one that is missing."""
    items = by_texts.get(_texts(pair.a, pair.b)) or by_texts.get(_texts(pair.b, pair.a))
    if not items:
        raise PublicError(
            "Line %(line)s: this pair is not in the batch %(batch)s. Import it into another batch, or "
            "leave it out.",
            field="name",
            line=pair.line,
            batch=batch.name,
        )
    return items.pop()


def _store(new: Sequence[tuple[Assignment, JudgedPair]]) -> None:
    if not new:
        return
    now = timezone.now()
    for assignment, pair in new:
        assignment.state = AssignmentState.SKIPPED if pair.label is None else AssignmentState.DONE
        assignment.version += 1
        assignment.flagged, assignment.comment, assignment.answered_at = pair.flagged, pair.comment, now
    assignments = [assignment for assignment, _ in new]
    Assignment.objects.bulk_create(
        [place for place in assignments if place.pk is None], batch_size=ROWS_AT_ONCE
    )
    fields = ["state", "version", "flagged", "comment", "answered_at"]
    Assignment.objects.bulk_update(assignments, fields, batch_size=ROWS_AT_ONCE)
    Judgement.objects.bulk_create(
        [
            Judgement(assignment=assignment, label=pair.label)
            for assignment, pair in new
            if pair.label is not None
        ],
        batch_size=ROWS_AT_ONCE,
    )
    answers = [
        (assignment, {"label": pair.label, "skipped": pair.label is None, "imported": True}
         | {"flagged": pair.flagged, "comment": pair.comment})
        for assignment, pair in new
    ]  # fmt: skip
    keep_imported_answers(answers)


T = TypeVar("T")


class Spooled(Generic[T]):
    """Rows in blocks, each as it was added, in a file that goes with this object; they are checked before."""

    def __init__(self) -> None:
        folder = Path(settings.UPLOADS_DIR)
        folder.mkdir(parents=True, exist_ok=True)
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed by __del__
        self._ends: list[int] = []
        self._count = 0

    def __del__(self) -> None:
        self._file.close()

    def add(self, rows: Sequence[T]) -> None:
        self._file.seek(0, 2)
        pickle.dump(list(rows), self._file)
        self._ends.append(self._file.tell())
        self._count += len(rows)

    def __len__(self) -> int:
        return self._count

    def blocks(self) -> Iterator[list[T]]:
        for start, _ in zip([0, *self._ends], self._ends, strict=False):
            self._file.seek(start)
            rows: list[T] = pickle.load(self._file)  # noqa: S301 - what `add` wrote, which nobody else can open
            yield rows

    def __iter__(self) -> Iterator[T]:
        for block in self.blocks():
            yield from block
