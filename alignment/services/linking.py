"""Saving an annotator's word links, whole link set at a time."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any, Literal

from django.contrib.auth.models import User
from django.utils.translation import gettext

from alignment.models import Alignment, Origin, Strength, SuggestedLinks, WordLink
from annotation.models import Assignment, BatchKind
from annotation.services.answers import check_undecided, record_answer
from paragold.metrics.links import Link
from projects.errors import PublicError

from .batches import current_row
from .second_pass import Content, revised_links


def save_alignment(
    *,
    assignment: Assignment,
    by: User,
    key: uuid.UUID,
    version: int,
    links: Sequence[Sequence[Any]],
    null_a: Sequence[int] = (),
    null_b: Sequence[int] = (),
    submitted: bool = False,
    skipped: bool = False,
    offered: int | Literal["current"] | None = "current",
    flagged: bool = False,
    comment: str = "",
    milliseconds: int = 0,
    describe: Callable[[Assignment], dict[str, Any]],
) -> dict[str, Any]:
    """Store a link set, as a draft or submitted; see `record_answer`.

    `links` are [a, b, strength, origin]; a and b are token indices from 0 in the pair's first and second
    sentence. Raises PublicError for an index outside its sentence, a link given twice, a strength or
    origin that does not exist, a word that is linked and marked as having no counterpart, or a link of
    origin "imported" that was never imported for this assignment: those may be kept, not made.

    `offered` is the id of the suggestions that the annotator was shown, None for none; it is recorded with
    the first answer. Raises PublicError for suggestions of another pair.
    """
    if assignment.item.batch.kind != BatchKind.LINK:
        raise PublicError("This item is for judging, not for linking words.")
    if skipped and submitted:
        raise PublicError("A pair is either skipped or submitted: send only one of the two.")
    pair = assignment.item.pair
    rows = checked_links(
        links,
        null_a,
        null_b,
        length_a=len(pair.sentence_a.token_list),
        length_b=len(pair.sentence_b.token_list),
    )
    _check_imported(assignment, rows)
    if isinstance(offered, int) and not assignment.item.suggested_links.filter(pk=offered).exists():
        raise PublicError("%(offered)s is no suggestion for this pair.", field="offered", offered=offered)
    unlinked = {"null_a": sorted(set(null_a)), "null_b": sorted(set(null_b))}

    def apply(stored: Assignment, second_pass: bool) -> None:
        check_undecided(stored.item_id, "pair")
        content = {"links": rows, **unlinked}
        if second_pass:
            content = revised_links(stored, content, submitted=submitted, skipped=skipped)
        _store(stored, content, offered)

    return record_answer(
        assignment=assignment,
        by=by,
        key=key,
        version=version,
        done=submitted,
        skipped=skipped,
        flagged=flagged,
        comment=comment,
        milliseconds=milliseconds,
        content={"links": rows, **unlinked, "submitted": submitted},
        apply=apply,
        describe=describe,
    )


def _store(assignment: Assignment, content: Content, offered: int | Literal["current"] | None) -> None:
    """Put links in place of earlier ones; what was offered stays what it was from the beginning."""
    unlinked = {name: content[name] for name in ("null_a", "null_b")}
    alignment = Alignment.objects.filter(assignment=assignment).first()
    if alignment is None:
        row = current_row(assignment.item)
        shown = (row.pk if row else None) if offered == "current" else offered
        alignment = Alignment.objects.create(assignment=assignment, offered_id=shown, **unlinked)
    else:
        Alignment.objects.filter(pk=alignment.pk).update(**unlinked)
    rows = [(a, b, strength, origin) for a, b, strength, origin in content["links"]]
    suggested = _suggested_by(alignment, rows)
    alignment.links.all().delete()
    WordLink.objects.bulk_create(
        WordLink(alignment=alignment, a=a, b=b, strength=s, origin=o, suggested_by_id=suggested.get((a, b)))
        for a, b, s, o in rows
    )


def checked_links(
    links: Sequence[Sequence[Any]],
    null_a: Sequence[int],
    null_b: Sequence[int],
    *,
    length_a: int,
    length_b: int,
) -> list[tuple[int, int, str, str]]:
    """The links, sorted, after every check that `save_alignment` promises."""
    rows: dict[tuple[int, int], tuple[int, int, str, str]] = {}
    for link in links:
        if len(link) != 4:
            raise PublicError("A link is [a, b, strength, origin], not %(link)r.", link=list(link))
        a, b, strength, origin = link
        _check_index(a, length_a, gettext("first"))
        _check_index(b, length_b, gettext("second"))
        if strength not in Strength.values:
            raise PublicError(
                "Link %(a)s-%(b)s: the strength is sure or possible, not %(strength)r.",
                a=a,
                b=b,
                strength=strength,
            )
        if origin not in Origin.values:
            raise PublicError(
                "Link %(a)s-%(b)s: the origin is %(choices)s, not %(origin)r.",
                a=a,
                b=b,
                choices=", ".join(Origin.values),
                origin=origin,
            )
        if (a, b) in rows:
            raise PublicError("Link %(a)s-%(b)s is given twice.", a=a, b=b)
        rows[a, b] = (a, b, strength, origin)
    for side, (indices, length, sentence) in enumerate(
        ((null_a, length_a, gettext("first")), (null_b, length_b, gettext("second")))
    ):
        linked = {link[side] for link in rows}
        for index in indices:
            _check_index(index, length, sentence)
            if index in linked:
                raise PublicError(
                    "Word %(index)s of the %(sentence)s sentence is linked and marked as without "
                    "counterpart.",
                    index=index,
                    sentence=sentence,
                )
    return [rows[key] for key in sorted(rows)]


def _suggested_by(alignment: Alignment, rows: Sequence[tuple[int, int, str, str]]) -> dict[Link, int]:
    """By accepted link, the suggestions it comes from: those known already, else the newest with it."""
    accepted = {(a, b) for a, b, _, origin in rows if origin == Origin.ACCEPTED}
    if not accepted:
        return {}
    sources: dict[Link, int] = {}
    for suggested in SuggestedLinks.objects.filter(item=alignment.assignment.item_id):
        sources |= dict.fromkeys(accepted & {(a, b) for a, b in suggested.links}, suggested.pk)
    known = alignment.links.filter(suggested_by__isnull=False).values_list("a", "b", "suggested_by")
    return sources | {(a, b): pk for a, b, pk in known if (a, b) in accepted}


def _check_imported(assignment: Assignment, rows: Sequence[tuple[int, int, str, str]]) -> None:
    """Every answer of the past counts: a link that was taken away may come back by undo."""
    claimed = {(a, b) for a, b, _, origin in rows if origin == Origin.IMPORTED}
    if not claimed:
        return
    imported = {
        (a, b)
        for answer in assignment.answers.all()
        for a, b, _, origin in answer.body["links"]
        if origin == Origin.IMPORTED
    }
    for a, b in sorted(claimed - imported):
        raise PublicError("Link %(a)s-%(b)s: the origin must be drawn or accepted, not imported.", a=a, b=b)


def _check_index(index: object, length: int, sentence: str) -> None:
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < length:
        raise PublicError(
            "%(index)r is not a word of the %(sentence)s sentence, which has %(length)s (from 0).",
            index=index,
            sentence=sentence,
            length=length,
        )
