"""Drawing pairs to be judged, and assigning items to annotators.

Pairs are drawn at random, by strata, by a classifier's uncertainty, or of all sentence pairs.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import accumulate, combinations
from typing import TypeVar

KeyT = TypeVar("KeyT", int, str)

SIGNATURE = "sample|version:1|blake2b-64-order"


def sample(keys: Iterable[KeyT], size: int, *, seed: int) -> list[KeyT]:
    """`size` of the keys, drawn at random without replacement, in the order of the draw.

    Every key gets a pseudo-random number from BLAKE2b of seed and key, and the smallest are drawn: the
    result depends on seed and keys alone, not on their order, the platform or a library's version, and
    a larger sample begins with the smaller one of the same seed.

    Raises
    ------
    ValueError
        A size below 0 or above the number of keys, or a key that occurs twice.
    """
    pool = list(keys)
    if len(set(pool)) != len(pool):
        raise ValueError("a key occurs twice in the list to draw from")
    if not 0 <= size <= len(pool):
        raise ValueError(f"{size} requested, but only {len(pool)} are available; request 0 to {len(pool)}")
    return in_random_order(pool, seed=seed)[:size]


def pseudo_random(seed: int, *parts: int | str) -> int:
    """A number from 0 to 2**64 - 1 that depends on the seed and the parts alone."""
    # Each part carries its length, so that different parts never run together into the same text.
    text = "".join(f"{len(part)}:{part}" for part in (str(seed), *map(str, parts)))
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


STRATA_SIGNATURE = "strata|version:1|proportional:largest-remainder,equal:levelled"
ALLOCATIONS = ("proportional", "equal")
# The lowest edit distance of each bin but the first, at the limits that the presets of the papers use.
DISTANCE_BINS = (5, 9, 13, 21)


def distance_bin(distance: int) -> str:
    """The name of the bin that a word edit distance falls into: "0-4", "5-8", ..., "21+"."""
    lows = (0, *DISTANCE_BINS)
    number = sum(distance >= low for low in DISTANCE_BINS)
    return f"{lows[number]}-{lows[number + 1] - 1}" if number < len(DISTANCE_BINS) else f"{lows[number]}+"


def score_bin(score: float) -> str:
    """The name of the tenth that a score of 0 to 1 falls into: "0.0-0.1", ..., "0.9-1.0"."""
    tenth = min(9, int(score * 10))
    return f"{tenth / 10:.1f}-{(tenth + 1) / 10:.1f}"


def allocate(sizes: Mapping[str, int], number: int, how: str) -> dict[str, int]:
    """The number to draw from each stratum, `number` in all, never more than its size.

    "proportional": by the sizes, what is left over going to the largest remainders. "equal": as evenly as
    the sizes allow; what small strata lack comes from the larger ones.
    Raises ValueError for another `how`, or when the strata hold fewer.
    """
    total = sum(sizes.values())
    if how not in ALLOCATIONS:
        raise ValueError(f"allocation {how!r}; available: {', '.join(ALLOCATIONS)}")
    if not 0 <= number <= total:
        raise ValueError(f"{number} requested, but only {total} are available; request 0 to {total}")
    if how == "equal":
        shares = {}
        left = number
        for place, name in enumerate(sorted(sizes, key=lambda name: (sizes[name], name))):
            shares[name] = min(sizes[name], left // (len(sizes) - place))
            left -= shares[name]
        return shares
    shares = {name: number * size // total for name, size in sizes.items()} if total else dict(sizes)
    rests = sorted(sizes, key=lambda name: (-(number * sizes[name] % max(1, total)), name))
    for name in rests[: number - sum(shares.values())]:
        shares[name] += 1
    return shares


def in_random_order(keys: Iterable[KeyT], *, seed: int) -> list[KeyT]:
    """The keys in the order in which `sample` of that seed draws them."""
    return sorted(keys, key=lambda key: (pseudo_random(seed, key), key))


def sample_strata(
    strata: Mapping[KeyT, str], size: int, *, seed: int, allocation: str = "proportional"
) -> list[KeyT]:
    """`size` of the keys of `strata` (key -> its stratum), drawn at random within each stratum.

    The order is that of one draw over all strata, so a place does not reveal the stratum. Raises ValueError
    as `allocate` does.
    """
    shares = allocate(Counter(strata.values()), size, allocation)
    drawn = []
    for key in in_random_order(strata, seed=seed):
        if shares[strata[key]]:
            shares[strata[key]] -= 1
            drawn.append(key)
    return drawn


def limited_per_group(groups: Mapping[KeyT, str], maximum: int, *, seed: int) -> list[KeyT]:
    """At most `maximum` keys of each group, drawn at random, in random order; `groups`: key -> its group.

    Raises ValueError when `maximum` is under 1.
    """
    if maximum < 1:
        raise ValueError(f"at most {maximum} of each group; request 1 or more")
    taken: Counter[str] = Counter()
    chosen = []
    for key in in_random_order(groups, seed=seed):
        taken[groups[key]] += 1
        if taken[groups[key]] <= maximum:
            chosen.append(key)
    return chosen


ACTIVE_SIGNATURE = "active|version:1|uncertainty:|p-0.5|,diversity:clusters-in-turn,audit:uniform"
AUDIT, UNCERTAIN = "audit", "uncertain"


Scored = tuple[float, str, tuple[int, int]]
"""A pair that may be drawn: its probability, 0 to 1, its cluster and its two sentences."""


def audit_size(size: int, percent: int) -> int:
    """The number of `size` pairs to set aside, rounded up."""
    return -(-size * percent // 100)


def choose(pool: Mapping[KeyT, Scored], size: int, *, audit: int, seed: int) -> dict[KeyT, str]:
    """`size` keys of the pool, each with its stratum: AUDIT or UNCERTAIN.

    `audit` percent are drawn first, at random from the whole pool, so that they are a fair sample of it.
    The others are the least certain ones, clusters taking turns: each gives its least certain pair, then
    its next, in which sentences that were given before come last. Raises ValueError when the pool is too
    small or `audit` is not from 1 to 100.
    """
    if not 1 <= audit <= 100:
        raise ValueError(f"audit: {audit} percent; request 1 to 100")
    if not 0 <= size <= len(pool):
        raise ValueError(f"{size} requested, but only {len(pool)} are available")
    apart = in_random_order(pool, seed=seed)[: audit_size(size, audit)]
    chosen = dict.fromkeys(apart, AUDIT)
    # Certainty: 0 where either label is as probable as the other, 0.5 where one is certain.
    by_certainty = sorted(
        (abs(probability - 0.5), pseudo_random(seed, key), key)
        for key, (probability, _, _) in pool.items()
        if key not in chosen
    )
    # A cluster's pairs, the least certain first, with sentences of earlier ones after all others.
    seen: defaultdict[str, set[int]] = defaultdict(set)
    fresh: defaultdict[str, list[tuple[float, int, KeyT]]] = defaultdict(list)
    repeated: defaultdict[str, list[tuple[float, int, KeyT]]] = defaultdict(list)
    for certainty, number, key in by_certainty:
        _, cluster, sentences = pool[key]
        turns = fresh if seen[cluster].isdisjoint(sentences) else repeated
        turns[cluster].append((certainty, number, key))
        seen[cluster].update(sentences)
    queue = sorted(
        (turn, certainty, number, key)
        for cluster in seen
        for turn, (certainty, number, key) in enumerate(fresh[cluster] + repeated[cluster])
    )
    for *_, key in queue[: size - len(chosen)]:
        chosen[key] = UNCERTAIN
    return chosen


SENTENCE_PAIRS_SIGNATURE = "sentence-pairs|version:1|feistel-4"
ROUNDS = 4


Place = tuple[int, int]
"""A sentence: the index of its article in the cluster, its index in the article, both from 0."""


def pair_count(sizes: Sequence[int]) -> int:
    """The number of pairs of sentences of different articles; `sizes` are sentences an article."""
    total = sum(sizes)
    return (total * total - sum(size * size for size in sizes)) // 2


def pair_at(sizes: Sequence[int], rank: int) -> tuple[Place, Place]:
    """The pair of that rank, 0 to `pair_count(sizes)` - 1, the earlier article first.

    Raises IndexError for another rank.
    """
    if rank < 0:
        raise IndexError(rank)
    behind = sum(sizes)
    for article, size in enumerate(sizes):
        behind -= size
        if rank < size * behind:
            sentence, other = divmod(rank, behind)
            for later in range(article + 1, len(sizes)):
                if other < sizes[later]:
                    return (article, sentence), (later, other)
                other -= sizes[later]
        rank -= size * behind
    raise IndexError(rank)


def permuted(count: int, *, seed: int) -> Iterator[int]:
    """0 to `count` - 1, each once, in a pseudo-random order, without holding them in memory.

    A Feistel network over the next even number of bits is a permutation; what it puts past the end is
    sent through again (Black & Rogaway 2002, section 5: cycle walking).
    """
    half = max(1, (max(1, count - 1).bit_length() + 1) // 2)
    mask = (1 << half) - 1

    def shuffled(number: int) -> int:
        left, right = number >> half, number & mask
        for turn in range(ROUNDS):
            left, right = right, left ^ (pseudo_random(seed, turn, right) & mask)
        return left << half | right

    for number in range(count):
        target = shuffled(number)
        while target >= count:
            target = shuffled(target)
        yield target


def random_pairs(clusters: Mapping[str, Sequence[int]], *, seed: int) -> Iterator[tuple[str, Place, Place]]:
    """Every pair of sentences of different articles once, in an order that depends on seed and keys alone.

    `clusters` gives the sentences of each article, by the cluster's key. The first n are a random sample.
    """
    keys = sorted(clusters)
    ends = list(accumulate(pair_count(clusters[key]) for key in keys))
    for rank in permuted(ends[-1] if ends else 0, seed=seed):
        place = bisect_right(ends, rank)
        start = ends[place - 1] if place else 0
        yield keys[place], *pair_at(clusters[keys[place]], rank - start)


AnnotatorT = TypeVar("AnnotatorT", int, str)


def assign(
    item_count: int,
    annotators: Sequence[AnnotatorT],
    overlap: int,
    *,
    seed: int,
    quotas: Mapping[AnnotatorT, int] | None = None,
) -> list[tuple[AnnotatorT, ...]]:
    """For each item, in order, the `overlap` different annotators it goes to, sorted.

    After every item the loads of any two annotators differ by at most 1. Among the least loaded, those
    who have shared items least often are taken, so that all pairs of annotators come to share items; ties
    are broken by the seed. The order of the annotators does not matter. Where only just enough room is left,
    those with most of it go before the least loaded.

    Parameters
    ----------
    item_count, overlap : int
        The number of items, and of annotators for each.
    quotas : mapping, optional
        The maximum number of items of an annotator; without an entry there is no limit.

    Raises
    ------
    ValueError
        The quotas do not suffice, the count is negative, an annotator is named twice, or the overlap is
        under 1 or over the number of annotators.
    """
    people = sorted(annotators)
    if item_count < 0:
        raise ValueError(f"{item_count} items")
    if len(set(people)) != len(people):
        raise ValueError("an annotator is named twice")
    if not 1 <= overlap <= len(people):
        raise ValueError(
            f"an overlap of {overlap} with {len(people)} annotators; choose an overlap from 1 to the "
            "number of annotators"
        )
    room = {person: min(item_count, (quotas or {}).get(person, item_count)) for person in people}
    if sum(room.values()) < item_count * overlap:
        raise ValueError(
            f"the quotas allow {sum(room.values())} answers; {item_count} items with an overlap of {overlap} "
            f"need {item_count * overlap}"
        )
    if overlap == len(people):
        return [tuple(people)] * item_count
    load: Counter[AnnotatorT] = Counter()
    met: Counter[frozenset[AnnotatorT]] = Counter()
    assigned = []
    for item in range(item_count):
        chosen: list[AnnotatorT] = []
        remaining = item_count - item
        left = {person: room[person] - load[person] for person in people}
        # Whoever can take part in all that remains loses a place whether chosen or not; of the others, no
        # more may be chosen than leaves enough room for the rest.
        free = {person for person in people if left[person] >= remaining}
        spare = (
            sum(min(places, remaining) for places in left.values()) - (remaining - 1) * overlap - len(free)
        )
        while len(chosen) < overlap:
            *_, person = min(
                (
                    load[person],
                    sum(met[frozenset((person, other))] for other in chosen),
                    pseudo_random(seed, item, person),
                    person,
                )
                for person in people
                if person not in chosen and left[person] > 0 and (person in free or spare > 0)
            )
            chosen.append(person)
            spare -= person not in free
        load.update(chosen)
        met.update(map(frozenset, combinations(chosen, 2)))
        assigned.append(tuple(sorted(chosen)))
    return assigned
