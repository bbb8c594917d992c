"""Linked headlines against sub-clusters drawn by people: table 2 of Wubben et al. 2009, thresholds tuned.

The scores as text and as JSON have the shape of that table.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from functools import cached_property
from itertools import accumulate, product
from random import Random
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paragold.matching.headlines import (
    LOWER,
    UPPER,
    WITHIN_CLUSTER,
    HeadlineCosines,
    HeadlineSpec,
    HeadlineTerms,
    Weights,
    links_within,
)
from paragold.matching.kmeans import DELTA, PK1_THRESHOLD
from paragold.statistics import f_score

# Precision counts four times as much as recall (section 2.1).
BETA = 0.25
# The thresholds that are tried: those of cosines in steps of 0.05; that of PK1, in standard deviations, in
# steps of 0.1, with several deltas.
COSINES = tuple(step / 20 for step in range(20))
PK1_THRESHOLDS = tuple(step / 10 for step in range(-20, 31))
# Nobody waits long for what is tuned without being asked: so many clusters (40 in the paper), with no more
# headlines each and in all.
TUNED_ON, LARGEST_TUNED, HEADLINES_TUNED = 50, 100, 1_500
DELTAS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50)


@dataclass(frozen=True, slots=True)
class LinkCounts:
    """Links retrieved, those of them within a sub-cluster (right), and all within sub-clusters (relevant).

    Counts of clusters are added, so that large clusters weigh more, as in the paper.
    """

    retrieved: int = 0
    right: int = 0
    relevant: int = 0

    def __add__(self, other: "LinkCounts") -> "LinkCounts":
        return LinkCounts(
            self.retrieved + other.retrieved, self.right + other.right, self.relevant + other.relevant
        )

    @property
    def precision(self) -> float:
        """right / retrieved, from 0 to 1; 1 where nothing is retrieved."""
        return self.right / self.retrieved if self.retrieved else 1.0

    @property
    def recall(self) -> float:
        """right / relevant, from 0 to 1; 1 where nothing is relevant."""
        return self.right / self.relevant if self.relevant else 1.0

    @property
    def f(self) -> float:
        """F with beta 0.25, from 0 to 1."""
        return f_score(self.precision, self.recall, BETA)


@dataclass(frozen=True)
class JudgedCluster:
    """The headlines of a cluster with the sub-clusters drawn in it: groups of indices, none in two groups."""

    key: str
    terms: Sequence[HeadlineTerms]
    groups: Sequence[Sequence[int]]

    @cached_property
    def relevant(self) -> frozenset[tuple[int, int]]:
        return frozenset(links_within(self.groups))

    @property
    def clustered(self) -> list[int]:
        """The headlines that are in a group of two or more, in order."""
        return sorted(index for group in self.groups if len(group) > 1 for index in group)

    def clustered_only(self) -> "JudgedCluster":
        """The cluster without the headlines that are in no group of two or more."""
        places = {index: place for place, index in enumerate(self.clustered)}
        return JudgedCluster(
            self.key,
            [self.terms[index] for index in places],
            [sorted(places[index] for index in group) for group in self.groups if len(group) > 1],
        )


Outcome = Literal["right", "wrong", "missed"]


class JudgedLink(NamedTuple):
    """Two headlines of a cluster (first < second) that a method links, people put together, or both.

    score: the cosine, 0 to 1, of their titles; context: that of the beginnings of their articles, None where
    one of them has no words.
    """

    cluster: str
    first: int
    second: int
    outcome: Outcome
    score: float
    context: float | None


def judged_links(
    clusters: Sequence[JudgedCluster],
    settings: HeadlineSpec,
    weights: Weights = WITHIN_CLUSTER,
    *,
    clusters_only: bool = False,
    each: Sequence[HeadlineSpec] = (),
) -> Iterator[JudgedLink]:
    """The links behind a row of table 2 (table 3 has examples), in the order of clusters and headlines.

    right: linked and within a sub-cluster; wrong: only linked; missed: only within a sub-cluster.
    clusters_only: headlines in no sub-cluster are taken out before matching, as in the table.
    each: the settings of each cluster, if they differ.
    """
    for cluster, own in zip(clusters, each or [settings] * len(clusters), strict=True):
        matched = cluster.clustered_only() if clusters_only else cluster
        indices = cluster.clustered if clusters_only else range(len(cluster.terms))
        cosines = HeadlineCosines(matched.terms, weights)
        linked = set(cosines.links(own))
        for first, second in sorted(linked | matched.relevant):
            has_context = matched.terms[first].context and matched.terms[second].context
            outcome: Outcome = "missed"
            if (first, second) in linked:
                outcome = "right" if (first, second) in matched.relevant else "wrong"
            yield JudgedLink(
                cluster.key,
                indices[first],
                indices[second],
                outcome,
                float(cosines.titles[first, second]),
                float(cosines.contexts[first, second]) if has_context else None,
            )


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of table 2. `clusters_only`: headlines in no sub-cluster were taken out before matching."""

    method: str
    clusters_only: bool
    counts: LinkCounts


