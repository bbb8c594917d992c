"""Quality and speed of finding events in a stream of articles. Prints JSON.

    python -m benchmarks.events ../shared/data/news/ecbplus_topics_1_35.jsonl [--tune]

ECB+ has 33 topics, each of two look-alike events (Cybulska & Vossen 2014). Settings were tuned on topics with
odd numbers (`--tune` prints the best of a grid there); those with even numbers are reported. ECB+ has no
dates: `found` looks at the text alone. For `dated` dates are made up: a random day within a year for each
event, its articles on that day and the three after it. They show what time adds where it is known, and are
no measurement of real dates. `topic_only` knows the right topics and takes the two events of each for one.
Seconds are the processor's.

`--in-shards N` divides all articles among N files and finds events, with made-up dates and without, and
near-duplicate articles by the steps in shards: `same` says whether they are those of one process, article by
article (docs/shards.md).
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from importlib.metadata import version
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from paragold.events.clustering import DatedArticle, EventScores, Terms, find_events, score_events
from paragold.events.settings import EventSpec
from paragold.matching.near_articles import MIN_SHARE, ShingleCoder, near_pairs
from paragold.shards.chain import folder_of, run_chain
from paragold.shards.engines import LocalEngine
from paragold.shards.plan_file import read_plan
from paragold.sources.articles_jsonl import ArticleReader
from paragold.sources.records import ArticleRecord

SETTINGS = EventSpec(window_days=None)
Articles = list[tuple[str, ArticleRecord]]


def topic_of(cluster: str) -> int:
    """The number that the name of an ECB+ cluster begins with."""
    return int(cluster.rstrip("eclbpus"))


def stories_of(
    articles: Articles, settings: EventSpec, day_of: Callable[[str], date | None] = lambda cluster: None
) -> list[DatedArticle]:
    terms = Terms(settings)
    return [
        DatedArticle(record.key, day_of(cluster), terms(record.title, (s.tokens for s in record.sentences)))
        for cluster, record in articles
    ]


def made_up_days(articles: Articles, seed: int = 1) -> Callable[[str], date]:
    random = np.random.default_rng(seed)
    clusters = sorted({cluster for cluster, _ in articles})
    first = dict(zip(clusters, random.integers(0, 365, len(clusters)).tolist(), strict=True))
    return lambda cluster: date(2004, 1, 1) + timedelta(first[cluster] + int(random.integers(4)))


def figures(scores: EventScores) -> dict[str, float]:
    return {
        "precision": round(scores.precision, 4),
        "recall": round(scores.recall, 4),
        "f": round(scores.f, 4),
        "adjusted_rand": round(scores.adjusted_rand, 4),
        "clusters": scores.clusters,
    }


def measured(articles: Articles) -> dict[str, Any]:
    gold = [cluster for cluster, _ in articles]
    began = time.process_time()
    found = find_events(stories_of(articles, SETTINGS), SETTINGS)
    seconds = time.process_time() - began
    dated = EventSpec()
    by_day = find_events(stories_of(articles, dated, made_up_days(articles)), dated)
    ways: dict[str, Sequence[str]] = {
        "found": found,
        "dated": by_day,
        "all_in_one": ["1"] * len(gold),
        "one_each": [str(number) for number in range(len(gold))],
        "topic_only": [str(topic_of(cluster)) for cluster in gold],
    }
    return {
        "articles": len(gold),
        "events": len(set(gold)),
        "cpu_s": round(seconds, 2),
        **{name: figures(score_events(labels, gold)) for name, labels in ways.items()},
    }


def tuned(articles: Articles) -> list[dict[str, Any]]:
    gold = [cluster for cluster, _ in articles]
    results = []
    for title, name in product((1.0, 2.0), (1.0, 2.0, 4.0)):
        stories = stories_of(articles, EventSpec(title_weight=title, name_weight=name))
        for step in range(16, 33):
            settings = EventSpec(threshold=step / 100, window_days=None)
            scores = score_events(find_events(stories, settings), gold)
            results.append({"title": title, "name": name, "threshold": step / 100, **figures(scores)})
    return sorted(results, key=lambda result: -result["f"])[:10]


def in_shards(articles: Articles, parts: int) -> dict[str, Any]:
    """Events and near-duplicates of the steps in shards beside those of one process."""
    day_of, results = made_up_days(articles), dict[str, Any]()
    days = [day_of(cluster) for cluster, _ in articles]
    gold = [cluster for cluster, _ in articles]
    with TemporaryDirectory(prefix="paragold-bench-") as name:
        folder = Path(name)
        for part in range(parts):
            lines = [
                {
                    "id": f"{cluster}/{record.key}",
                    "title": record.title,
                    "published": day.isoformat(),
                    "tokenised": True,
                    "sentences": [" ".join(sentence.tokens) for sentence in record.sentences],
                }
                for (cluster, record), day in list(zip(articles, days, strict=True))[part::parts]
            ]
            text = "".join(json.dumps(line) + "\n" for line in lines)
            (folder / f"{part:03}.jsonl").write_text(text, encoding="utf-8")
        # As the files follow each other.
        order = [number for part in range(parts) for number in range(part, len(articles), parts)]
        shuffled = [(f"{gold[number]}/{articles[number][1].key}", articles[number][1]) for number in order]
        for label, window in (("dated", EventSpec().window_days), ("undated", None)):
            settings = EventSpec(window_days=window)
            terms = Terms(settings)
            stories = [
                DatedArticle(key, days[number], terms(one.title, (s.tokens for s in one.sentences)))
                for number, (key, one) in zip(order, shuffled, strict=True)
            ]
            expected = find_events(stories, settings)
            step = f"{{step: events, input: '*.jsonl', window_days: {'null' if window is None else window}}}"
            rows = _of_step(folder, label, step)
            labels = [row["cluster_id"] for row in rows]
            of_id = {key: gold[number] for number, (key, _) in zip(order, shuffled, strict=True)}
            results[label] = {
                "same": dict(zip((key for key, _ in shuffled), expected, strict=True))
                == {row["id"]: row["cluster_id"] for row in rows},
                **figures(score_events(labels, [of_id[row["id"]] for row in rows])),
            }
        coder = ShingleCoder()
        pairs = near_pairs(
            [coder.codes(s.tokens for s in one.sentences) for _, one in shuffled], min_share=MIN_SHARE
        )
        rows = _of_step(folder, "near", "{step: near-duplicates, input: '*.jsonl'}")
        ids = [key for key, _ in shuffled]
        results["near_duplicates"] = {
            "pairs": len(rows),
            "same": sorted(
                (ids[a], ids[b], share)
                for a, b, share in zip(pairs.first, pairs.second, pairs.scores, strict=True)
            )
            == sorted((row["article_a"], row["article_b"], row["share"]) for row in rows),
        }
    return results


def _of_step(folder: Path, name: str, step: str) -> list[dict[str, Any]]:
    """The rows that a plan of one step gives."""
    plan = folder / f"{name}.yaml"
    plan.write_text(f"steps:\n  - {step}\n", encoding="utf-8")
    steps = read_plan(plan)
    run_chain(steps, folder / name, LocalEngine(2))
    parts = sorted(folder_of(folder / name, steps, steps[0].name).glob("part-*.parquet"))
    return [row for part in parts for row in pq.read_table(part).to_pylist()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("articles", type=Path, help="ECB+ as Articles JSONL")
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--in-shards", type=int, metavar="N", help="only compare with the steps in N files")
    arguments = parser.parse_args()
    clusters = list(ArticleReader(arguments.articles))
    articles = [(cluster.key, record) for cluster in clusters for record in cluster.articles]
    if arguments.in_shards:
        sys.stdout.write(json.dumps(in_shards(articles, arguments.in_shards), indent=2) + "\n")
        return
    odd = [pair for pair in articles if topic_of(pair[0]) % 2]
    even = [pair for pair in articles if not topic_of(pair[0]) % 2]
    report: dict[str, Any] = {
        "settings": SETTINGS.as_json(),
        "odd_topics": measured(odd),
        "even_topics": measured(even),
        "load": round(os.getloadavg()[0], 1),
        **{name: version(name) for name in ("numpy", "scipy", "scikit-learn")},
    }
    if arguments.tune:
        report["grid"] = tuned(odd)
    sys.stdout.write(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
