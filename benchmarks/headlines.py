"""Table 2 of Wubben et al. (2009) made again, and the number of groups of headlines.

    python -m benchmarks.headlines ECBPLUS.jsonl UCI.csv [--starts 10]

Three sets of clusters with sub-clusters: the first sentences of EventCorefBank+, a topic a cluster, its two
look-alike events the sub-clusters; stories of the UCI News Aggregator, split by one reader for this program
(`uci_subclusters.jsonl`: ids only); the demo's. The number of groups k is chosen by PK1 with the paper's
threshold, estimated, or tuned on all clusters but the one that is scored. Clusters of other shapes are drawn
from the last two sets.
"""

import argparse
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

import numpy as np
from pandas import DataFrame, concat

from paragold.formats.gold_jsonl import read_subclusters
from paragold.matching.headlines import (
    HeadlineCosines,
    HeadlineFile,
    Terms,
    headline_terms,
    links_within,
    words_in_order,
)
from paragold.matching.kmeans import criterion_i2
from paragold.matching.specs import PK1_THRESHOLD, STARTS, HeadlineSpec
from paragold.matching.sub_clusters import (
    ALL_HEADLINES,
    CLUSTERS_ONLY,
    METHOD_NAMES,
    JudgedCluster,
    judged_clusters,
    pairing_table,
    scored,
    shares_of,
    tuned,
)
from paragold.sources.articles import ArticleReader
from paragold.text.stemming import Stemmer

ROOT = Path(__file__).resolve().parents[1]
SEEDS = (1, 2, 3, 4, 5)
CLUSTERS_A_SHAPE = 60
# Sizes of groups: half of the headlines single, as many as in the paper, none, all; and fewer headlines.
SHAPES = (
    (3, 3, 1, 1, 1, 1, 1, 1),
    (4, 2, 1, 1, 1, 1, 1, 1),
    (2, 2, 2, 1, 1, 1, 1, 1, 1),
    (4, 4, 1, 1, 1, 1),
    (5, 3, 1, 1, 1, 1),
    (6, 6),
    (4, 4, 4),
    (1,) * 12,
    (2, 2, 1, 1),
    (3, 1, 1, 1),
)
PAPER = {
    ("kmeans", CLUSTERS_ONLY): "0.91 / 0.43",
    ("kmeans", ALL_HEADLINES): "0.66 / 0.44",
    ("pairwise", CLUSTERS_ONLY): "0.93 / 0.39",
    ("pairwise", ALL_HEADLINES): "0.76 / 0.41",
}


def first_sentences(path: Path) -> list[JudgedCluster]:
    """The first sentences of each topic of ECB+, repeated ones left out; sub-clusters are its two events."""
    stemmer = Stemmer()
    terms: dict[int, list[Terms]] = defaultdict(list)
    groups: dict[int, list[list[int]]] = defaultdict(list)
    seen: dict[int, set[tuple[str, ...]]] = defaultdict(set)
    for cluster in ArticleReader(path):
        number = re.match(r"\d+", cluster.key)
        if number is None:
            raise SystemExit(f"{cluster.key} names no topic: give clusters of EventCorefBank+.")
        topic = int(number[0])
        groups[topic].append([])
        for article in cluster.articles:
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


def with_two_groups(clusters: Sequence[JudgedCluster]) -> str:
    """k-means where k = 2 is given: no stopping rule has a part in it."""
    total = np.zeros(3, np.int64)
    criteria = []
    for cluster in clusters:
        cosines = HeadlineCosines(cluster.terms)
        labels = cosines.groupings(HeadlineSpec()).solution(2)
        criteria.append(criterion_i2(cosines.titles, labels))
        total += cluster.counts(links_within(np.flatnonzero(labels == group).tolist() for group in (0, 1)))
    precision, recall, _ = shares_of(total)
    return f"{precision:.2f} / {recall:.2f}, mean I2 {np.mean(criteria):.3f}"


