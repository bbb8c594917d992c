"""Events found in a stream of articles, scored on EventCorefBank+."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from itertools import product
from pathlib import Path

import numpy as np

from benchmarks.measuring import ECB, Row, seconds
from paragold.events.clustering import DatedArticle, Terms, find_events, score_events
from paragold.events.settings import EventSpec
from paragold.sources.articles import ArticleReader, ArticleRecord

Articles = Sequence[tuple[str, ArticleRecord]]
"""Each article with the key of its cluster."""


def topic_of(cluster: str) -> int:
    """The number that the name of an ECB+ cluster begins with."""
    number = re.match(r"\d+", cluster)
    if number is None:
        raise SystemExit(f"{cluster} names no topic: give clusters of EventCorefBank+.")
    return int(number[0])


def events(*, file: str = ECB, tune: bool = False) -> list[Row]:
    """Events in a stream of articles: B-cubed scores on ECB+, whose topics have two look-alike events each.

    Settings were tuned on topics with odd numbers (`--tune` gives the best of a grid there); those with even
    numbers are reported. ECB+ has no dates: `found` looks at the text alone. For `dated` dates are made up: a
    random day within a year for each event, its articles on that day and the three after it. `topic only`
    knows the right topics and takes the two events of each for one (Cybulska & Vossen 2014).
    """
    clusters = list(ArticleReader(Path(file)))
    articles = [(key, record) for key, records in clusters for record in records]
    odd = [pair for pair in articles if topic_of(pair[0]) % 2]
    if tune:
        return _tuned(odd)
    even = [pair for pair in articles if not topic_of(pair[0]) % 2]
    return [
        {"topics": name} | row for name, part in (("odd", odd), ("even", even)) for row in event_scores(part)
    ]


def event_scores(articles: Articles) -> list[Row]:
    gold = [cluster for cluster, _ in articles]
    undated = EventSpec(window_days=None)
    labels: list[str] = []
    spent = seconds(lambda: labels.extend(find_events(_stories(articles, undated), undated)))
    dated = EventSpec()
    ways: dict[str, Sequence[str]] = {
        "found": labels,
        "dated": find_events(_stories(articles, dated, _made_up_days(articles)), dated),
        "all in one": ["1"] * len(gold),
        "one each": [str(number) for number in range(len(gold))],
        "topic only": [str(topic_of(cluster)) for cluster in gold],
    }
    rows = [
        {"way": name, "articles": len(gold)} | _rounded(score_events(way, gold)) for name, way in ways.items()
    ]
    rows[0]["cpu_s"] = round(spent, 2)
    return rows


def _rounded(scores: dict[str, float]) -> Row:
    return {name: round(value, 4) for name, value in scores.items()}


def _stories(
    articles: Articles, settings: EventSpec, day_of: Callable[[str], date | None] = lambda cluster: None
) -> list[DatedArticle]:
    terms = Terms(settings)
    return [
        (record.key, day_of(cluster), terms(record.title, (s.tokens for s in record.sentences)))
        for cluster, record in articles
    ]


def _made_up_days(articles: Articles, seed: int = 1) -> Callable[[str], date]:
    random = np.random.default_rng(seed)
    clusters = sorted({cluster for cluster, _ in articles})
    first = dict(zip(clusters, random.integers(0, 365, len(clusters)).tolist(), strict=True))
    return lambda cluster: date(2004, 1, 1) + timedelta(first[cluster] + int(random.integers(4)))


def _tuned(articles: Articles) -> list[Row]:
    gold = [cluster for cluster, _ in articles]
    rows = []
    for title, name in product((1.0, 2.0), (1.0, 2.0, 4.0)):
        stories = _stories(articles, EventSpec(title_weight=title, name_weight=name))
        for step in range(16, 33):
            settings = EventSpec(threshold=step / 100, window_days=None)
            scores = _rounded(score_events(find_events(stories, settings), gold))
            rows.append({"title": title, "name": name, "threshold": step / 100} | scores)
    return sorted(rows, key=lambda row: -row["f"])[:10]