def pairing_table(
    clusters: Sequence[JudgedCluster],
    settings: HeadlineSpec,
    weights: Weights = WITHIN_CLUSTER,
    *,
    each: Sequence[HeadlineSpec] = (),
) -> list[TableRow]:
    """Table 2 of the paper: both methods, each on clusters only and on all headlines, by the settings.

    In the paper recall differs between the two: so headlines in no sub-cluster are taken out before
    matching, not only left out of the count.
    each: the settings of k-means for each cluster, if they differ.
    """
    alone = [cluster.clustered_only() for cluster in clusters]
    rows = []
    for method in ("kmeans", "pairwise"):
        chosen = [one.replace(method=method) for one in (each if method == "kmeans" and each else [settings])]
        for clusters_only, judged in ((True, alone), (False, clusters)):
            prepared = _Prepared(judged, weights)
            counts = prepared.each(chosen if len(chosen) == len(judged) else chosen * len(judged))
            rows.append(TableRow(method, clusters_only, sum(counts, LinkCounts())))
    return rows


@dataclass(frozen=True, slots=True)
class Tuned:
    """The settings with the thresholds of the highest F, and what they give on all headlines.

    each: for each cluster the settings that are best on the others; empty where there are none.
    clusters: the number of clusters that were tuned on.
    """

    settings: HeadlineSpec
    counts: LinkCounts
    each: tuple[HeadlineSpec, ...]
    clusters: int


def tuned(
    clusters: Sequence[JudgedCluster],
    settings: HeadlineSpec,
    weights: Weights = WITHIN_CLUSTER,
    sample: Sequence[int] | None = None,
) -> Tuned:
    """The thresholds of the settings' method that have the highest F (beta 0.25) on all headlines.

    With k-means the estimated number of groups is tried too. Among equals it is taken, or the thresholds
    nearest the paper's. `sample` are the numbers of the clusters that are tuned on, without it all.
    """
    sample = range(len(clusters)) if sample is None else sample
    size = len(sample)
    prepared = _Prepared([clusters[place] for place in sample], weights)
    candidates = sorted(_candidates(settings), key=_distance)
    # Retrieved, right and relevant of each candidate on each cluster.
    counts = np.array([[astuple(one) for one in prepared.each([tried] * size)] for tried in candidates])
    totals = counts.sum(axis=1)
    best = _best(totals)
    places = {place: column for column, place in enumerate(sample)}
    each = [
        candidates[_best(totals - counts[:, places[place]])] if place in places else candidates[best]
        for place in range(len(clusters))
    ]
    return Tuned(candidates[best], LinkCounts(*totals[best].tolist()), tuple(each), size)


def tuned_apart(
    clusters: Sequence[JudgedCluster],
    settings: HeadlineSpec,
    weights: Weights = WITHIN_CLUSTER,
    *,
    for_testing: Collection[str] = (),
) -> Tuned:
    """The number of groups of k-means tuned on clusters drawn by the seed; estimated with fewer than two.

    Clusters whose keys are `for_testing` are not tuned on.
    """
    settings = settings.replace(method="kmeans")
    order = Random(settings.seed).sample(range(len(clusters)), len(clusters))  # noqa: S311 - no secret
    allowed = (place for place in order if clusters[place].key not in for_testing)
    order = [place for place in allowed if len(clusters[place].terms) <= LARGEST_TUNED][:TUNED_ON]
    held = accumulate(len(clusters[place].terms) for place in order)
    sample = [place for place, total in zip(order, held, strict=True) if total <= HEADLINES_TUNED]
    if len(sample) < 2:
        return Tuned(settings.replace(pk1=None), LinkCounts(), (), 0)
    return tuned(clusters, settings, weights, sample=sorted(sample))


def _best(totals: NDArray[np.int64]) -> int:
    """The row with the highest F of its retrieved, right and relevant links, the first among equals."""
    return max(range(len(totals)), key=lambda row: round(LinkCounts(*totals[row].tolist()).f, 9))


