"""Clusters of made-up news from a seed, as large and as alike as those of Brockett and Dolan (2005).

They had 9.5 million sentences in 32,408 clusters and 13.1 million candidate pairs (section 3.2): 293
sentences a cluster and 1.4 pairs a sentence. A cluster here has 287 sentences in 9 articles, with

- Zipfian words: the most frequent one is about 5 % of a text, as in English news;
- 10 % near-duplicate rewrites of an earlier sentence, 1 to 14 words replaced, dropped or added;
- 1 % stock sentences, the same in many clusters, so that there are pairs that were seen before;
- lengths that are normal about 30 words. Sentences that have nothing to do with each other are 20 or fewer
  edits apart as soon as both are short: with a mean of 22 words a third of all pairs would be candidates.
  Mean and share of rewrites are such that candidates-2005 keeps 1.5 pairs a sentence, near the paper's 1.4.

What they lack: topics, syntax, and the many short sentences of real pages (docs/extraction.md has real news).
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from paragold.extraction.records import ClusterSentences

SEED_CLUSTERS = 32_408
SENTENCES_A_CLUSTER = 287
ARTICLE_SENTENCES = 32
LENGTH_MEAN, LENGTH_DEVIATION, SHORTEST, LONGEST = 30, 5, 6, 60
REWRITTEN_SHARE, STOCK_SHARE = 0.1, 0.01
MOST_CHANGES = 14
STOCK_SENTENCES, STOCK_WORDS = 500, 12

VOCABULARY = np.array([f"w{rank}" for rank in range(30_000)], dtype=object)
# Zipf-Mandelbrot.
_SHARES = 1 / (np.arange(1, len(VOCABULARY) + 1) + 1.0)
_CUMULATIVE_SHARES = (_SHARES / _SHARES.sum()).cumsum()


def _words(rng: np.random.Generator, number: int) -> list[str]:
    ranks = np.searchsorted(_CUMULATIVE_SHARES, rng.random(number))
    words: list[str] = VOCABULARY[ranks].tolist()
    return words


class NewsWriter:
    """Writes clusters by number; equal seeds write equal clusters, in whatever order and process."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        words = _words(np.random.default_rng(seed), STOCK_SENTENCES * STOCK_WORDS)
        self._stock = [words[at : at + STOCK_WORDS] for at in range(0, len(words), STOCK_WORDS)]

    def articles(self, number: int, sentences: int = SENTENCES_A_CLUSTER) -> list[list[list[str]]]:
        """The cluster of this number (from 0): its articles, their sentences, their words."""
        rng = np.random.default_rng((self._seed, number))
        lengths = np.clip(rng.normal(LENGTH_MEAN, LENGTH_DEVIATION, sentences), SHORTEST, LONGEST).astype(int)
        texts: list[list[str]] = []
        words = iter(_words(rng, int(lengths.sum()) + sentences * MOST_CHANGES))
        kinds: NDArray[np.float64] = rng.random(sentences)
        for length, kind in zip(lengths.tolist(), kinds.tolist(), strict=True):
            if kind < STOCK_SHARE:
                texts.append(self._stock[rng.integers(len(self._stock))])
            elif kind < STOCK_SHARE + REWRITTEN_SHARE and texts:
                texts.append(_rewritten(texts[rng.integers(len(texts))], rng, words))
            else:
                texts.append([next(words) for _ in range(length)])
        return [texts[at : at + ARTICLE_SENTENCES] for at in range(0, sentences, ARTICLE_SENTENCES)]

    def cluster(self, number: int, sentences: int = SENTENCES_A_CLUSTER) -> ClusterSentences:
        """The same as extraction takes it."""
        return ClusterSentences.from_articles(self.articles(number, sentences))


def _rewritten(text: list[str], rng: np.random.Generator, words: Iterator[str]) -> list[str]:
    text = list(text)
    for place, kind in rng.random((rng.integers(1, MOST_CHANGES + 1), 2)).tolist():
        at = int(place * len(text))
        if kind < 0.5:
            text[at] = next(words)
        elif kind < 0.75 and len(text) > 3:
            del text[at]
        else:
            text.insert(at, next(words))
    return text
