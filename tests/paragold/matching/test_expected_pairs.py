"""The estimate of a matching: the same for the same data and seed, unbiased, right in 95 % of samples."""

import random

import numpy as np
import pytest

from paragold.matching.expected_pairs import expected_pairs
from paragold.matching.specs import MatchingSpec
from paragold.sources.articles import ArticleReader

SETTINGS = MatchingSpec(method="exact", threshold=0.5)
WITHOUT_LIMIT = {"max_texts": 10**9, "max_comparisons": 10**15}


def corpus_of(rows):
    texts, articles, places = zip(*rows, strict=True)
    return list(texts), np.array(articles), np.array(places)


def synthetic(clusters, *, large=0):
    """Clusters of four articles; in every second one two sentences are alike, and one text is everywhere.

    large: sentences of a further cluster in which every tenth sentence is a variant of one text.
    """
    draw = random.Random(4)
    rows = []
    for cluster in range(clusters):
        alike = [f"c{cluster} {' '.join(f'w{draw.randrange(5000)}' for _ in range(8))}" for _ in range(2)]
        for article in range(4):
            key = 4 * cluster + article
            rows.append(("read more about the news today", key, cluster))
            rows += [(f"x{key} y{key} z{key} n{number} m{key}", key, cluster) for number in range(3)]
            if cluster % 2 and article < 2:
                rows.append((f"{alike[0]} {'again' if article else 'first'}", key, cluster))
    for number in range(large):
        text = "the same long story of the day " if number % 10 == 0 else f"q{number} r{number} s{number} "
        rows.append((f"{text}{number}", 10**6 + number, clusters))
    return corpus_of(rows)


def real(path, places, limit):
    rows = []
    for number, (_, articles) in enumerate(ArticleReader(path)):
        for article in articles:
            key = hash((number, article.key))
            rows += [(" ".join(one.tokens).lower(), key, places(number)) for one in article.sentences]
        if len(rows) > limit:
            break
    return corpus_of(rows)


def counted(corpus, settings=SETTINGS):
    """Pair by pair, by the definition."""
    texts, articles, places = corpus
    sets = [frozenset(word for word in text.split() if word not in settings.stop_words) for text in texts]
    result = set()
    for a in range(len(texts)):
        for b in range(a):
            if places[a] == places[b] and articles[a] != articles[b] and texts[a] != texts[b]:
                jaccard = len(sets[a] & sets[b]) / len(sets[a] | sets[b])
                if jaccard >= settings.threshold:
                    result.add(frozenset((texts[a], texts[b])))
    return len(result)


def check_coverage(corpus, settings, exact, draws, **limits):
    """Intervals hold the exact count in at least 90 % of samples, and the mean estimate is close to it."""
    drawn = [expected_pairs(*corpus, settings, seed=seed, **limits) for seed in range(draws)]
    assert not any(one["complete"] for one in drawn)
    assert sum(one["low"] <= exact <= one["high"] for one in drawn) >= 0.9 * draws
    assert all(one["low"] <= one["pairs"] <= one["high"] for one in drawn)
    pairs = np.array([one["pairs"] for one in drawn])
    assert abs(pairs.mean() - exact) < 3 * pairs.std() / draws**0.5 + 0.02 * exact


@pytest.mark.parametrize("places", ["clusters", "project"])
def test_a_small_corpus_is_counted(places):
    texts, articles, clusters = synthetic(20, large=40)
    corpus = (texts, articles, clusters if places == "clusters" else np.zeros_like(clusters))
    result = expected_pairs(*corpus, SETTINGS)
    assert result["complete"]
    assert result["pairs"] == result["low"] == result["high"] == counted(corpus) > 10


def test_the_same_data_and_seed_give_the_same_answer():
    corpus = synthetic(150)
    limits = {"max_texts": 300, "max_comparisons": 20_000}
    first = expected_pairs(*corpus, SETTINGS, seed=3, **limits)
    assert first == expected_pairs(*corpus, SETTINGS, seed=3, **limits)
    assert first["rows"] < first["texts"]
    assert first["about"] == pytest.approx(first["pairs"], rel=0.005)
    others = {expected_pairs(*corpus, SETTINGS, seed=seed, **limits)["pairs"] for seed in range(5)}
    assert len(others) > 1


@pytest.mark.parametrize(
    ("places", "large", "limits"), [("clusters", 0, (500, 50_000)), ("clusters", 400, (500, 50_000)),
                                    ("project", 100, (900, 300_000))]
)  # fmt: skip
def test_intervals_hold_the_exact_count(places, large, limits):
    texts, articles, clusters = synthetic(150, large=large)
    corpus = (texts, articles, clusters if places == "clusters" else np.zeros_like(clusters))
    exact = expected_pairs(*corpus, SETTINGS, **WITHOUT_LIMIT)
    assert exact["complete"]
    check_coverage(corpus, SETTINGS, exact["pairs"], 60, max_texts=limits[0], max_comparisons=limits[1])


@pytest.mark.parametrize("name", ["ecbplus_topics_1_35", "multi_news_validation"])
@pytest.mark.parametrize("scope", ["clusters", "project"])
def test_intervals_hold_the_exact_count_of_real_news(shared_data, name, scope):
    corpus = real(
        shared_data / "news" / f"{name}.jsonl", int if scope == "clusters" else lambda one: 0, 4_000
    )
    settings = MatchingSpec(method="exact", threshold=0.33)
    exact = expected_pairs(*corpus, settings, **WITHOUT_LIMIT)
    assert exact["complete"]
    check_coverage(corpus, settings, exact["pairs"], 25, max_texts=1_500, max_comparisons=600_000)
