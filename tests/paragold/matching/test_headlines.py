"""Cosines, two thresholds with the context between them, closure; STS 2013 and the demo's table 2."""

from math import log
from pathlib import Path

import numpy as np
import pytest

from paragold.formats.gold_jsonl import read_subclusters
from paragold.matching.headlines import (
    HeadlineFile,
    cosines,
    inverse_document_frequencies,
    pairwise_links,
    stems,
    term_vectors,
    transitive_closure,
)
from paragold.matching.specs import HeadlineSpec
from paragold.matching.sub_clusters import METHOD_NAMES, judged_clusters, scored
from paragold.text.stemming import Stemmer


@pytest.mark.parametrize(
    ("title", "context", "accepted"),
    [(0.51, 0.0, True), (0.5, 0.0, False), (0.5, 0.51, True), (0.2, 0.9, True), (0.19, 0.9, False)],
)
def test_context_decides_between_the_thresholds(title, context, accepted):
    titles = np.array([[1, title], [title, 1]])
    contexts = np.array([[1, context], [context, 1]])
    assert pairwise_links(titles, contexts) == ([(0, 1)] if accepted else [])


def test_stems_closure_and_cosines_by_hand():
    assert transitive_closure([(5, 6), (0, 2), (2, 4), (1, 4)]) == [
        *[(0, 1), (0, 2), (0, 4), (1, 2), (1, 4), (2, 4)],
        (5, 6),
    ]
    assert transitive_closure([]) == []
    assert stems("Prices rise: the price rises!", Stemmer()) == {"price", "rise", "the"}
    assert stems("Prijzen stijgen, prijs stijgt", Stemmer("dutch")) == {"prijs", "stijg", "stijgt"}
    assert inverse_document_frequencies(TEXTS) == pytest.approx(
        {"a": log(3 / 2), "b": log(3), "c": log(3), "d": log(3), "x": 0}
    )
    result = cosines(term_vectors(TEXTS))
    assert result[0, 1] == pytest.approx(log(1.5) ** 2 / (log(1.5) ** 2 + log(3) ** 2))
    assert result[0, 2] == 0
    assert result[0, 0] == pytest.approx(1)
    # Weights from elsewhere; no weight, no similarity.
    assert cosines(term_vectors(TEXTS, dict.fromkeys("abcdx", 1.0)))[0, 1] == pytest.approx(2 / 3)
    assert cosines(term_vectors([frozenset("x"), frozenset("x")])).tolist() == [[0, 0], [0, 0]]
    assert cosines(term_vectors([])).shape == (0, 0)


TEXTS = [frozenset("abx"), frozenset("acx"), frozenset("dx")]


def average_precision(relevant, scores):
    hits = relevant[np.argsort(-scores, kind="stable")]
    return float((np.cumsum(hits) / np.arange(1, hits.size + 1))[hits].mean())


@pytest.mark.real_data
def test_cosines_go_with_human_scores(shared_data):
    text = (shared_data / "paraphrase" / "sts_2013_headlines.tsv").read_text(encoding="utf-8")
    lines = [line.split("\t") for line in text.splitlines()]
    human = np.array([float(line[0]) for line in lines])
    stemmer = Stemmer()
    pairs = [(stems(line[1], stemmer), stems(line[2], stemmer)) for line in lines]
    weights = inverse_document_frequencies([terms for pair in pairs for terms in pair])
    scores = np.array([cosines(term_vectors(pair, weights))[0, 1] for pair in pairs])
    correlation = float(np.corrcoef(human, scores)[0, 1])
    precision = average_precision(human >= 4, scores)
    assert correlation > 0.65
    # Twice what a random order has, whose average precision is the share of pairs at 4 or above.
    assert precision > 2 * (human >= 4).mean()


ROOT = Path(__file__).resolve().parents[3]
HEADLINES, GOLD = ROOT / "demo/headlines.jsonl", ROOT / "demo/subclusters.jsonl"


def sub_clusters():
    return read_subclusters(GOLD)


def scores(weights):
    settings = HeadlineSpec(weights=weights)
    headlines = HeadlineFile(HEADLINES, settings)
    return scored(judged_clusters(headlines, sub_clusters()), settings, headlines.weights)


def test_the_docs_have_table_2_as_it_comes_out():
    page = (ROOT / "docs/matching.md").read_text(encoding="utf-8")
    cluster, file = (scores(weights)["table"].itertuples() for weights in ("cluster", "file"))
    for one, other in zip(cluster, file, strict=True):
        figures = " | ".join(f"{row.precision:.2f} / {row.recall:.2f}" for row in (one, other))
        assert f"| {METHOD_NAMES[one.method]}, {one.headlines} | {figures} |" in page
