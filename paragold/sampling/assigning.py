"""Who judges which item."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TypeVar

from paragold.sampling.sampling import pseudo_random

AnnotatorT = TypeVar("AnnotatorT", int, str)

SIGNATURE = "assign|version:1|least-loaded,least-met"


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
    who have met the others least often are taken, so all pairs of annotators come to share items; what
    is still equal is settled by the seed. The order in which the annotators are given does not matter.
    `quotas` is how many items an annotator gets at most; whoever is not named has no limit. Where only
    just enough room is left, those with most of it go before the least loaded.
    Raises ValueError when the quotas do not reach, for a negative count, an annotator named twice, or an
    overlap that is under 1 or over the number of annotators.
    """
    people = sorted(annotators)
    if item_count < 0:
        raise ValueError(f"{item_count} items")
    if len(set(people)) != len(people):
        raise ValueError("an annotator is named twice")
    if not 1 <= overlap <= len(people):
        raise ValueError(
            f"an overlap of {overlap} with {len(people)} annotators; "
            "each item needs at least 1, and no more than there are"
        )
    room = {person: min(item_count, (quotas or {}).get(person, item_count)) for person in people}
    if sum(room.values()) < item_count * overlap:
        raise ValueError(
            f"the quotas allow {sum(room.values())} answers; {item_count} items with an overlap of {overlap} "
            f"need {item_count * overlap}"
        )
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
