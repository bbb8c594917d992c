"""Table 2 of Wubben et al. (2009) made again, and the choice of delta for k-means of headlines.

    python -m benchmarks.headlines ECBPLUS.jsonl UCI.csv [--starts 10]

Three sets of clusters with sub-clusters: the first sentences of EventCorefBank+, a topic a cluster, its two
look-alike events the sub-clusters; stories of the UCI News Aggregator, split by one reader for this program
(`uci_subclusters.jsonl`: ids only); the demo's. Every second cluster of the first two is for development:
delta is chosen there, by the mean F (beta 0.25) on all headlines. The table is that of the other clusters.
"""

import argparse
import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from paragold.formats.judgements.subclusters_jsonl import read
from paragold.matching.headline_files import HeadlineFile
from paragold.matching.headlines import HeadlineCosines, HeadlineSpec, HeadlineTerms, words_in_order
from paragold.matching.kmeans import STARTS, criterion_i2
from paragold.matching.sub_clusters import (
    METHOD_NAMES,
    JudgedCluster,
    LinkCounts,
    TableRow,
    pairing_table,
    part_name,
)
from paragold.sources.articles_jsonl import ArticleReader
from paragold.text.stemming import Stemmer

ROOT = Path(__file__).resolve().parents[1]
DELTAS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 15, 20)
SEEDS = (1, 2, 3, 4, 5)
PAPER = {
    ("kmeans", True): "0.91 / 0.43",
    ("kmeans", False): "0.66 / 0.44",
    ("pairwise", True): "0.93 / 0.39",
    ("pairwise", False): "0.76 / 0.41",
}


def first_sentences(path: Path) -> list[JudgedCluster]:
    """The first sentences of each topic of ECB+, repeated ones left out; sub-clusters are its two events."""
    stemmer = Stemmer()
    terms: dict[int, list[HeadlineTerms]] = defaultdict(list)
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
                terms[topic].append(HeadlineTerms.of(title, " ".join(others), stemmer))
    return [JudgedCluster(str(topic), terms[topic], groups[topic]) for topic in sorted(terms)]


def of_files(headlines: Path, gold: Path) -> list[JudgedCluster]:
    """The clusters of the gold file, in its order."""
    groups = read(gold)
    judged = {one.key: one for one in HeadlineFile(headlines, HeadlineSpec()).judged(groups)}
    return [judged[key] for key in groups]


def with_two_groups(clusters: Sequence[JudgedCluster]) -> str:
    """k-means where k = 2 is given: no stopping rule has a part in it."""
    total = LinkCounts()
    criteria = []
    for cluster in clusters:
        cosines = HeadlineCosines(cluster.terms)
        labels = cosines.groupings(HeadlineSpec()).solution(2)
        criteria.append(criterion_i2(cosines.titles, labels))
        pairs = [pair for pair in combinations(range(len(labels)), 2) if len(set(labels[list(pair)])) == 1]
        total += LinkCounts(
            len(pairs), sum(pair in cluster.relevant for pair in pairs), len(cluster.relevant)
        )
    return f"{figures(total)}, mean I2 {np.mean(criteria):.3f}"


def figures(counts: LinkCounts) -> str:
    return f"{counts.precision:.2f} / {counts.recall:.2f}"


def tables(clusters: Sequence[JudgedCluster], **settings: Any) -> list[list[TableRow]]:
    """The table for each seed."""
    return [pairing_table(clusters, HeadlineSpec(seed=seed, **settings)) for seed in SEEDS]


def line(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def mean_figures(rows: Sequence[TableRow]) -> str:
    precision, recall = (mean(getattr(row.counts, name) for row in rows) for name in ("precision", "recall"))
    return f"{precision:.2f} / {recall:.2f}"


def development(sets: dict[str, list[JudgedCluster]], starts: int) -> None:
    """Precision / recall of k-means by delta, and the mean F over the sets, by which delta is chosen."""
    print(
        line("centres", "delta", *(f"{name}, {part}" for name in sets for part in ("only", "all")), "mean F")
    )
    for centres in ("k-means++", "random"):
        for delta in DELTAS:
            tried = {"delta": delta, "centres": centres, "starts": starts}
            found = {name: tables(judged, **tried) for name, judged in sets.items()}
            cells = [mean_figures([rows[part] for rows in of]) for of in found.values() for part in (0, 1)]
            f = mean(mean(rows[1].counts.f for rows in of) for of in found.values())
            print(line(centres, str(delta), *cells, f"{f:.3f}"))
    plain = {name: pairing_table(judged, HeadlineSpec()) for name, judged in sets.items()}
    print(
        line("pairwise", "", *(figures(rows[part].counts) for rows in plain.values() for part in (2, 3)), "")
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("ecbplus", type=Path)
    parser.add_argument("uci", type=Path)
    parser.add_argument("--starts", type=int, default=STARTS, help="of k-means (%(default)s)")
    options = parser.parse_args()
    first = first_sentences(options.ecbplus)
    stories = of_files(options.uci, Path(__file__).with_name("uci_subclusters.jsonl"))
    demo = of_files(ROOT / "demo/headlines.jsonl", ROOT / "demo/subclusters.jsonl")
    print(f"ECB+, {len(first)} topics, k = 2 given: {with_two_groups(first)}\n")
    print(f"Development, means of seeds {SEEDS[0]} to {SEEDS[-1]}:\n")
    development({"ECB+": first[::2], "UCI": stories[::2]}, options.starts)
    print("\nTable 2 on the other clusters:\n")
    found = {
        f"{name} ({len(judged)} clusters)": tables(judged, starts=options.starts)
        for name, judged in {"ECB+": first[1::2], "UCI": stories[1::2], "demo": demo}.items()
    }
    print(line("", *found, "the paper"))
    for place, row in enumerate(next(iter(found.values()))[0]):
        cells = [mean_figures([rows[place] for rows in of]) for of in found.values()]
        name = f"{METHOD_NAMES[row.method]}, {part_name(row)}"
        print(line(name, *cells, PAPER[row.method, row.clusters_only]))


if __name__ == "__main__":
    main()
