"""How the pairs of a gold export are dealt to splits, worked out from all of them before any is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from paragold.formats.pairs.splits import Division, PairGroups, Splits

from .gold_chosen import Chosen
from .gold_files import clusters_of


def divide_gold(batches: Iterable[Chosen], splits: Splits) -> Division:
    """Each pair counts once, whether it is judged, linked or both."""
    groups = PairGroups()
    seen: set[str] = set()
    for chosen in batches:
        for linked in chosen.linked:
            tokens = linked.pair.tokens
            _add(groups, seen, linked.pair.key, (tokens.source, tokens.target))
        for judged in chosen.judged:
            _add(groups, seen, judged.key, (judged.a.tokens, judged.b.tokens))
    return groups.divide(splits)


def _add(groups: PairGroups, seen: set[str], key: str, sides: Sequence[Sequence[str]]) -> None:
    if key in seen:
        return
    seen.add(key)
    clusters = clusters_of(key)
    for cluster, tokens in zip(clusters, sides, strict=True):
        groups.add_sentence(cluster, " ".join(tokens))
    groups.add_pair(*clusters)
