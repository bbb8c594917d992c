"""Wubben et al. (2009), table 2: the pairing of headlines on sets that people have split."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean

from pandas import DataFrame, concat

from benchmarks.measuring import REPOSITORY, Row, cost
from paragold.formats.gold_jsonl import read_subclusters
from paragold.matching.headlines import (
    HeadlineCosines,
    HeadlineFile,
    Terms,
    headline_terms,
    words_in_order,
)
from paragold.matching.specs import PK1_THRESHOLD, STARTS, HeadlineSpec
from paragold.matching.sub_clusters import (
    METHOD_NAMES,
    JudgedCluster,
    judged_clusters,
    pairing_table,
    scored,
    tuned,
)
from paragold.sources.articles import ArticleReader
from paragold.text.stemming import Stemmer
from replication.event_scores import topic_of

SUB_CLUSTERS = Path(__file__).with_name("uci_subclusters.jsonl")
PAPER = {
    ("kmeans", "clusters only"): "0.91 / 0.43",
    ("kmeans", "all headlines"): "0.66 / 0.44",
    ("pairwise", "clusters only"): "0.93 / 0.39",
    ("pairwise", "all headlines"): "0.76 / 0.41",
}


def headlines(*, ecb: str = "", uci: str = "", seeds: int = 5, starts: int = STARTS) -> list[Row]:
    """Table 2 of Wubben et al. (2009) made again: precision / recall, means over the seeds of k-means.

    Sets of clusters with sub-clusters: the demo; with `ecb` the first sentences of EventCorefBank+, a topic a
    cluster, its two look-alike events the sub-clusters; with `uci` 14 stories of the UCI News Aggregator,
    split by one reader for this program (ids only). The number of groups k is chosen by PK1 with the paper's
    threshold, estimated, or tuned on all clusters but the one that is scored. `k_by_n` is groups a headline.
    """
    sets = {"demo": of_files(REPOSITORY / "demo/headlines.jsonl", REPOSITORY / "demo/subclusters.jsonl")}
    if ecb:
        sets["ECB+"] = first_sentences(Path(ecb))
    if uci:
        sets["UCI"] = of_files(Path(uci), SUB_CLUSTERS)
    return [row for name, clusters in sets.items() for row in _rows(name, clusters, seeds, starts)]


def _rows(name: str, clusters: Sequence[JudgedCluster], seeds: int, starts: int) -> Iterator[Row]:
    """A row for each way to choose the number of groups."""
    people = mean(len(with_singles(cluster)) / len(cluster.terms) for cluster in clusters)
    pk1, estimated = HeadlineSpec(method="kmeans", pk1=PK1_THRESHOLD), HeadlineSpec(method="kmeans")
    ways: dict[str, tuple[Callable[[HeadlineSpec], DataFrame], Callable[[], float]]] = {
        "PK1 1": (
            lambda spec: pairing_table(clusters, spec.replace(pk1=PK1_THRESHOLD)),
            lambda: groups_a_headline(clusters, [pk1] * len(clusters)),
        ),
        "estimated": (
            lambda spec: pairing_table(clusters, spec),
            lambda: groups_a_headline(clusters, [estimated] * len(clusters)),
        ),
        "tuned": (
            lambda spec: scored(clusters, spec)["table"],
            lambda: groups_a_headline(clusters, tuned(clusters, estimated)[2]),
        ),
    }
    specs = [HeadlineSpec(seed=seed, starts=starts) for seed in range(1, seeds + 1)]
    for way, (table, groups) in ways.items():
        with cost() as spent:
            tables = concat([table(spec) for spec in specs])
        means = tables.groupby(["method", "headlines"])[["precision", "recall"]].mean()
        row: Row = {"set": name, "k": way}
        for at, paper in PAPER.items():
            cell = f"{means['precision'][at]:.2f} / {means['recall'][at]:.2f}"
            row[f"{METHOD_NAMES[at[0]]}, {at[1]} ({paper})"] = cell
        yield row | {"k_by_n": round(groups(), 2), "people": round(people, 2), "cpu_s": spent["cpu_s"]}


def first_sentences_of_topics(path: Path) -> list[list[list[str]]]:
    """The first sentences of each event of each topic of ECB+, repeated ones of a topic left out."""
    events: dict[int, list[list[str]]] = defaultdict(list)
    seen: dict[int, set[tuple[str, ...]]] = defaultdict(set)
    for cluster, articles in ArticleReader(path):
        topic, own = topic_of(cluster), list[str]()
        for article in articles:
            title = next(sentence.text for sentence in article.sentences)
            if (words := words_in_order(title)) not in seen[topic]:
                seen[topic].add(words)
                own.append(title)
        events[topic].append(own)
    return [events[topic] for topic in sorted(events)]


def first_sentences(path: Path) -> list[JudgedCluster]:
    """The first sentences of each topic of ECB+, repeated ones left out; sub-clusters are its two events."""
    stemmer = Stemmer()
    terms: dict[int, list[Terms]] = defaultdict(list)
    groups: dict[int, list[list[int]]] = defaultdict(list)
    seen: dict[int, set[tuple[str, ...]]] = defaultdict(set)
    for cluster, articles in ArticleReader(path):
        topic = topic_of(cluster)
        groups[topic].append([])
        for article in articles:
            title, *others = (sentence.text for sentence in article.sentences)
            if (words := words_in_order(title)) not in seen[topic]:
                seen[topic].add(words)
                groups[topic][-1].append(len(terms[topic]))
                terms[topic].append(headline_terms(title, " ".join(others), stemmer))
    return [JudgedCluster(str(topic), terms[topic], groups[topic]) for topic in sorted(terms)]


def of_files(headlines: Path, gold: Path) -> list[JudgedCluster]:
    """The clusters of the gold file, in its order."""
    groups = read_subclusters(gold)
    judged = {one.key: one for one in judged_clusters(HeadlineFile(headlines, HeadlineSpec()), groups)}
    return [judged[key] for key in groups]


def with_singles(cluster: JudgedCluster) -> list[list[int]]:
    """The sub-clusters of two or more, and each other headline alone."""
    groups = [list(group) for group in cluster.groups if len(group) > 1]
    grouped = {index for group in groups for index in group}
    return groups + [[index] for index in range(len(cluster.terms)) if index not in grouped]


def groups_a_headline(clusters: Sequence[JudgedCluster], specs: Sequence[HeadlineSpec]) -> float:
    """The mean of k / n over the clusters."""
    return mean(
        len(HeadlineCosines(cluster.terms).groups(spec)) / len(cluster.terms)
        for cluster, spec in zip(clusters, specs, strict=True)
    )
