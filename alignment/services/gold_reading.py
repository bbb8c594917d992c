"""The pairs of gold with all that was said about them, some at once, and how they are dealt to splits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from alignment.models import GoldAlignmentSet
from annotation.models import GoldSet
from paragold.formats.judgements import gold_jsonl
from paragold.formats.judgements.gold_jsonl import GoldPair
from paragold.formats.pairs.splits import Division, PairGroups, Splits

from .gold_files import clusters_of
from .gold_links import PairLinks, batches_with_versions, judgement_settled, key_of, links_settled

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


@dataclass(frozen=True, slots=True)
class Chosen:
    """Some pairs, either linked or judged, of `read` that were looked at; the others are not approved."""

    linked: Sequence[PairLinks]
    judged: Sequence[GoldPair]
    read: int

    @property
    def left_out(self) -> int:
        return self.read - len(self.linked) - len(self.judged)


def chosen_pairs(
    gold_set: GoldSet | None, gold_links: GoldAlignmentSet | None, *, strengths: str, approved_only: bool
) -> Iterator[Chosen]:
    """Raises PublicError for unknown strengths."""
    if gold_links is not None:
        for links in batches_with_versions(gold_links, strengths):
            linked = [one for one in links if links_settled(one)] if approved_only else links
            yield Chosen(linked, [], len(links))
    if gold_set is not None:
        for pairs in judged_batches(gold_set):
            judged = [pair for pair in pairs if judgement_settled(pair)] if approved_only else pairs
            yield Chosen([], judged, len(pairs))


def divide_gold(batches: Iterable[Chosen], splits: Splits) -> Division:
    """Each pair counts once, whether it is judged, linked or both."""
    groups = PairGroups()
    seen: set[str] = set()
    for chosen in batches:
        for linked in chosen.linked:
            tokens = linked.pair.tokens
            _add_once(groups, seen, linked.pair.key, (tokens.source, tokens.target))
        for judged in chosen.judged:
            _add_once(groups, seen, judged.key, (judged.a.tokens, judged.b.tokens))
    return groups.divide(splits)


def _add_once(groups: PairGroups, seen: set[str], key: str, sides: Sequence[Sequence[str]]) -> None:
    if key in seen:
        return
    seen.add(key)
    clusters = clusters_of(key)
    for cluster, tokens in zip(clusters, sides, strict=True):
        groups.add_sentence(cluster, " ".join(tokens))
    groups.add_pair(*clusters)