def development_part(
    keys: Iterable[str], share: float, seed: int, *, for_testing: Collection[str] = ()
) -> frozenset[str]:
    """The keys of the clusters to tune on: a share of them by chance, at least one, and not all.

    Clusters whose keys are `for_testing`, such as held-out ones, are never among them. Raises ValueError for
    a share outside 0 to 1, for fewer than two clusters, and where all of them are for testing.
    """
    ordered = sorted(set(keys))
    if not 0 < share < 1:
        raise ValueError(f"The share of clusters to tune on is {share}: it must be between 0 and 1.")
    if len(ordered) < 2:
        raise ValueError(
            "Tuning needs at least two clusters with sub-clusters: one to tune on, one to score."
        )
    allowed = [key for key in ordered if key not in for_testing]
    if not allowed:
        raise ValueError("All clusters with sub-clusters are held out for testing: there is none to tune on.")
    size = min(max(round(share * len(ordered)), 1), len(ordered) - 1, len(allowed))
    return frozenset(Random(seed).sample(allowed, size))  # noqa: S311 - a sample, no secret


@dataclass(frozen=True, slots=True)
class SubClusterScores:
    """Table 2 and what it was computed on.

    settings: with the thresholds of both methods, tuned where a share to tune on was given; that of PK1 also
        where none was given.
    table: on the clusters that were not tuned on; with `each`, of k-means, each cluster by its own settings,
        which are tuned on the others.
    clusters, sub_clusters, clustered, unclustered: of the scored part; sub-clusters have two headlines or
        more, and a headline is in one of them or in none.
    development: with tuning, what each method gives on all headlines of the part it was tuned on.
    development_keys: with a share, the clusters of that part, in order.
    tuned_on: with `each`, the number of clusters that were tuned on.
    """

    settings: HeadlineSpec
    table: tuple[TableRow, ...]
    clusters: int
    sub_clusters: int
    clustered: int
    unclustered: int
    development: tuple[TableRow, ...] = ()
    development_keys: tuple[str, ...] = ()
    each: tuple[HeadlineSpec, ...] = ()
    tuned_on: int = 0


def scored(
    clusters: Sequence[JudgedCluster],
    settings: HeadlineSpec,
    weights: Weights = WITHIN_CLUSTER,
    *,
    share: float | None = None,
    for_testing: Collection[str] = (),
) -> SubClusterScores:
    """Table 2 with the thresholds of the settings, or tuned on a share of the clusters chosen by their seed.

    Clusters whose keys are `for_testing` are not tuned on. Without a share and a threshold of PK1 the number
    of groups of k-means is tuned, for each cluster on the others; with one cluster it is estimated.

    Raises ValueError when there is nothing to score, or too little to tune.
    """
    if not any(cluster.relevant for cluster in clusters):
        raise ValueError("No cluster has a sub-cluster of two headlines: there is nothing to score against.")
    keys: frozenset[str] = frozenset()
    development = []
    if share is not None:
        keys = development_part(
            (cluster.key for cluster in clusters), share, settings.seed, for_testing=for_testing
        )
        part = [cluster for cluster in clusters if cluster.key in keys]
        for method in ("kmeans", "pairwise"):
            best = tuned(part, settings.replace(method=method), weights)
            settings = best.settings
            development.append(TableRow(method, False, best.counts))
    each: tuple[HeadlineSpec, ...] = ()
    tuned_on = 0
    if share is None and settings.pk1 is None:
        best = tuned_apart(clusters, settings, weights, for_testing=for_testing)
        settings, each, tuned_on = best.settings.replace(method=settings.method), best.each, best.clusters
        if each:
            development.append(TableRow("kmeans", False, best.counts))
    test = [cluster for cluster in clusters if cluster.key not in keys]
    groups = [group for cluster in test for group in cluster.groups if len(group) > 1]
    clustered = sum(map(len, groups))
    return SubClusterScores(
        settings,
        tuple(pairing_table(test, settings, weights, each=each)),
        len(test),
        len(groups),
        clustered,
        sum(len(cluster.terms) for cluster in test) - clustered,
        tuple(development),
        tuple(sorted(keys)),
        each,
        tuned_on,
    )


class _Prepared:
    """Clusters whose cosines are computed once for all settings."""

    def __init__(self, clusters: Sequence[JudgedCluster], weights: Weights) -> None:
        self._clusters = [(cluster, HeadlineCosines(cluster.terms, weights)) for cluster in clusters]
        # Of each cluster, by the number of groups that PK1 chooses: many thresholds choose the same.
        self._by_groups: list[dict[int, LinkCounts]] = [{} for _ in clusters]

    def each(self, settings: Sequence[HeadlineSpec]) -> list[LinkCounts]:
        """The counts of each cluster by its own settings; with k-means only PK1 and delta may differ."""
        return [self._of(place, one) for place, one in enumerate(settings)]

    def _of(self, place: int, settings: HeadlineSpec) -> LinkCounts:
        cluster, cosines = self._clusters[place]
        if settings.method != "kmeans" or settings.pk1 is None:
            return _counts(cluster, cosines.links(settings))
        by_groups = self._by_groups[place]
        k = cosines.groupings(settings).choice(settings.pk1, settings.delta)
        if k not in by_groups:
            by_groups[k] = _counts(cluster, cosines.links(settings))
        return by_groups[k]


