"""Made-up inputs, from a seed: clusters of news, sentences, pairs, with words by Zipf's law.

The clusters are as large and as alike as those of Brockett and Dolan (2005): 9.5 million sentences in 32,408
clusters, 13.1 million candidate pairs (section 3.2), so 293 sentences a cluster and 1.4 pairs a sentence. A
cluster here has 287 sentences in 9 articles, with

- the most frequent word at about 5 % of a text, as in English news;
- 10 % near-duplicate rewrites of an earlier sentence, 1 to 14 words replaced, dropped or added;
- 1 % stock sentences, the same in many clusters, so that there are pairs that were seen before;
- lengths that are normal about 30 words. Sentences that have nothing to do with each other are 20 or fewer
  edits apart as soon as both are short: with a mean of 22 words a third of all pairs would be candidates.
  Mean and share of rewrites are such that candidates-2005 keeps 1.5 pairs a sentence, near the paper's 1.4.

What they lack: topics, syntax, and the many short sentences of real pages (docs/extraction.md has real news).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.aligner import Pair
from paragold.classification.lexicons import FUNCTION_WORDS
from paragold.extraction.records import ClusterSentences
from paragold.formats.labelled_pairs import TextPair
from paragold.text.wordnet import open_wordnet

PAPERS_CLUSTERS = 32_408
SENTENCES_A_CLUSTER = 287
ARTICLE_SENTENCES = 32
LENGTH_MEAN, LENGTH_DEVIATION, SHORTEST, LONGEST = 30, 5, 6, 60
REWRITTEN_SHARE, STOCK_SHARE = 0.1, 0.01
MOST_CHANGES = 14
STOCK_SENTENCES, STOCK_WORDS = 500, 12

VOCABULARY = np.array([f"w{rank}" for rank in range(30_000)], dtype=object)


def zipf(words: int, shift: float) -> NDArray[np.float64]:
    """Cumulative shares of so many words by Zipf-Mandelbrot: the r-th of them has 1 / (r + shift)."""
    shares = 1 / (np.arange(1, words + 1) + shift)
    return np.cumsum(shares / shares.sum())


_SHARES = zipf(len(VOCABULARY), 1.0)


def _words(rng: np.random.Generator, number: int) -> list[str]:
    words: list[str] = VOCABULARY[np.searchsorted(_SHARES, rng.random(number))].tolist()
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


def write_tokenised(
    folder: Path, clusters: int, files: int, seed: int, sizes: Sequence[int] = (SENTENCES_A_CLUSTER,)
) -> list[Path]:
    """Clusters, an article a line, tokenised, divided among the files; `sizes`, in sentences, in turn."""
    writer = NewsWriter(seed)
    paths = [folder / f"news-{number:03}.jsonl" for number in range(files)]
    for number, path in enumerate(paths):
        with path.open("w", encoding="utf-8") as file:
            for cluster in range(number * clusters // files, (number + 1) * clusters // files):
                for outlet, texts in enumerate(writer.articles(cluster, sizes[cluster % len(sizes)])):
                    article = {"cluster_id": f"c{cluster}", "id": f"a{outlet}", "tokenised": True}
                    file.write(json.dumps(article | {"sentences": [" ".join(text) for text in texts]}) + "\n")
    return paths


def write_news(path: Path, size: int, seed: int, different: int = 100) -> int:
    """A file of `size` bytes or a little more, a cluster a line, and how many articles it has.

    There are `different` clusters; then the same come under other names.
    """
    writer, clusters, articles = NewsWriter(seed), 0, 0
    made = []
    for number in range(different):
        texts = [
            " ".join(f"{' '.join(words).capitalize()}." for words in one) for one in writer.articles(number)
        ]
        about = {"published": "2004-03-17"}
        rows = [
            {"id": f"a{n}", "source": f"outlet {n}", "text": text} | about for n, text in enumerate(texts)
        ]
        made.append((json.dumps(rows), len(rows)))
    with path.open("w", encoding="utf-8") as file:
        while file.tell() < size:
            line, count = made[clusters % different]
            file.write(f'{{"cluster_id": "c{clusters}", "articles": {line}}}\n')
            clusters += 1
            articles += count
    return articles


def sentences_to_match(count: int, seed: int = 1, words: int = 200_000) -> list[list[str]]:
    """Sentences of 8 to 24 words; of every fifth there is a copy with one to six words exchanged.

    So Jaccard runs through the thresholds.
    """
    random = np.random.default_rng(seed)
    names = np.array([f"word{number}" for number in range(words)], dtype=object)
    cumulative = zipf(words, 19.0)
    lengths = random.integers(8, 25, count)
    drawn = np.searchsorted(cumulative, random.random(int(lengths.sum()))).clip(max=words - 1)
    sentences = np.split(drawn, np.cumsum(lengths)[:-1])
    for index in range(0, count - 1, 5):
        copy = sentences[index].copy()
        places = random.choice(copy.size, random.integers(1, 7), replace=False)
        copy[places] = np.searchsorted(cumulative, random.random(places.size)).clip(max=words - 1)
        sentences[index + 1] = copy
    return [names[sentences[index]].tolist() for index in random.permutation(count)]


def pairs_to_align(count: int, words: int = 60_000, length: int = 22) -> list[Pair]:
    """Six in ten words of one sentence are in the other one too, in the same place."""
    rng = np.random.default_rng(1)
    cumulative = zipf(words, 1.0)
    # Made of letters, so that spelling and stems have something to compare.
    names = ["".join(chr(97 + int(digit)) for digit in f"{7919 * n:06d}") for n in range(words)]
    pairs: list[Pair] = []
    for _ in range(count):
        numbers = np.searchsorted(cumulative, rng.random((2, length))).clip(max=words - 1)
        other = np.where(rng.random(length) < 0.6, numbers[0], numbers[1])
        pairs.append(([names[n] for n in numbers[0]], [names[n] for n in other]))
    return pairs


def pairs_to_classify(rng: np.random.Generator, count: int, words: int = 60_000) -> list[TextPair]:
    """Pairs of 6 to 29 words of WordNet, as the paper's F3; two in five have the label of a paraphrase."""
    lemmas = {lemma for part in "nva" for lemma in open_wordnet().words(part)}
    known = sorted({lemma for lemma in lemmas if lemma.isalpha() and 2 < len(lemma) < 12} - FUNCTION_WORDS)
    names = [*sorted(FUNCTION_WORDS), *(known[place] for place in rng.permutation(len(known)))][:words]
    cumulative = zipf(len(names), 1.0)

    def draw(length: int) -> list[str]:
        return [names[rank] for rank in np.searchsorted(cumulative, rng.random(length)).tolist()]

    pairs = []
    for number in range(count):
        first = draw(int(rng.integers(6, 30)))
        label = bool(rng.random() < 0.4)
        kept = int(len(first) * rng.uniform(0.5, 0.95) if label else len(first) * rng.uniform(0.1, 0.6))
        second = first[:kept] + draw(max(1, len(first) - kept + int(rng.integers(-2, 3))))
        texts = " ".join(first).capitalize() + ".", " ".join(second).capitalize() + "."
        pairs.append(TextPair(*texts, label, f"c{number}", ("", ""), number + 1))
    return pairs
