"""The pairs of a gold set with all that was said about them, some at once, in the order of the batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotation.models import GoldSet
from paragold.formats.judgements import gold_jsonl

from .gold_links import key_of

ROWS_AT_ONCE = 2_000
_ORDER = ("item__batch_id", "item__number", "pk")
_SENTENCE = ("article__cluster__key", "article__key", "number", "text", "tokens", "starts")
_SIDES = tuple(f"item__pair__sentence_{side}__{field}" for side in "ab" for field in _SENTENCE)
_FIELDS = ("item__pair__cluster__key", "label", "votes", "adjudication", *_SIDES)


def judged_batches(gold_set: GoldSet) -> Iterator[list[gold_jsonl.GoldPair]]:
    """Each batch is a query of its own: on SQLite none may be open while progress is written."""
    ids = list(gold_set.judgements.order_by(*_ORDER).values_list("pk", flat=True))
    rows = gold_set.judgements.order_by(*_ORDER).values_list(*_FIELDS)
    for start in range(0, len(ids), ROWS_AT_ONCE):
        some = rows.filter(pk__in=ids[start : start + ROWS_AT_ONCE])
        yield [_pair(*row) for row in some]


def _pair(
    cluster: str,
    label: str,
    votes: list[dict[str, Any]],
    adjudication: dict[str, Any] | None,
    *sides: Any,
) -> gold_jsonl.GoldPair:
    a, b = sides[: len(_SENTENCE)], sides[len(_SENTENCE) :]
    return gold_jsonl.GoldPair(
        key=f"{key_of(*a[:3])}|{key_of(*b[:3])}",
        cluster=cluster,
        label=label,
        a=_sentence(*a),
        b=_sentence(*b),
        judgements=tuple(_judgement(vote) for vote in votes if vote["at"]),
        adjudication=_adjudication(adjudication),
    )


def _sentence(
    cluster: str, article: str, number: int, text: str, tokens: str, starts: list[int]
) -> gold_jsonl.GoldSentence:
    return gold_jsonl.GoldSentence(
        article=article, sentence=number, text=text, tokens=tuple(tokens.split(" ")), starts=tuple(starts)
    )


def _judgement(vote: dict[str, Any]) -> gold_jsonl.GoldJudgement:
    return gold_jsonl.GoldJudgement(
        annotator=vote["annotator"],
        label=vote["label"],
        time=vote["at"],
        comment=vote["comment"],
        flagged=vote["flagged"],
        skipped=vote["skipped"],
    )


def _adjudication(decision: dict[str, Any] | None) -> gold_jsonl.Adjudication | None:
    if decision is None:
        return None
    return gold_jsonl.Adjudication(
        adjudicator=decision["adjudicator"],
        label=decision["label"],
        time=decision["at"],
        comment=decision["comment"],
    )
