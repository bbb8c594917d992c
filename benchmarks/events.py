"""Quality and speed of finding events in a stream of articles. Prints JSON.

    python -m benchmarks.events ../shared/data/news/ecbplus_topics_1_35.jsonl [--tune]

ECB+ has 33 topics, each of two look-alike events (Cybulska & Vossen 2014). Settings were tuned on topics with
odd numbers (`--tune` prints the best of a grid there); those with even numbers are reported. ECB+ has no
dates: `found` looks at the text alone. For `dated` dates are made up: a random day within a year for each
event, its articles on that day and the three after it. They show what time adds where it is known, and are
no measurement of real dates. `topic_only` knows the right topics and takes the two events of each for one.
Seconds are the processor's.
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
from typing import Any

import numpy as np

from paragold.events.clustering import DatedArticle, Terms, find_events, score_events
from paragold.events.settings import EventSpec
from paragold.sources.articles import ArticleReader, ArticleRecord

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
        (record.key, day_of(cluster), terms(record.title, (s.tokens for s in record.sentences)))
        for cluster, record in articles
    ]


def made_up_days(articles: Articles, seed: int = 1) -> Callable[[str], date]:
    random = np.random.default_rng(seed)
    clusters = sorted({cluster for cluster, _ in articles})
    first = dict(zip(clusters, random.integers(0, 365, len(clusters)).tolist(), strict=True))
    return lambda cluster: date(2004, 1, 1) + timedelta(first[cluster] + int(random.integers(4)))


def figures(scores: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in scores.items()}


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("articles", type=Path, help="ECB+ as Articles JSONL")
    parser.add_argument("--tune", action="store_true")
    arguments = parser.parse_args()
    clusters = list(ArticleReader(arguments.articles))
    articles = [(cluster.key, record) for cluster in clusters for record in cluster.articles]
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
