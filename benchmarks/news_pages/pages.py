"""Pages of which the story is known: articles of the demo corpus, each in the layout of some site."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path

from .layouts import LAYOUTS, Article

DEMO = Path(__file__).resolve().parents[2] / "demo" / "corpus.jsonl"
PAGES_A_LAYOUT = 3


@dataclass(frozen=True, slots=True)
class NewsPage:
    """An HTML page, the layout that it has and the article that is in it."""

    layout: str
    html: str
    article: Article


def demo_articles() -> list[Article]:
    """The articles of the demo corpus, which have paragraphs of their own, in its order."""
    return [
        Article(
            article["title"],
            article["source"],
            article["url"],
            article["published"],
            tuple(article["paragraphs"]),
        )
        for line in DEMO.read_text(encoding="utf-8").splitlines()
        for article in json.loads(line)["articles"]
        if "paragraphs" in article
    ]


def news_pages(seed: int = 1) -> list[NewsPage]:
    """Three pages in each of twelve layouts, 36 in all; the same seed gives the same pages."""
    draw = random.Random(seed)
    articles = draw.sample(demo_articles(), len(LAYOUTS) * PAGES_A_LAYOUT)
    return [
        NewsPage(name, layout(article, draw), article)
        for name, layout in LAYOUTS.items()
        for article in [articles.pop() for _ in range(PAGES_A_LAYOUT)]
    ]
