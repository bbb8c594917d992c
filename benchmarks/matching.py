"""Matching by shared words: signatures beside datasketch and rensa, joins beside scipy."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from statistics import median
from typing import Any
from zlib import crc32

import numpy as np
from scipy import sparse

from benchmarks.measuring import Row, cost, ratio, seconds
from paragold.matching.similar_pairs import (
    WordSets,
    banded_pairs,
    estimated_pairs,
    exact_pairs,
    signatures,
    word_sets,
)
from tests.factories.made_up import sentences_to_match

PERMUTATIONS = 128
SAMPLE = 1_000
ROWS_AT_ONCE = 512
BANDS, PRIME = 32, (1 << 31) - 1
Sentences = list[list[str]]


def compile_all() -> None:
    """Neither compiling nor loading a peer is measured."""
    few = word_sets(sentences_to_match(100))
    signatures(few)
    for work in (exact_pairs, banded_pairs, estimated_pairs):
        work(few, 0.5)
    sign_by_datasketch(sentences_to_match(10))


def by_scipy(sets: WordSets, threshold: float) -> None:
    """Every pair by a sparse product, some rows at a time."""
    matrix = sparse.csr_matrix((np.ones(sets.codes.size), sets.codes, sets.offsets))
    columns = matrix.T.tocsc()
    for start in range(0, len(sets), ROWS_AT_ONCE):
        shared = (matrix[start : start + ROWS_AT_ONCE] @ columns).tocoo()
        first = shared.row + start
        jaccard = shared.data / (sets.sizes[first] + sets.sizes[shared.col] - shared.data)
        np.flatnonzero((first < shared.col) & (jaccard >= threshold))


def by_text_dedup(sentences: Sentences) -> int:
    """Clusters as text-dedup makes them: signatures by NumPy, a dictionary for each band, union-find."""
    random = np.random.default_rng(1)
    factors, terms = (random.integers(1, PRIME, PERMUTATIONS, dtype=np.uint64) for _ in range(2))
    tables: list[dict[bytes, list[int]]] = [defaultdict(list) for _ in range(BANDS)]
    for number, words in enumerate(sentences):
        codes = np.array([crc32(word.encode()) for word in set(words)], dtype=np.uint64)
        permuted = ((codes[:, None] * factors + terms) % np.uint64(PRIME)).min(axis=0)
        for table, band in zip(tables, permuted.reshape(BANDS, -1), strict=True):
            table[band.tobytes()].append(number)
    leaders = list(range(len(sentences)))

    def leader(number: int) -> int:
        while leaders[number] != number:
            leaders[number] = number = leaders[leaders[number]]
        return number

    for first, *others in (bucket for table in tables for bucket in table.values()):
        for other in others:
            leaders[leader(other)] = leader(first)
    return len({leader(number) for number in range(len(sentences))})


def sign_by_datasketch(sentences: Sentences) -> None:
    from datasketch import MinHash

    MinHash.bulk([{word.encode() for word in words} for words in sentences], num_perm=PERMUTATIONS)


def sign_by_rensa(sentences: Sentences) -> None:
    from rensa import RMinHash

    for words in sentences:
        signature = RMinHash(num_perm=PERMUTATIONS, seed=1)
        signature.update(words)
        signature.digest()


def minhash(*, sentences: int = 200_000, rounds: int = 3) -> list[Row]:
    """MinHash signatures, m = 128, from lists of words, beside datasketch and rensa.

    One core, processor time, the median of the rounds; peers sign a share of the sentences. `coded` begins
    with words that are numbers already.
    """
    compile_all()
    texts = sentences_to_match(sentences, seed=3)
    sets = word_sets(texts)
    few, some = texts[: max(len(texts) // 100, 1)], texts[: max(len(texts) // 4, 1)]
    contenders: dict[str, tuple[int, Callable[[], Any]]] = {
        "paragold": (len(texts), lambda: signatures(word_sets(texts), PERMUTATIONS)),
        "paragold, coded": (len(texts), lambda: signatures(sets, PERMUTATIONS)),
        "datasketch": (len(few), lambda: sign_by_datasketch(few)),
        "rensa": (len(some), lambda: sign_by_rensa(some)),
    }
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, (size, work) in contenders.items():
            rates[name].append(size / seconds(work))
    medians = {name: median(of_rounds) for name, of_rounds in rates.items()}
    return [
        {"who": name, "sentences_per_s": round(rate), "ratio_to_it": ratio(medians["paragold"], rate)}
        for name, rate in medians.items()
    ]


def join(*, sentences: int = 500_000, exact: int = 50_000, threshold: float = 0.5) -> list[Row]:
    """Pairs above a Jaccard: bands with their recall, beside text-dedup; and exact, beside scipy."""
    compile_all()
    sets = word_sets(sentences_to_match(sentences))
    with cost() as row:
        pairs = banded_pairs(sets, threshold)
    recall, partners = recall_of_bands(sets, set(pairs[["first", "second"]].tolist()), threshold)
    found = {"recall": round(recall, 4), "recall_of": partners}
    rows: list[Row] = [{"who": "bands", "sentences": sentences, "pairs": len(pairs)} | row | found]
    texts = sentences_to_match(exact, seed=3)
    for who, work in (("exact", exact_pairs), ("scipy, X X^T", by_scipy)):
        with cost() as spent:
            work(word_sets(texts), threshold)
        rows.append({"who": who, "sentences": len(texts), "cpu_s": spent["cpu_s"]})
    rows[-1]["times_ours"] = ratio(rows[-1]["cpu_s"], rows[-2]["cpu_s"])
    with cost() as ours:
        banded_pairs(word_sets(texts), threshold)
    with cost() as theirs:
        by_text_dedup(texts)
    rows.append({"who": "bands", "sentences": len(texts), "cpu_s": ours["cpu_s"]})
    rows.append({"who": "text-dedup", "sentences": len(texts), "cpu_s": theirs["cpu_s"]})
    rows[-1]["times_ours"] = ratio(theirs["cpu_s"], ours["cpu_s"])
    return rows


def recall_of_bands(sets: WordSets, found: set[tuple[int, int]], threshold: float) -> tuple[float, int]:
    """The share of the exact partners of a sample of texts that bands found, and how many those are."""
    sample = np.random.default_rng(2).choice(len(sets), min(SAMPLE, len(sets)), replace=False)
    # The sample first, then all, as two files.
    order = np.concatenate((sample, np.arange(len(sets))))
    pairs = exact_pairs(sets.take(order), threshold, split=sample.size)
    true = {
        (int(min(one, other)), int(max(one, other)))
        for one, other in zip(order[pairs["first"]], order[pairs["second"]], strict=True)
        if one != other
    }
    return len(true & found) / max(len(true), 1), len(true)