def line(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def with_singles(cluster: JudgedCluster) -> list[list[int]]:
    """The sub-clusters of two or more, and each other headline alone."""
    groups = [list(group) for group in cluster.groups if len(group) > 1]
    grouped = {index for group in groups for index in group}
    return groups + [[index] for index in range(len(cluster.terms)) if index not in grouped]


def groups_a_headline(
    clusters: Sequence[JudgedCluster], each: Sequence[HeadlineSpec] = (), **settings: Any
) -> float:
    """The mean of k / n over the clusters."""
    chosen = each or [HeadlineSpec(method="kmeans", **settings)] * len(clusters)
    return mean(
        len(HeadlineCosines(cluster.terms).groups(spec)) / len(cluster.terms)
        for cluster, spec in zip(clusters, chosen, strict=True)
    )


def sampled(clusters: Sequence[JudgedCluster], sizes: Sequence[int], seed: int) -> list[JudgedCluster]:
    """CLUSTERS_A_SHAPE clusters with groups of these sizes, from the sub-clusters of one cluster each.

    A group of one is a headline of any group that has given none. Empty where no cluster is large enough.
    """
    random = Random(seed)
    samples: list[JudgedCluster] = []
    for _ in range(50 * CLUSTERS_A_SHAPE):
        cluster = random.choice(list(clusters))
        rest = with_singles(cluster)
        drawn = []
        for size in sizes:
            large_enough = [group for group in rest if len(group) >= size]
            if not large_enough:
                break
            group = random.choice(large_enough)
            rest.remove(group)
            drawn.append(random.sample(group, size))
        else:
            order = [index for group in drawn for index in group]
            random.shuffle(order)
            groups = [sorted(map(order.index, group)) for group in drawn]
            samples.append(JudgedCluster(cluster.key, [cluster.terms[index] for index in order], groups))
            if len(samples) == CLUSTERS_A_SHAPE:
                return samples
    return []


def numbers_of_groups(sets: dict[str, list[JudgedCluster]], seed: int) -> None:
    """k / n of each set, and of clusters of other shapes drawn from UCI and the demo."""
    print(line("clusters", "people", "PK1 1, delta 5", "estimated", "tuned on the others"))
    for name, clusters in sets.items():
        each = tuned(clusters, HeadlineSpec(method="kmeans"))[2]
        _print_numbers(name, clusters, f"{groups_a_headline(clusters, each):.2f}")
    for sizes in SHAPES:
        for name in ("UCI", "demo"):
            if clusters := sampled(sets[name], sizes, seed):
                shape = f"{name}: {sizes.count(1)} single, " + " + ".join(str(n) for n in sizes if n > 1)
                _print_numbers(shape, clusters, "")


def _print_numbers(name: str, clusters: Sequence[JudgedCluster], tuned_on_others: str) -> None:
    people = mean(len(with_singles(cluster)) / len(cluster.terms) for cluster in clusters)
    numbers = (people, groups_a_headline(clusters, pk1=PK1_THRESHOLD), groups_a_headline(clusters))
    print(line(name, *(f"{number:.2f}" for number in numbers), tuned_on_others))


def tables(sets: dict[str, list[JudgedCluster]], starts: int) -> None:
    """Table 2, means of the seeds: PK1 as in the paper, the estimate, and tuned on the other clusters."""
    columns: dict[str, list[DataFrame]] = {}
    for name, clusters in sets.items():
        seeded = [HeadlineSpec(seed=seed, starts=starts) for seed in SEEDS]
        columns[f"{name}, PK1 1"] = [
            pairing_table(clusters, one.replace(pk1=PK1_THRESHOLD)) for one in seeded
        ]
        columns[f"{name}, estimated"] = [pairing_table(clusters, one) for one in seeded]
        columns[f"{name}, tuned"] = [scored(clusters, one)["table"] for one in seeded]
    print(line("", *columns, "the paper"))
    means = {
        name: concat(seeds).groupby(["method", "headlines"])[["precision", "recall"]].mean()
        for name, seeds in columns.items()
    }
    for row, paper in PAPER.items():
        cells = [f"{table['precision'][row]:.2f} / {table['recall'][row]:.2f}" for table in means.values()]
        print(line(f"{METHOD_NAMES[row[0]]}, {row[1]}", *cells, paper))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("ecbplus", type=Path)
    parser.add_argument("uci", type=Path)
    parser.add_argument("--starts", type=int, default=STARTS, help="of k-means (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the clusters drawn (%(default)s)")
    options = parser.parse_args()
    sets = {
        "ECB+": first_sentences(options.ecbplus),
        "UCI": of_files(options.uci, Path(__file__).with_name("uci_subclusters.jsonl")),
        "demo": of_files(ROOT / "demo/headlines.jsonl", ROOT / "demo/subclusters.jsonl"),
    }
    print(f"ECB+, k = 2 given: {with_two_groups(sets['ECB+'])}\n")
    print("Groups a headline (k / n); in the paper's data 0.50:\n")
    numbers_of_groups(sets, options.seed)
    print(f"\nTable 2, means of seeds {SEEDS[0]} to {SEEDS[-1]}:\n")
    tables(sets, options.starts)


if __name__ == "__main__":
    main()
