"""The cosine of headlines beside human scores of similarity: STS 2013, headlines."""

from pathlib import Path

import numpy as np
import pytest

from paragold.matching.headlines import cosines, inverse_document_frequencies, stems
from paragold.text.stemming import Stemmer


def average_precision(relevant: np.ndarray, scores: np.ndarray) -> float:
    hits = relevant[np.argsort(-scores, kind="stable")]
    return float((np.cumsum(hits) / np.arange(1, hits.size + 1))[hits].mean())


@pytest.mark.real_data
def test_cosines_go_with_human_scores(shared_data: Path) -> None:
    text = (shared_data / "paraphrase" / "sts_2013_headlines.tsv").read_text(encoding="utf-8")
    lines = [line.split("\t") for line in text.splitlines()]
    human = np.array([float(line[0]) for line in lines])
    stemmer = Stemmer()
    pairs = [(stems(line[1], stemmer), stems(line[2], stemmer)) for line in lines]
    weights = inverse_document_frequencies([terms for pair in pairs for terms in pair])
    scores = np.array([cosines(pair, weights)[0, 1] for pair in pairs])
    correlation = float(np.corrcoef(human, scores)[0, 1])
    precision = average_precision(human >= 4, scores)
    assert correlation > 0.65
    # Twice what a random order has, whose average precision is the share of pairs at 4 or above.
    assert precision > 2 * (human >= 4).mean()
