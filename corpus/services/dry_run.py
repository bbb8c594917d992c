"""Dry run: the pairs of an extraction counted on a sample of clusters or on all; nothing is stored."""

from __future__ import annotations

import random
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import isfinite
from time import monotonic
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import Count, Max
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from corpus.models import Article, Sentence
from paragold.extraction.cluster import ClusterSearch, extract_cluster
from paragold.extraction.criteria import Criteria
from paragold.extraction.presets import Preset
from paragold.extraction.records import ClusterSentences
from paragold.statistics import Projection, projection
from projects.errors import PublicError
from projects.listings import grouped
from projects.models import Project

from .characteristics import cached_while
from .clusters import load_clusters, pairs_within, sizes_of_clusters
from .presets import check_method, criteria_from

SECONDS = 4.0
# A page that is opened shows a first estimate at once, and one whose form is changed soon.
AT_ONCE, SOON = 0.15, 1.0
EXAMPLES_A_BIN, BIN_WIDTH = 10, 5
CLUSTERS_AT_ONCE = 20
# Half as many again as the largest database of candidates in the literature: 13.1 million pairs in 2005.
ROW_CAP = 20_000_000
# A pair with its finding and their indexes, measured on 43,399 pairs of ECB+ (docs/extraction.md).
BYTES_A_PAIR = {"sqlite": 140, "postgresql": 320}


@dataclass(frozen=True, slots=True)
class Example:
    """Two sentences that would become a pair."""

    a: str
    b: str
    edit_distance: int
    shared_words: int


@dataclass(frozen=True, slots=True)
class ExampleBin:
    """Examples of pairs with an edit distance from `low` to `high` inclusive, of `pairs` in the sample."""

    low: int
    high: int
    pairs: int
    examples: list[Example]


@dataclass(frozen=True, slots=True)
class DryRun:
    """What an extraction with `criteria` finds in a sample of clusters, and in all of them.

    work: for each cluster of the sample its sentences squared; all_work: the sum over all clusters.
    distances: pairs of the sample by edit distance.
    seconds: the time that finding those took.
    """

    criteria: Criteria
    seed: int
    clusters: int
    all_work: int
    work: list[int]
    distances: dict[int, int]
    projection: Projection
    bins: list[ExampleBin]
    seconds: float

    @property
    def sampled(self) -> int:
        return len(self.work)

    @property
    def complete(self) -> bool:
        return self.sampled == self.clusters

    @property
    def found(self) -> int:
        return sum(self.distances.values())

    @property
    def bytes_a_pair(self) -> int:
        return BYTES_A_PAIR.get(connection.vendor, max(BYTES_A_PAIR.values()))

    @property
    def disk(self) -> float:
        """Bytes that the pairs would take in this database."""
        return self.projection[0] * self.bytes_a_pair

    @property
    def work_seconds(self) -> float:
        """Seconds that comparing all clusters would take on one core, storing left out."""
        done = sum(self.work)
        return self.seconds * self.all_work / done if done else 0.0


def dry_run(
    *,
    project: Project,
    criteria: Criteria,
    sample: int | None = None,
    seed: int = 1,
    seconds: float | None = None,
) -> DryRun:
    """Count what `criteria` would find in at most `sample` clusters (None: all), drawn by `seed`.

    No further cluster is begun after `seconds` (None: SECONDS), so at least one is looked at. Raises
    PublicError when there is nothing to pair.
    """
    check_method(criteria)
    sizes = sizes_of_clusters(project, criteria.clusters, criteria.min_articles)
    if not sizes:
        raise PublicError(nothing_to_pair(criteria))
    order = random.Random(seed).sample(list(sizes), min(sample or len(sizes), len(sizes)))  # noqa: S311 - a sample, no secret
    limit = SECONDS if seconds is None else seconds
    # The first cluster that a process compares may have to wait for the kernel to be compiled.
    warm_up = ClusterSentences.from_articles([[["a", "b"]], [["a", "c"]]])
    extract_cluster(warm_up, criteria)
    started, taken = monotonic(), 0.0
    by_cluster, work, ids = [], [], array("q")
    seen = set[bytes]()
    for cluster, sentences in _loaded(order):
        began = monotonic()
        # What an extraction does, so that both find the same pairs.
        pairs = _new_pairs(sentences, criteria, seen)
        taken += monotonic() - began
        for first, second in pairs[["first", "second"]].tolist():
            ids.extend((sentences.ids[first], sentences.ids[second]))
        by_cluster.append(pairs[["edit_distance", "shared_words"]])
        work.append(sizes[cluster] ** 2)
        if monotonic() - started > limit:
            break
    all_work = sum(size**2 for size in sizes.values())
    measured = np.concatenate(by_cluster)
    return DryRun(
        criteria=criteria,
        seed=seed,
        clusters=len(sizes),
        all_work=all_work,
        work=work,
        distances=dict(Counter(measured["edit_distance"].tolist())),
        projection=projection(list(map(len, by_cluster)), work, clusters=len(sizes), all_work=all_work),
        bins=_bins(measured, ids, random.Random(seed)),  # noqa: S311 - a sample, no secret
        seconds=taken,
    )


