"""Imported links: their pairs made a linking batch, then what an annotator submitted, or gold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from alignment.models import Alignment, GoldAlignment, GoldAlignmentSet, Origin, WordLink
from annotation.models import Answer, Assignment, AssignmentState, Batch, BatchKind, Item
from annotation.services.answers import keep_imported_answers
from annotation.services.freezing import next_version
from annotation.services.imported_pairs import batch_of_given_pairs
from corpus.services.pair_storage import refresh_statistics
from corpus.services.pairs import GivenPair, GivenSentence
from paragold.formats.links.link_format import check_tokens
from paragold.metrics.links import LinkedPair
from paragold.problems import FileProblem, located
from paragold.text.quoting import quoted
from projects.errors import PublicError
from projects.models import Project

from .gold_links import pairs_of, rows_from_links

SIGNATURE = "imported-pairs|tokens:as given, parted by spaces|version:1"
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
LONGEST_KEY = 200


def create_batch(
    *,
    project: Project,
    by: User | None,
    name: str,
    pairs: Sequence[LinkedPair],
    filename: str,
    sha256: str,
    format_name: str,
) -> Batch:
    """A linking batch without assignments: each pair is a cluster `name/id` of two one-sentence articles.

    Raises FileProblem for a pair whose id is too long, that has an empty sentence, or tokens that cannot be
    kept; PublicError when the corpus has such clusters already.
    """
    if project.clusters.filter(key__startswith=f"{name}/").exists():
        raise PublicError(
            f"The corpus has clusters called {name}/... already; give the batch another name.", field="batch"
        )
    for pair in pairs:
        _check_text(pair, filename)
        if len(f"{name}/{pair.key}") > LONGEST_KEY:
            raise FileProblem(
                f"the id {pair.key[:40]}… is too long.",
                f"With the name of the batch, {LONGEST_KEY} characters are allowed.",
                line=pair.line,
                file=filename,
            )
        if not pair.tokens.source or not pair.tokens.target:
            raise FileProblem(
                f"a sentence of pair {pair.key} is empty.",
                "Leave the pair out.",
                line=pair.line,
                file=filename,
            )
    return batch_of_given_pairs(
        project=project,
        by=by,
        name=name,
        kind=BatchKind.LINK,
        scheme=project.scheme,
        pairs=[
            GivenPair(f"{name}/{pair.key}", _sentence(pair.tokens.source), _sentence(pair.tokens.target))
            for pair in pairs
        ],
        sides=("source", "target"),
        filename=filename,
        sha256=sha256,
        format_name=format_name,
        signature=SIGNATURE,
    )


def _check_text(pair: LinkedPair, filename: str) -> None:
    for text in (pair.key, *pair.tokens.source, *pair.tokens.target):
        if UNSTORABLE.search(text):
            raise FileProblem(
                f"{quoted(text)} holds a NUL or half of a surrogate pair.",
                "Remove the character.",
                line=pair.line,
                file=filename,
            )
    with located(pair.line, file=filename):
        check_tokens(pair.tokens.source)
        check_tokens(pair.tokens.target)


def items_by_key(batch: Batch) -> dict[str, Item]:
    """The items of an imported batch by the id that their pair has in the file."""
    items = batch.items.select_related("pair__cluster", "pair__sentence_a", "pair__sentence_b")
    return {item.pair.cluster.key.removeprefix(f"{batch.name}/"): item for item in items}


def starts(tokens: Sequence[str]) -> list[int]:
    """The offsets, in code points, of tokens that are joined by single spaces."""
    offsets, position = [], 0
    for token in tokens:
        offsets.append(position)
        position += len(token) + 1
    return offsets


def _sentence(tokens: Sequence[str]) -> GivenSentence:
    return GivenSentence(" ".join(tokens), tokens, starts(tokens))


ROWS_AT_ONCE = 1_000


def submit_imported(
    batch: Batch, user: User, pairs: Sequence[LinkedPair], items: Sequence[Item], *, filename: str
) -> bool:
    """Store the links of `pairs` as submitted for `items` by the user; whether anything was new.

    Raises PublicError, naming the line, where the user has other links already.
    """
    linked = {item.pk: rows_from_links(pair.links) for item, pair in zip(items, pairs, strict=True)}
    lines = {item.pk: pair.line for item, pair in zip(items, pairs, strict=True)}
    known = {assignment.item_id: assignment for assignment in _assignments(batch, user)}
    for pk, assignment in known.items():
        first = assignment.answers.first()
        if pk in linked and (first is None or _without_origin(first.body["links"]) != linked[pk]):
            raise PublicError(
                f"{filename}, line {lines[pk]}: {user.username} has other links for pair "
                f"{assignment.item.number} of {batch.name} already; what people have linked is never "
                "replaced. Leave the pair out, or name another batch.",
                field="annotator",
            )
    new = [item for item in items if item.pk not in known]
    if not new:
        return False
    now = timezone.now()
    assignments = Assignment.objects.bulk_create(
        [
            Assignment(
                item=item,
                annotator=user,
                position=position,
                state=AssignmentState.DONE,
                version=1,
                answered_at=now,
            )
            for position, item in enumerate(new, start=len(known) + 1)
        ],
        batch_size=ROWS_AT_ONCE,
    )
    alignments = Alignment.objects.bulk_create(
        [Alignment(assignment=assignment) for assignment in assignments], batch_size=ROWS_AT_ONCE
    )
    WordLink.objects.bulk_create(
        [
            WordLink(alignment=alignment, a=a, b=b, strength=strength, origin=Origin.IMPORTED)
            for alignment in alignments
            for a, b, strength in linked[alignment.assignment.item_id]
        ],
        batch_size=ROWS_AT_ONCE,
    )
    keep_imported_answers([(one, _body(linked[one.item_id])) for one in assignments])
    refresh_statistics(Assignment, Alignment, WordLink, Answer)
    people = Assignment.objects.filter(item__batch=batch).values("annotator").distinct()
    batch.overlap = people.count()
    batch.save(update_fields=["overlap"])
    return True


def _assignments(batch: Batch, user: User) -> Any:
    mine = Assignment.objects.of(user).filter(item__batch=batch)
    return mine.select_related("item").prefetch_related("answers")


def _without_origin(links: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [list(link[:3]) for link in links]


def _body(links: Sequence[Sequence[Any]]) -> dict[str, Any]:
    return {
        "links": [[*link, Origin.IMPORTED.value] for link in links],
        "null_a": [],
        "null_b": [],
        "submitted": True,
        "skipped": False,
        "flagged": False,
        "comment": "",
    }


RULE = "imported"


def freeze_imported(
    batch: Batch,
    pairs: Sequence[LinkedPair],
    items: Sequence[Item],
    *,
    by: User | None,
    filename: str,
    sha256: str,
) -> tuple[GoldAlignmentSet, bool]:
    """The gold alignment set of these links, named as the batch, and whether it is new.

    Links that are gold of the batch already stay as they are; other ones become the next version.
    """
    linked = {item.pk: rows_from_links(pair.links) for item, pair in zip(items, pairs, strict=True)}
    for known in batch.gold_alignment_sets.filter(rule=RULE):
        if dict(known.alignments.values_list("item", "links")) == linked:
            return known, False
    gold_set = GoldAlignmentSet.objects.create(
        project=batch.project,
        name=batch.name,
        version=next_version(batch.project.gold_alignment_sets, batch.name),
        batch=batch,
        rule=RULE,
        agreement={"measure": "1 - average directional AER", "value": None, "pairs": 0},
        counts={
            "items": batch.items.count(),
            "not_linked_by_all": batch.items.count() - len(linked),
            "pairs": len(linked),
            "sure": sum(len(pair.links.sure) for pair in pairs),
            "possible_only": sum(len(pair.links.possible_only) for pair in pairs),
        },
        lineage={
            "batch": batch.name,
            "pairs": pairs_of(batch),
            "links": {"file": filename, "sha256": sha256},
        },
        signature=f"gold-links|rule:{RULE}|batch:{batch.name}|pairs:{len(linked)}|file:{sha256[:16]}",
        created_by=by,
    )
    GoldAlignment.objects.bulk_create(
        [GoldAlignment(gold_set=gold_set, item=item, links=linked[item.pk], versions=[]) for item in items],
        batch_size=ROWS_AT_ONCE,
    )
    return gold_set, True
