"""Which pairs people are asked about."""

from collections.abc import Iterable
from hashlib import blake2b
from typing import TypeVar

KeyT = TypeVar("KeyT", int, str)

SIGNATURE = "sample|version:1|blake2b-64-order"


def sample(keys: Iterable[KeyT], size: int, *, seed: int) -> list[KeyT]:
    """`size` of the keys, drawn at random without replacement, in the order of the draw.

    Every key gets a pseudo-random number from BLAKE2b of seed and key, and the smallest are drawn: the
    answer depends on seed and keys alone, not on their order, the platform or a library's version, and
    a larger sample begins with the smaller one of the same seed.
    Raises ValueError for a negative size, more than there are keys, or a key that occurs twice.
    """
    pool = list(keys)
    if len(set(pool)) != len(pool):
        raise ValueError("a key occurs twice among those to draw from")
    if not 0 <= size <= len(pool):
        raise ValueError(
            f"{size} asked for, but there are {len(pool)} to draw from; ask for 0 to {len(pool)}"
        )
    return sorted(pool, key=lambda key: (pseudo_random(seed, key), key))[:size]


def pseudo_random(seed: int, *parts: int | str) -> int:
    """A number from 0 to 2**64 - 1 that depends on the seed and the parts alone."""
    # Each part carries its length, so that different parts never run together into the same text.
    text = "".join(f"{len(part)}:{part}" for part in (str(seed), *map(str, parts)))
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
