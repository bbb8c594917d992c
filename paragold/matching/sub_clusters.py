"""Linked headlines against sub-clusters drawn by people: table 2 of Wubben et al. 2009, thresholds tuned."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, product
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from paragold.arrays import Integers
from paragold.matching.headlines import (
    WITHIN_CLUSTER,
    HeadlineCosines,
    HeadlineFile,
    Terms,
    Weights,
    links_within,
)
from paragold.matching.specs import DELTA, LOWER, PK1_THRESHOLD, UPPER, HeadlineSpec
from paragold.packages import needed
from paragold.statistics import f_score

if TYPE_CHECKING:
    from pandas import DataFrame

# Precision counts four times as much as recall (section 2.1).
BETA = 0.25
# The thresholds that are tried: those of cosines in steps of 0.05; that of PK1, in standard deviations, in
# steps of 0.1, with several deltas.
COSINES = tuple(step / 20 for step in range(20))
PK1_THRESHOLDS = tuple(step / 10 for step in range(-20, 31))
DELTAS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50)
# Nobody waits long for what is tuned without being asked: so many clusters (40 in the paper), with no more
# headlines each and in all.
TUNED_ON, LARGEST_TUNED, HEADLINES_TUNED = 50, 100, 1_500

METHOD_NAMES = {"kmeans": "k-means", "pairwise": "pairwise"}
ALL_HEADLINES, CLUSTERS_ONLY = "all headlines", "clusters only"
"""What was matched: with `CLUSTERS_ONLY` headlines in no sub-cluster were taken out before."""

Counts = Integers
"""Links retrieved, those of them within a sub-cluster (right), and all within sub-clusters (relevant).

