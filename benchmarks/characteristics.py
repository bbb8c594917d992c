"""The table of characteristics of every preset for files of articles, with the seconds that each took.

    python -m benchmarks.characteristics FILE.jsonl [FILE.jsonl ...]

One process, file by file, cluster by cluster; nothing is stored. A preset for held-out clusters is shown for
all clusters, since a file says nothing of which are held out.
"""

import argparse
import dataclasses
import sys
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.tally import Tally
from paragold.extraction.cluster import extract_cluster
from paragold.extraction.presets import PRESETS
from paragold.extraction.records import ClusterSentences
from paragold.extraction.selection import alternatives, as_markdown, characteristics_table
from paragold.sources.articles import ArticleReader


@dataclasses.dataclass
class Run:
    """A preset on its way through a file; each two texts count once, where they are first seen."""

    tally: Tally = dataclasses.field(default_factory=Tally)
    seen: set[bytes] = dataclasses.field(default_factory=set)
    seconds: float = 0.0

    def take(self, preset: str, sentences: ClusterSentences) -> None:
        started = perf_counter()
        pairs = extract_cluster(sentences, PRESETS[preset].criteria)
        keys = pairs["content_key"].tolist()
        new = pairs[np.array([key not in self.seen for key in keys], dtype=bool)]
        self.seen.update(keys)
        self.seconds += perf_counter() - started
        self.tally.add_cluster(new)


def table(path: Path) -> str:
    """The presets side by side over a file, as Markdown after a line that says what was read."""
    runs = {name: Run() for name in PRESETS}
    warm_up = ClusterSentences.from_articles([[["a", "b"]], [["a", "c"]]])
    for name in PRESETS:
        Run().take(name, warm_up)
    clusters = articles = sentences = 0
    started = perf_counter()
    report = ArticleReader(path)
    for cluster in report:
        loaded = ClusterSentences.from_articles(
            [sentence.tokens for sentence in article.sentences] for article in cluster.articles
        )
        clusters, articles, sentences = (
            clusters + 1,
            articles + len(cluster.articles),
            sentences + len(loaded),
        )
        for name, run in runs.items():
            run.take(name, loaded)
    if report.problems:
        raise SystemExit(
            f"{path}: {len(report.problems)} problems; check it with manage.py import_corpus --check."
        )
    rest = perf_counter() - started - sum(run.seconds for run in runs.values())
    columns = characteristics_table(
        {
            name: run.tally.characteristics(alternatives(PRESETS[name].criteria), run.seconds)
            for name, run in runs.items()
        }
    )
    head = f"{path.name}: {clusters:,} clusters, {articles:,} articles, {sentences:,} sentences"
    return f"{head}; reading, tokenising and adding up took {rest:.0f} s.\n\n{as_markdown(columns)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    for path in parser.parse_args().files:
        sys.stdout.write(table(path) + "\n")


if __name__ == "__main__":
    main()
