"""Active learning: the pairs a classifier is least sure of, no two alike, and a random part kept apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from paragold.sampling.sampling import pseudo_random
from paragold.sampling.strata import in_random_order

KeyT = TypeVar("KeyT", int, str)

SIGNATURE = "active|version:1|uncertainty:|p-0.5|,diversity:clusters-in-turn,audit:uniform"
AUDIT, UNCERTAIN = "audit", "uncertain"


@dataclass(frozen=True, slots=True)
class Scored(Generic[KeyT]):
    """A pair that may be drawn: its probability, 0 to 1, its cluster and its two sentences."""

    key: KeyT
    probability: float
    cluster: str
    sentences: tuple[int, int]

    @property
    def certainty(self) -> float:
        """0 where either label is as probable as the other, 0.5 where one is certain."""
        return abs(self.probability - 0.5)


def audit_size(size: int, percent: int) -> int:
    """How many of `size` pairs are kept apart, rounded up."""
    return -(-size * percent // 100)


def choose(pool: Mapping[KeyT, Scored[KeyT]], size: int, *, audit: int, seed: int) -> dict[KeyT, str]:
    """`size` keys of the pool, each with its stratum: AUDIT or UNCERTAIN.

    `audit` percent are drawn first, at random from the whole pool, so that they are a fair sample of it.
    The others are the least certain ones, clusters taking turns: each gives its least certain pair, then
    its next, in which sentences that were given before come last. Raises ValueError when the pool is too
    small or `audit` is not from 1 to 100.
    """
    if not 1 <= audit <= 100:
        raise ValueError(f"audit: {audit} percent; ask for 1 to 100")
    if not 0 <= size <= len(pool):
        raise ValueError(f"{size} asked for, but there are {len(pool)} to draw from")
    apart = in_random_order(pool, seed=seed)[: audit_size(size, audit)]
    chosen = dict.fromkeys(apart, AUDIT)
    by_cluster: dict[str, list[Scored[KeyT]]] = defaultdict(list)
    for key, scored in pool.items():
        if key not in chosen:
            by_cluster[scored.cluster].append(scored)
    turns = [
        (turn, scored.certainty, pseudo_random(seed, scored.key), scored.key)
        for members in by_cluster.values()
        for turn, scored in enumerate(_in_turn(members, seed))
    ]
    turns.sort()
    for *_, key in turns[: size - len(chosen)]:
        chosen[key] = UNCERTAIN
    return chosen


def _in_turn(members: list[Scored[KeyT]], seed: int) -> list[Scored[KeyT]]:
    """A cluster's pairs, the least certain first, with sentences of earlier ones after all others."""
    members = sorted(members, key=lambda one: (one.certainty, pseudo_random(seed, one.key)))
    seen: set[int] = set()
    fresh: list[Scored[KeyT]] = []
    repeated: list[Scored[KeyT]] = []
    for scored in members:
        (repeated if seen & set(scored.sentences) else fresh).append(scored)
        seen.update(scored.sentences)
    return fresh + repeated