Counts of clusters are added, so that large clusters weigh more, as in the paper.
"""


def shares_of(counts: Counts) -> tuple[float, float, float]:
    """Precision, recall (1 where there is nothing to divide by) and F with beta 0.25, from 0 to 1."""
    retrieved, right, relevant = counts.tolist()
    precision = right / retrieved if retrieved else 1.0
    recall = right / relevant if relevant else 1.0
    return precision, recall, f_score(precision, recall, BETA)


@dataclass(frozen=True)
class JudgedCluster:
    """The headlines of a cluster with the sub-clusters drawn in it: groups of indices, none in two groups."""

    key: str
    terms: Sequence[Terms]
    groups: Sequence[Sequence[int]]

    @cached_property
    def relevant(self) -> frozenset[tuple[int, int]]:
        return frozenset(links_within(self.groups))

    @property
    def clustered(self) -> list[int]:
        """The headlines that are in a group of two or more, in order."""
        return sorted(index for group in self.groups if len(group) > 1 for index in group)

    def clustered_only(self) -> JudgedCluster:
        """The cluster without the headlines that are in no group of two or more."""
        places = {index: place for place, index in enumerate(self.clustered)}
        return JudgedCluster(
            self.key,
            [self.terms[index] for index in places],
            [sorted(places[index] for index in group) for group in self.groups if len(group) > 1],
        )

    def counts(self, links: Collection[tuple[int, int]]) -> Counts:
        return np.array([len(links), len(self.relevant.intersection(links)), len(self.relevant)])


def judged_clusters(file: HeadlineFile, gold: Mapping[str, Sequence[Sequence[str]]]) -> list[JudgedCluster]:
    """The clusters of a file that people have split, given as ids by the clusters' keys.

    Raises ValueError when the file lacks a cluster or an id.
    """
    return [JudgedCluster(key, file.terms[key], groups) for key, groups in file.places(gold).items()]


LINK_COLUMNS = ("cluster", "first", "second", "outcome", "score", "context")


def judged_links(
    clusters: Sequence[JudgedCluster],
    spec: HeadlineSpec,
    weights: Weights = WITHIN_CLUSTER,
    *,
    clusters_only: bool = False,
    each: Sequence[HeadlineSpec] = (),
) -> DataFrame:
    """The links behind a row of table 2 (table 3 has examples), in the order of clusters and headlines.

    outcome: right where linked and within a sub-cluster, wrong where only linked, missed where only within
    one. score, context: the cosines of the titles and of the beginnings of the articles, the latter missing
    where one has no words.
    clusters_only: headlines in no sub-cluster are taken out before matching, as in the table.
    each: the spec of each cluster, if they differ.
    """
    with needed("tables"):
        from pandas import DataFrame
    rows: list[tuple[Any, ...]] = []
    for cluster, own in zip(clusters, each or [spec] * len(clusters), strict=True):
        matched = cluster.clustered_only() if clusters_only else cluster
        indices = cluster.clustered if clusters_only else range(len(cluster.terms))
        cosines = HeadlineCosines(matched.terms, weights)
        linked = set(cosines.links(own))
        for pair in sorted(linked | matched.relevant):
            outcome = "missed" if pair not in linked else "right" if pair in matched.relevant else "wrong"
            rows.append((cluster.key, *(indices[one] for one in pair), outcome, *cosines.of(*pair)))
    return DataFrame(rows, columns=list(LINK_COLUMNS))


TABLE_COLUMNS = ("method", "headlines", "precision", "recall", "f", "right", "retrieved", "relevant")


def _row(method: str, headlines: str, counts: Counts) -> tuple[Any, ...]:
    retrieved, right, relevant = counts.tolist()
    return method, headlines, *shares_of(counts), right, retrieved, relevant


def _table(rows: Iterable[tuple[Any, ...]]) -> DataFrame:
    with needed("tables"):
        from pandas import DataFrame
    return DataFrame(list(rows), columns=list(TABLE_COLUMNS))


def pairing_table(
    clusters: Sequence[JudgedCluster],
    spec: HeadlineSpec,
    weights: Weights = WITHIN_CLUSTER,
    *,
    each: Sequence[HeadlineSpec] = (),
) -> DataFrame:
    """Table 2 of the paper: both methods, each on clusters only and on all headlines, by the spec.

    In the paper recall differs between the two: so headlines in no sub-cluster are taken out before
    matching, not only left out of the count.
    each: the spec of k-means for each cluster, if they differ.
    """
    alone = [cluster.clustered_only() for cluster in clusters]
    rows = []
    for method in ("kmeans", "pairwise"):
        chosen = [one.replace(method=method) for one in (each if method == "kmeans" and each else [spec])]
        for headlines, judged in ((CLUSTERS_ONLY, alone), (ALL_HEADLINES, clusters)):
            counts = _Prepared(judged, weights).counts(
                chosen if len(chosen) == len(judged) else chosen * len(judged)
            )
            rows.append(_row(method, headlines, counts.sum(axis=0)))
    return _table(rows)


def tuned(
    clusters: Sequence[JudgedCluster],
    spec: HeadlineSpec,
    weights: Weights = WITHIN_CLUSTER,
    sample: Sequence[int] | None = None,
) -> tuple[HeadlineSpec, Counts, list[HeadlineSpec]]:
    """The thresholds of the spec's method that have the highest F (beta 0.25) on all headlines.

    With k-means the estimated number of groups is tried too. Among equals it is taken, or the thresholds
    nearest the paper's. `sample` are the numbers of the clusters that are tuned on, without it all.

    Returns
    -------
    The spec with those thresholds, its counts on the sample, and for each cluster the spec that is best on
    the others.
    """
    sample = range(len(clusters)) if sample is None else sample
    prepared = _Prepared([clusters[place] for place in sample], weights)
    candidates = sorted(_candidates(spec), key=_distance)
    # Retrieved, right and relevant of each candidate on each cluster.
    counts = np.array([prepared.counts([tried] * len(sample)) for tried in candidates])
    totals = counts.sum(axis=1)
    best = _best(totals)
    columns = {place: column for column, place in enumerate(sample)}
    each = [
        candidates[_best(totals - counts[:, columns[place]]) if place in columns else best]
        for place in range(len(clusters))
    ]
    return candidates[best], totals[best], each


def _best(totals: Counts) -> int:
    """The row with the highest F of its retrieved, right and relevant links, the first among equals."""
    return max(range(len(totals)), key=lambda row: round(shares_of(totals[row])[2], 9))


def sample_to_tune(
    clusters: Sequence[JudgedCluster], seed: int, for_testing: Collection[str] = ()
) -> list[int]:
    """The numbers of the clusters, drawn by the seed, on which k-means is tuned without being asked.

    Clusters whose keys are `for_testing` are not among them. Empty where there are fewer than two.
    """
    order = Random(seed).sample(range(len(clusters)), len(clusters))  # noqa: S311 - no secret
    allowed = (place for place in order if clusters[place].key not in for_testing)
    order = [place for place in allowed if len(clusters[place].terms) <= LARGEST_TUNED][:TUNED_ON]
    held = accumulate(len(clusters[place].terms) for place in order)
    sample = [place for place, total in zip(order, held, strict=True) if total <= HEADLINES_TUNED]
    return sorted(sample) if len(sample) > 1 else []


def tuned_each(
    clusters: Sequence[JudgedCluster],
    spec: HeadlineSpec,
    weights: Weights = WITHIN_CLUSTER,
    *,
    for_testing: Collection[str] = (),
) -> list[HeadlineSpec]:
    """For each cluster the number of groups of k-means that is best on others; empty with fewer than two."""
    sample = sample_to_tune(clusters, spec.seed, for_testing)
    return tuned(clusters, spec.replace(method="kmeans"), weights, sample)[2] if sample else []


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


Scores = dict[str, Any]
"""Table 2 and what it was computed on.

