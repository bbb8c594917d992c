"""Pages of which the story is known: articles of the demo corpus, each in the layout of some site."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path

from .layouts import LAYOUTS, Article

DEMO = Path(__file__).resolve().parents[3] / "demo" / "corpus.jsonl"
PAGES_A_LAYOUT = 3


@dataclass(frozen=True, slots=True)
class NewsPage:
    """An HTML page, the layout that it has and the article that is in it."""

    layout: str
    html: str
    article: Article


def demo_clusters():
    """The articles of the demo corpus by cluster, in its order."""
    clusters = map(json.loads, DEMO.read_text(encoding="utf-8").splitlines())
    return {
        cluster["cluster_id"]: [
            Article(
                article["title"],
                article["source"],
                article["url"],
                article["published"],
                tuple(article["paragraphs"]),
            )
            for article in cluster["articles"]
        ]
        for cluster in clusters
    }


def demo_articles():
    return [article for articles in demo_clusters().values() for article in articles]


def news_pages(seed=1):
    """Three pages in each of twelve layouts, 36 in all; the same seed gives the same pages."""
    draw = random.Random(seed)
    articles = draw.sample(demo_articles(), len(LAYOUTS) * PAGES_A_LAYOUT)
    return [
        NewsPage(name, layout(article, draw), article)
        for name, layout in LAYOUTS.items()
        for article in [articles.pop() for _ in range(PAGES_A_LAYOUT)]
    ]


def saved_pages(seed=1, *, clusters=3, articles=4):
    """Pages as somebody saves them by hand: `cluster/page.html` -> HTML, each laid out as by another site."""
    draw = random.Random(seed)
    layouts = list(LAYOUTS.values())
    pages = [
        (f"{cluster}/{number}.html", article)
        for cluster, found in list(demo_clusters().items())[:clusters]
        for number, article in enumerate(found[:articles], start=1)
    ]
    return {name: layouts[n % len(layouts)](article, draw) for n, (name, article) in enumerate(pages)}