YIELD_SECONDS = 0.3


def yields(project: Project, presets: Iterable[Preset]) -> dict[str, list[int | None] | None]:
    """By preset the expected number of pairs with its 95 % interval; None where there is nothing to pair.

    They are counted on a few clusters, and again when articles have come or gone.
    """
    articles = Article.objects.filter(cluster__project=project).aggregate(n=Count("pk"), latest=Max("pk"))
    expected = {}
    for preset in presets:
        criteria = criteria_from(project, preset.name, None)
        state = f"{articles['n']}:{articles['latest']}:{criteria.signature()}"
        counted = cached_while(
            project, f"yield of {preset.name}", state, partial(_expected, project, criteria)
        )
        expected[preset.name] = counted["pairs"]
    return expected


def _expected(project: Project, criteria: Criteria) -> dict[str, Any]:
    try:
        counted = dry_run(project=project, criteria=criteria, seconds=YIELD_SECONDS)
    except PublicError:
        return {"pairs": None}
    # Of one cluster alone nobody knows how high the number may be.
    return {"pairs": [round(number) if isfinite(number) else None for number in counted.projection]}


def _loaded(order: Sequence[int]) -> Iterator[tuple[int, Any]]:
    """The clusters in this order, few of them in memory, and fewer at first: a short look ends soon."""
    start, size = 0, 1
    while part := list(order[start : start + size]):
        loaded = dict(load_clusters(part))
        for cluster in part:
            yield cluster, loaded.pop(cluster)
        start, size = start + size, min(2 * size, CLUSTERS_AT_ONCE)


def _new_pairs(sentences: ClusterSentences, criteria: Criteria, seen: set[bytes]) -> NDArray[np.void]:
    """The pairs of a cluster (`PAIRS`) whose texts were not seen before; they are from now on."""
    pairs = ClusterSearch(sentences, criteria, as_compared=True).sorted_pairs()
    keys = pairs["content_key"].tolist()
    new = pairs[np.array([key not in seen for key in keys], dtype=bool)]
    seen.update(keys)
    return new


def _bins(measured: NDArray[np.void], ids: array[int], draw: random.Random) -> list[ExampleBin]:
    """Examples by edit distance; `ids` are those of both sentences of each pair that was found."""
    distances, shared = measured["edit_distance"].tolist(), measured["shared_words"].tolist()
    by_bin: dict[int, list[int]] = {}
    for row, distance in enumerate(distances):
        by_bin.setdefault(distance // BIN_WIDTH, []).append(row)
    chosen = {
        number: sorted(draw.sample(rows, min(EXAMPLES_A_BIN, len(rows))))
        for number, rows in sorted(by_bin.items())
    }
    sentences = {ids[2 * row + side] for rows in chosen.values() for row in rows for side in (0, 1)}
    texts = dict(Sentence.objects.filter(pk__in=sentences).values_list("pk", "text"))
    return [
        ExampleBin(
            low=number * BIN_WIDTH,
            high=number * BIN_WIDTH + BIN_WIDTH - 1,
            pairs=len(by_bin[number]),
            examples=[
                Example(texts[ids[2 * row]], texts[ids[2 * row + 1]], distances[row], shared[row])
                for row in rows
            ],
        )
        for number, rows in chosen.items()
    ]


def nothing_to_pair(criteria: Criteria) -> str:
    """Why there is no pair of sentences to look at, and what to do."""
    articles = _("an article") if criteria.same_article else _("two articles")
    why = _("No cluster has %(articles)s, so there is nothing to pair. Import a corpus first.")
    if criteria.clusters == "held_out":
        why = _(
            "No held-out cluster has %(articles)s, so there is nothing to pair. Clusters are held out at "
            "import, by the project's held-out share. Set clusters to all, or import with such a share."
        )
    return why % {"articles": articles}


def check_row_cap(project: Project, criteria: Criteria, sizes: Mapping[int, int]) -> None:
    """Raise PublicError when more than ROW_CAP pairs are projected; `sizes`: cluster id -> sentences.

    A corpus with fewer pairs of sentences than that is not looked at.
    """
    if pairs_within(sizes.values()) <= ROW_CAP:
        return
    expected = dry_run(project=project, criteria=criteria)
    if expected.projection[0] > ROW_CAP:
        raise PublicError(
            "About %(pairs)s pairs are expected, more than %(limit)s; they would take %(disk).1f GB. "
            "Narrow the criteria, or confirm that you want them.",
            field="confirmed",
            pairs=f"{expected.projection[0]:,.0f}",
            limit=grouped(ROW_CAP),
            disk=expected.disk / 1e9,
        )