def _counts(cluster: JudgedCluster, links: Sequence[tuple[int, int]]) -> LinkCounts:
    right = sum(link in cluster.relevant for link in links)
    return LinkCounts(len(links), right, len(cluster.relevant))


def _candidates(settings: HeadlineSpec) -> Iterator[HeadlineSpec]:
    if settings.method == "kmeans":
        yield settings.replace(pk1=None)
        for delta, threshold in product(DELTAS, PK1_THRESHOLDS):
            yield settings.replace(pk1=threshold, delta=delta)
        return
    for upper in COSINES:
        for lower in COSINES:
            if lower <= upper:
                yield settings.replace(upper=upper, lower=lower)


def _distance(settings: HeadlineSpec) -> float:
    """The distance of thresholds from the paper's, and of delta from the default; an estimate comes first."""
    if settings.method != "kmeans":
        return abs(settings.upper - UPPER) + abs(settings.lower - LOWER)
    if settings.pk1 is None:
        return -1
    return abs(settings.pk1 - PK1_THRESHOLD) + abs(settings.delta - DELTA) / 10


def number_of_groups(settings: HeadlineSpec) -> str:
    """How the number of groups of k-means is chosen, such as "PK1 1, delta 5"."""
    return "estimated" if settings.pk1 is None else f"PK1 {settings.pk1:g}, delta {settings.delta}"


METHOD_NAMES = {"kmeans": "k-means", "pairwise": "pairwise"}


def part_name(row: TableRow) -> str:
    return "clusters only" if row.clusters_only else "all headlines"


def precision_text(counts: LinkCounts) -> str:
    """Precision with two decimals; a dash where nothing was retrieved."""
    return f"{counts.precision:.2f}" if counts.retrieved else "-"


def as_text(scores: SubClusterScores) -> str:
    """Lines for people to read; shares are from 0 to 1."""
    settings = scores.settings
    lines = []
    if scores.each:
        lines.append(
            "k-means: the number of groups of each cluster is tuned on the others "
            f"({scores.tuned_on:,} clusters, F with beta 0.25):"
        )
    elif scores.development:
        lines.append(f"Tuned on {len(scores.development_keys):,} clusters, F with beta 0.25:")
    lines += [f"  {METHOD_NAMES[row.method]}: {row.counts.f:.3f}" for row in scores.development]
    lines.append(
        f"Thresholds: upper {settings.upper:g}, lower {settings.lower:g}; "
        f"groups: {number_of_groups(settings)}."
    )
    lines.append(
        f"Scored on {scores.clusters:,} clusters with {scores.sub_clusters:,} sub-clusters of "
        f"{scores.clustered:,} headlines; {scores.unclustered:,} headlines are in none."
    )
    lines.append("")
    lines.append(
        f"{'method':<10}{'headlines':<16}{'precision':>9}{'recall':>8}{'F0.25':>8}{'right':>8}{'retrieved':>11}{'relevant':>10}"
    )
    for row in scores.table:
        counts = row.counts
        lines.append(
            f"{METHOD_NAMES[row.method]:<10}{part_name(row):<16}{precision_text(counts):>9}{counts.recall:>8.2f}"
            f"{counts.f:>8.2f}{counts.right:>8,}{counts.retrieved:>11,}{counts.relevant:>10,}"
        )
    return "\n".join(lines) + "\n"


def as_json(scores: SubClusterScores) -> dict[str, Any]:
    """The same as an object that JSON can hold."""
    settings = scores.settings.as_json()
    return {
        "thresholds": {name: settings[name] for name in ("upper", "lower", "pk1", "delta")},
        **{name: settings[name] for name in ("starts", "centres", "seed", "closure", "weights", "language")},
        "clusters": scores.clusters,
        "sub_clusters": scores.sub_clusters,
        "clustered": scores.clustered,
        "unclustered": scores.unclustered,
        "development_clusters": list(scores.development_keys),
        "development": [_row(row) for row in scores.development],
        "table": [_row(row) for row in scores.table],
        "left_one_out": bool(scores.each),
    }


def _row(row: TableRow) -> dict[str, Any]:
    counts = row.counts
    return {
        "method": row.method,
        "headlines": part_name(row),
        "precision": counts.precision,
        "recall": counts.recall,
        "f": counts.f,
        "right": counts.right,
        "retrieved": counts.retrieved,
        "relevant": counts.relevant,
    }
