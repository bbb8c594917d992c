"""Figure 10 of Chung & Knight: CPU seconds by the number of texts, for every method, as tab-separated lines.

    python -m benchmarks.figure_10 LEAGUES_A.tsv LEAGUES_B.tsv [--news multi_news.jsonl] \\
        [--sizes 2810 5000 10000 20000 40000 100000] [--naive 20000] [--all-keys 40000] [--exact 100000] \\
        [--peer 10000]

The texts of both files are padded with dummy texts, as in the paper: sentences of a news file (a JSON line
with articles[].text a cluster), or made ones. Seconds of the processor from sets of words to the pairs at
0.33, m = 128; the minimum of two runs up to 20,000 texts. naive: every pair of sets is compared. all keys:
every two signatures, as before. off: without the guard. The last columns are the pairs, and what the guard
loses of those without it. --naive, --all-keys, --exact and --peer are the largest sizes for what takes long.
"""

import argparse
import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.matching import PERMUTATIONS, absent, made_sentences, seconds
from benchmarks.matching_figures import PAPERS_THRESHOLD
from paragold.matching.files import read_texts
from paragold.matching.kernels import similar_in_groups
from paragold.matching.similar_pairs import (
    SCORED,
    WordSets,
    banded_pairs,
    content_words,
    estimated_pairs,
    exact_pairs,
    signatures,
    word_sets,
)
from paragold.matching.specs import MatchingSpec
from paragold.parallel import compiled

GUARD = MatchingSpec().max_entry
COLUMNS = ("texts", "naive", "all keys", "exact", "minhash off", "minhash", "bands", "datasketch")
SHORTEST = 40


def news_sentences(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            for article in json.loads(line)["articles"]:
                for sentence in re.split(r"(?<=[.!?])\s+", article["text"]):
                    if len(sentence) >= SHORTEST:
                        yield content_words(sentence)


def naive(sets: WordSets) -> Any:
    everything = np.arange(len(sets))
    bounds = np.array([0, len(sets)])
    return similar_in_groups(
        sets.offsets, sets.codes, everything, bounds, PAPERS_THRESHOLD, 0, np.empty(1 << 14, SCORED)
    )


@compiled
def equal_keys(keys: Any, other: Any) -> Any:
    """How many keys are equal, for every row of `keys` and every row of `other`."""
    counts = np.empty((keys.shape[0], other.shape[0]), np.int32)
    for row in range(keys.shape[0]):
        for column in range(other.shape[0]):
            equal = np.uint32(0)
            for key in range(keys.shape[1]):
                equal += np.uint32(keys[row, key] == other[column, key])
            counts[row, column] = equal
    return counts


def by_all_keys(sets: WordSets) -> None:
    """Every signature beside every other, some rows at a time."""
    minimum = int(np.ceil(PAPERS_THRESHOLD * PERMUTATIONS))
    keys = signatures(sets, PERMUTATIONS)
    height = max(1, (1 << 22) // max(len(keys), 1))
    for start in range(0, len(keys), height):
        np.nonzero(equal_keys(keys[start : start + height], keys[start:]) >= minimum)


def by_datasketch(texts: list[list[str]]) -> None:
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(threshold=PAPERS_THRESHOLD, num_perm=PERMUTATIONS)
    encoded = [{word.encode() for word in words} for words in texts]
    keys = MinHash.bulk(encoded, num_perm=PERMUTATIONS)
    for number, key in enumerate(keys):
        for other in index.query(key):
            key.jaccard(keys[other])
        index.insert(number, key)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs=2, type=Path)
    parser.add_argument("--news", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[2810, 5000, 10000, 20000, 40000, 100000])
    parser.add_argument("--naive", type=int, default=20_000)
    parser.add_argument("--all-keys", type=int, default=40_000)
    parser.add_argument("--exact", type=int, default=100_000)
    parser.add_argument("--peer", type=int, default=10_000)
    options = parser.parse_args()
    real = [content_words(text) for path in options.files for text in read_texts(path).values()]
    wanted = max(options.sizes) - len(real)
    if options.news:
        dummies = [words for words, _ in zip(news_sentences(options.news), range(wanted), strict=False)]
    else:
        dummies = made_sentences(wanted)
    everything = real + dummies
    methods: dict[str, tuple[int, Callable[[WordSets], Any]]] = {
        "naive": (options.naive, naive),
        "all keys": (options.all_keys, by_all_keys),
        "exact": (options.exact, lambda sets: exact_pairs(sets, PAPERS_THRESHOLD)),
        "minhash off": (sys.maxsize, lambda sets: estimated_pairs(sets, PAPERS_THRESHOLD)),
        "minhash": (sys.maxsize, lambda sets: estimated_pairs(sets, PAPERS_THRESHOLD, max_entry=GUARD)),
        "bands": (sys.maxsize, lambda sets: banded_pairs(sets, PAPERS_THRESHOLD)),
    }
    few = word_sets(real[:100])
    for _, work in methods.values():
        work(few)
    sys.stdout.write("\t".join((*COLUMNS, "pairs", "lost")) + "\n")
    for size in options.sizes:
        row = [str(size), *figures(everything[:size], methods, peer=size <= options.peer)]
        sys.stdout.write("\t".join(row) + "\n")
        sys.stdout.flush()


def figures(
    texts: list[list[str]], methods: dict[str, tuple[int, Callable[[WordSets], Any]]], *, peer: bool
) -> list[str]:
    """The cells of a row after the number of texts."""
    sets = word_sets(texts)
    cells, counts = [], {}
    for name, (largest, work) in methods.items():
        if len(texts) > largest:
            cells.append("-")
            continue
        taken = []
        for _ in range(2 if len(texts) <= 20_000 else 1):
            began = time.process_time()
            counts[name] = work(sets)
            taken.append(time.process_time() - began)
        cells.append(f"{min(taken):.3f}")
    measured = peer and "datasketch" not in absent()
    cells.append(f"{seconds(lambda: by_datasketch(texts)):.3f}" if measured else "-")
    pairs, guarded = len(counts["minhash off"]), len(counts["minhash"])
    return [*cells, str(guarded), str(pairs - guarded)]


if __name__ == "__main__":
    main()
