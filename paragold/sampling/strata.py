"""Draws that see to it that every method, score or cluster is represented."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from paragold.sampling.sampling import pseudo_random

KeyT = TypeVar("KeyT", int, str)

SIGNATURE = "strata|version:1|proportional:largest-remainder,equal:levelled"
ALLOCATIONS = ("proportional", "equal")
# The lowest edit distance of each bin but the first, at the limits that the presets of the papers use.
DISTANCE_BINS = (5, 9, 13, 21)


def distance_bin(distance: int, starts: Sequence[int] = DISTANCE_BINS) -> str:
    """The name of the bin that a word edit distance falls into: "0-4", "5-8", ..., "21+"."""
    lows = (0, *starts)
    number = sum(distance >= low for low in starts)
    return f"{lows[number]}-{lows[number + 1] - 1}" if number < len(starts) else f"{lows[number]}+"


def allocate(sizes: Mapping[str, int], wanted: int, how: str) -> dict[str, int]:
    """How many of `wanted` to draw from each stratum, never more than its size.

    "proportional": by the sizes, what is left over going to the largest remainders. "equal": as evenly as
    the sizes allow; what small strata lack comes from the larger ones.
    Raises ValueError for another `how`, or when more is wanted than there is.
    """
    total = sum(sizes.values())
    if how not in ALLOCATIONS:
        raise ValueError(f"allocation {how!r}; there are: {', '.join(ALLOCATIONS)}")
    if not 0 <= wanted <= total:
        raise ValueError(f"{wanted} asked for, but there are {total} to draw from; ask for 0 to {total}")
    if how == "equal":
        shares = {}
        left = wanted
        for place, name in enumerate(sorted(sizes, key=lambda name: (sizes[name], name))):
            shares[name] = min(sizes[name], left // (len(sizes) - place))
            left -= shares[name]
        return shares
    shares = {name: wanted * size // total for name, size in sizes.items()} if total else dict(sizes)
    rests = sorted(sizes, key=lambda name: (-(wanted * sizes[name] % max(1, total)), name))
    for name in rests[: wanted - sum(shares.values())]:
        shares[name] += 1
    return shares


def in_random_order(keys: Iterable[KeyT], *, seed: int) -> list[KeyT]:
    """The keys in the order in which `sample` of that seed draws them."""
    return sorted(keys, key=lambda key: (pseudo_random(seed, key), key))


def sample_strata(
    strata: Mapping[KeyT, str], size: int, *, seed: int, allocation: str = "proportional"
) -> list[KeyT]:
    """`size` of the keys of `strata` (key -> its stratum), drawn at random within each stratum.

    The order is that of one draw over all, so that a place tells nothing about the stratum. Raises
    ValueError as `allocate` does.
    """
    shares = allocate(Counter(strata.values()), size, allocation)
    drawn = []
    for key in in_random_order(strata, seed=seed):
        if shares[strata[key]]:
            shares[strata[key]] -= 1
            drawn.append(key)
    return drawn


def at_most(groups: Mapping[KeyT, str], most: int, *, seed: int) -> list[KeyT]:
    """Of the keys of `groups` (key -> its group), at most `most` of each group, at random, in random order.

    Raises ValueError when `most` is under 1.
    """
    if most < 1:
        raise ValueError(f"at most {most} of each group; ask for 1 or more")
    taken: Counter[str] = Counter()
    kept = []
    for key in in_random_order(groups, seed=seed):
        taken[groups[key]] += 1
        if taken[groups[key]] <= most:
            kept.append(key)
    return kept