settings: HeadlineSpec with the thresholds of both methods, tuned where a share to tune on was given; that
of PK1 also where none was given. table: DataFrame of `TABLE_COLUMNS`, on the clusters that were not tuned on;
with `each`, of k-means, each cluster by its own spec, which is tuned on the others. clusters, sub_clusters,
clustered, unclustered: of the scored part; sub-clusters have two headlines or more, and a headline is in one
of them or in none. development: with tuning, the table of what each method gives on all headlines of the part
it was tuned on. development_clusters: with a share, the keys of that part, in order. tuned_on: with `each`,
the number of clusters that were tuned on.
"""


def as_json(scores: Scores) -> dict[str, Any]:
    """The scores as JSON has them."""
    settings = scores["settings"].as_json()
    chosen = ("starts", "centres", "seed", "closure", "weights", "language")
    counts = ("clusters", "sub_clusters", "clustered", "unclustered", "development_clusters")
    return {
        "thresholds": {name: settings[name] for name in ("upper", "lower", "pk1", "delta")},
        **{name: settings[name] for name in chosen},
        **{name: scores[name] for name in counts},
        "development": scores["development"].to_dict("records"),
        "table": scores["table"].to_dict("records"),
        "left_one_out": bool(scores["each"]),
    }


def scored(
    clusters: Sequence[JudgedCluster],
    spec: HeadlineSpec,
    weights: Weights = WITHIN_CLUSTER,
    *,
    share: float | None = None,
    for_testing: Collection[str] = (),
) -> Scores:
    """Table 2 with the thresholds of the spec, or tuned on a share of the clusters chosen by its seed.

    Clusters whose keys are `for_testing` are not tuned on. Without a share and a threshold of PK1 the number
    of groups of k-means is tuned, for each cluster on the others; with one cluster it is estimated.

    Raises ValueError when there is nothing to score, or too little to tune.
    """
    if not any(cluster.relevant for cluster in clusters):
        raise ValueError("No cluster has a sub-cluster of two headlines: there is nothing to score against.")
    keys: frozenset[str] = frozenset()
    development, each, sample = [], list[HeadlineSpec](), list[int]()
    if share is not None:
        keys = development_part(
            (cluster.key for cluster in clusters), share, spec.seed, for_testing=for_testing
        )
        part = [cluster for cluster in clusters if cluster.key in keys]
        for method in ("kmeans", "pairwise"):
            spec, counts, _ = tuned(part, spec.replace(method=method), weights)
            development.append(_row(method, ALL_HEADLINES, counts))
    elif spec.pk1 is None:
        sample = sample_to_tune(clusters, spec.seed, for_testing)
        if sample:
            best, counts, each = tuned(clusters, spec.replace(method="kmeans"), weights, sample)
            spec = best.replace(method=spec.method)
            development.append(_row("kmeans", ALL_HEADLINES, counts))
    test = [cluster for cluster in clusters if cluster.key not in keys]
    groups = [group for cluster in test for group in cluster.groups if len(group) > 1]
    clustered = sum(map(len, groups))
    return {
        "settings": spec,
        "table": pairing_table(test, spec, weights, each=each),
        "clusters": len(test),
        "sub_clusters": len(groups),
        "clustered": clustered,
        "unclustered": sum(len(cluster.terms) for cluster in test) - clustered,
        "development": _table(development),
        "development_clusters": sorted(keys),
        "each": each,
        "tuned_on": len(sample),
    }


class _Prepared:
    """Clusters whose cosines are computed once for all specs."""

    def __init__(self, clusters: Sequence[JudgedCluster], weights: Weights) -> None:
        self._clusters = [(cluster, HeadlineCosines(cluster.terms, weights)) for cluster in clusters]
        # Of each cluster, by the number of groups that PK1 chooses: many thresholds choose the same.
        self._by_groups: list[dict[int, Counts]] = [{} for _ in clusters]

    def counts(self, specs: Sequence[HeadlineSpec]) -> Counts:
        """The counts of each cluster by its own spec; with k-means only PK1 and delta may differ."""
        return np.array([self._of(place, spec) for place, spec in enumerate(specs)])

    def _of(self, place: int, spec: HeadlineSpec) -> Counts:
        cluster, cosines = self._clusters[place]
        if spec.method != "kmeans" or spec.pk1 is None:
            return cluster.counts(cosines.links(spec))
        by_groups = self._by_groups[place]
        k = cosines.groupings(spec).choice(spec.pk1, spec.delta)
        if k not in by_groups:
            by_groups[k] = cluster.counts(cosines.links(spec))
        return by_groups[k]


def _candidates(spec: HeadlineSpec) -> Iterator[HeadlineSpec]:
    if spec.method == "kmeans":
        yield spec.replace(pk1=None)
        for delta, threshold in product(DELTAS, PK1_THRESHOLDS):
            yield spec.replace(pk1=threshold, delta=delta)
        return
    for upper, lower in product(COSINES, COSINES):
        if lower <= upper:
            yield spec.replace(upper=upper, lower=lower)


def _distance(spec: HeadlineSpec) -> float:
    """The distance of thresholds from the paper's, and of delta from the default; an estimate comes first."""
    if spec.method != "kmeans":
        return abs(spec.upper - UPPER) + abs(spec.lower - LOWER)
    if spec.pk1 is None:
        return -1
    return abs(spec.pk1 - PK1_THRESHOLD) + abs(spec.delta - DELTA) / 10


def number_of_groups(spec: HeadlineSpec) -> str:
    """How the number of groups of k-means is chosen, such as "PK1 1, delta 5"."""
    return "estimated" if spec.pk1 is None else f"PK1 {spec.pk1:g}, delta {spec.delta}"


def precision_text(row: Mapping[Any, Any]) -> str:
    """The precision of a row of the table with two decimals; a dash where nothing was retrieved."""
    return f"{row['precision']:.2f}" if row["retrieved"] else "-"
