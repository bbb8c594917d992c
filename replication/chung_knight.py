"""Chung & Knight: estimates beside the truth, precision and recall by threshold, time by texts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.matching import PERMUTATIONS as SIGNED, Sentences, compile_all
from benchmarks.measuring import Row, cost
from paragold.matching.files import answer_key_of, best, read_files, read_texts, score_curve
from paragold.matching.similar_pairs import (
    WordSets,
    banded_pairs,
    content_words,
    estimated_pairs,
    exact_pairs,
    one_partner_each,
    sets_of_files,
    signatures,
    word_sets,
)
from tests.factories.made_up import sentences_to_match

PERMUTATIONS = (16, 64, 128, 256, 1024)
LOWEST_THRESHOLD = 0.1
THRESHOLDS = tuple(step / 100 for step in range(10, 101))
PAPERS_THRESHOLD = 0.33
"""At which the paper reports its precision with one partner each."""
SCATTER_A_BIN, BINS = 60, 10
SHORTEST = 40
"""Characters of a sentence of news that is long enough to be a text."""


def estimates(*, a: str = "", b: str = "", points: bool = False, seed: int = 1) -> list[Row]:
    """Figures 4 and 5: the estimated Jaccard of two files' texts beside the true one.

    Of as many pairs, at most, in each tenth of Jaccard from 0.1 on: `bias` is the mean of the errors
    (estimate - truth), `deviation` the root of their mean square, `expected` the same by sqrt(J (1 - J) / m).
    `points` lists the pairs instead.
    """
    sets, split = sets_of_files(*(file.values() for file in read_files([Path(a), Path(b)])))
    truth = exact_pairs(sets, LOWEST_THRESHOLD, split=split)
    bins = np.minimum((truth["score"] * BINS).astype(np.int64), BINS - 1)
    rows: list[Row] = []
    for permutations in PERMUTATIONS:
        random = np.random.default_rng(seed)
        drawn = [random.permutation(np.flatnonzero(bins == number))[:SCATTER_A_BIN] for number in range(BINS)]
        chosen = truth[np.sort(np.concatenate(drawn))]
        keys = signatures(sets, permutations, seed)
        estimated = (keys[chosen["first"]] == keys[chosen["second"]]).mean(axis=1)
        jaccard = chosen["score"]
        errors = estimated - jaccard
        if points:
            both = zip(jaccard.tolist(), estimated.tolist(), strict=True)
            rows += [{"permutations": permutations, "jaccard": j, "estimate": e} for j, e in both]
        elif len(chosen):
            expected = np.sqrt((jaccard * (1 - jaccard) / permutations).mean())
            figures = {"bias": errors.mean(), "deviation": np.sqrt((errors**2).mean()), "expected": expected}
            rounded = {name: round(float(value), 4) for name, value in figures.items()}
            rows.append({"permutations": permutations, "pairs": len(chosen)} | rounded)
    return rows


def curves(*, a: str = "", b: str = "", key: str = "", every: bool = False, seed: int = 1) -> list[Row]:
    """Figures 6 to 9: precision, recall and F of the exact Jaccard and of MinHash with m permutations.

    The best threshold by F, and with one partner each the paper's, 0.33; with `every` all thresholds.
    """
    files = read_files([Path(a), Path(b)])
    answers = answer_key_of(Path(key), files)
    sets, split = sets_of_files(*(file.values() for file in files))
    rows = []
    for method in ("exact", *PERMUTATIONS):
        if isinstance(method, int):
            pairs = estimated_pairs(sets, LOWEST_THRESHOLD, split=split, permutations=method, seed=seed)
        else:
            pairs = exact_pairs(sets, LOWEST_THRESHOLD, split=split)
        for partners, some in (("any", pairs), ("one", one_partner_each(pairs))):
            curve = score_curve(some, answers, THRESHOLDS)
            chosen = [best(curve).to_dict()]
            if every:
                chosen = curve.to_dict("records")
            elif partners == "one":
                chosen.append(curve[curve["threshold"] == PAPERS_THRESHOLD].iloc[0].to_dict())
            for row in chosen:
                rounded = {str(name): round(float(value), 4) for name, value in row.items()}
                rows.append({"method": method, "partners": partners} | rounded)
    return rows


def matching_growth(
    *,
    sizes: tuple[int, ...] = (2_810, 5_000, 10_000, 20_000, 40_000),
    files: tuple[str, ...] = (),
    news: str = "",
    peer: int = 10_000,
) -> list[Row]:
    """CPU seconds by the number of texts at 0.33, m = 128: figure 10 of Chung & Knight.

    The texts of `files` are padded with dummy texts, as in the paper: sentences of the `news` (a JSON line
    with articles[].text a cluster), or made ones. datasketch matches up to `peer` texts.
    """
    compile_all()
    real = [content_words(text) for path in files for text in read_texts(Path(path)).values()]
    wanted = max(0, max(sizes) - len(real))
    dummies = _news_sentences(Path(news)) if news else iter(sentences_to_match(wanted))
    everything = real + [words for words, _ in zip(dummies, range(wanted), strict=False)]
    methods: dict[str, Callable[[WordSets], Any]] = {
        "exact": lambda sets: exact_pairs(sets, PAPERS_THRESHOLD),
        "minhash": lambda sets: estimated_pairs(sets, PAPERS_THRESHOLD),
        "bands": lambda sets: banded_pairs(sets, PAPERS_THRESHOLD),
    }
    rows = []
    for size in sizes:
        texts = everything[:size]
        sets = word_sets(texts)
        row: Row = {"texts": len(texts)}
        pairs = {}
        for name, method in methods.items():
            with cost() as spent:
                pairs[name] = len(method(sets))
            row[name] = spent["cpu_s"]
        if size <= peer:
            with cost() as spent:
                by_datasketch(texts, PAPERS_THRESHOLD)
            row["datasketch"] = spent["cpu_s"]
        rows.append(row | {"pairs": pairs["minhash"]})
    return rows


def by_datasketch(sentences: Sentences, threshold: float) -> None:
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(threshold=threshold, num_perm=SIGNED)
    encoded = [{word.encode() for word in words} for words in sentences]
    keys = MinHash.bulk(encoded, num_perm=SIGNED)
    for number, key in enumerate(keys):
        for other in index.query(key):
            key.jaccard(keys[other])
        index.insert(number, key)


def _news_sentences(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            for article in json.loads(line)["articles"]:
                for sentence in re.split(r"(?<=[.!?])\s+", article["text"]):
                    if len(sentence) >= SHORTEST:
                        yield content_words(sentence)
