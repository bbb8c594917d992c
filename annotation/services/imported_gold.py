"""Gold sets whose labels came with a file."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User

from annotation.models import IMPORTED, BatchState, GoldJudgement, GoldSet, Label
from paragold.formats.judgements.judged_pairs import JudgedFile, JudgedPair, Reading
from projects.errors import PublicError
from projects.models import Project

from .gold_versions import next_version
from .imported_pairs import ROWS_AT_ONCE, create_batch
from .review import agreement_of_labels

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
