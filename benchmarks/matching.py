"""Matching by shared words beside datasketch, rensa and scipy: signatures and joins."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.data import sentences_to_match
from benchmarks.measuring import Row, cost, installed, missing, ratio, side_by_side
from paragold.matching.similar_pairs import (
    WordSets,
    banded_pairs,
    estimated_pairs,
    exact_pairs,
    signatures,
    word_sets,
)

PERMUTATIONS = 128
SAMPLE = 1_000
ROWS_AT_ONCE = 512
Sentences = list[list[str]]


def compile_all() -> None:
    """Neither compiling nor loading a peer is measured."""
    few = word_sets(sentences_to_match(100))
    for work in (signatures, lambda sets: exact_pairs(sets, 0.5), lambda sets: banded_pairs(sets, 0.5)):
        work(few)
    estimated_pairs(few, 0.5)
    if installed("datasketch"):
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


def plain_bands(sentences: Sentences, threshold: float, bands: int = 32, rows: int = 4) -> int:
    """Bands as a textbook has them, with dictionaries: how many pairs they find whose signatures agree."""
    keys = signatures(word_sets(sentences), bands * rows)
    found: set[tuple[int, int]] = set()
    for band in range(bands):
        buckets: dict[bytes, list[int]] = {}
        for number, key in enumerate(keys[:, band * rows : (band + 1) * rows]):
            bucket = buckets.setdefault(key.tobytes(), [])
            found.update((other, number) for other in bucket)
            bucket.append(number)
    return sum((keys[one] == keys[other]).mean() >= threshold for one, other in found)


def by_datasketch(sentences: Sentences, threshold: float) -> None:
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS)
    encoded = [{word.encode() for word in words} for words in sentences]
    keys = MinHash.bulk(encoded, num_perm=PERMUTATIONS)
    for number, key in enumerate(keys):
        for other in index.query(key):
            key.jaccard(keys[other])
        index.insert(number, key)


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
    }
    peers = {"datasketch": (few, sign_by_datasketch), "rensa": (some, sign_by_rensa)}
    for name, (share, sign) in peers.items():
        if installed(name):
            contenders[name] = (len(share), partial(sign, share))
    rows = side_by_side(contenders, rounds)
    return rows + [missing(name) for name in peers if not installed(name)]


def join(*, sentences: int = 500_000, exact: int = 50_000, threshold: float = 0.5) -> list[Row]:
    """Pairs above a Jaccard: bands with their recall, exact, and scipy, plain bands and datasketch.

    The peers join a tenth of the sentences that the exact join has.
    """
    compile_all()
    sets = word_sets(sentences_to_match(sentences))
    with cost() as row:
        pairs = banded_pairs(sets, threshold)
    recall, partners = recall_of_bands(sets, set(pairs[["first", "second"]].tolist()), threshold)
    found = {"recall": round(recall, 4), "recall_of": partners}
    rows: list[Row] = [{"who": "bands", "sentences": sentences, "pairs": len(pairs)} | row | found]
    texts = sentences_to_match(exact, seed=3)
    few = texts[: max(exact // 10, 1)]
    works: dict[str, tuple[Sentences, Callable[[Sentences], Any]]] = {
        "exact": (texts, lambda some: exact_pairs(word_sets(some), threshold)),
        "scipy, X X^T": (texts, lambda some: by_scipy(word_sets(some), threshold)),
        "bands, fewer": (few, lambda some: banded_pairs(word_sets(some), threshold)),
        "plain bands": (few, lambda some: plain_bands(some, threshold)),
        "datasketch": (few, lambda some: by_datasketch(some, threshold)),
    }
    if not installed("datasketch"):
        rows.append(missing("datasketch"))
        del works["datasketch"]
    for who, (some, work) in works.items():
        with cost() as spent:
            work(some)
        rows.append({"who": who, "sentences": len(some), "cpu_s": spent["cpu_s"]})
    by = {row["who"]: row for row in rows}
    for peer, ours in (
        ("scipy, X X^T", "exact"),
        ("plain bands", "bands, fewer"),
        ("datasketch", "bands, fewer"),
    ):
        if "cpu_s" in by.get(peer, {}):
            by[peer]["times_ours"] = ratio(by[peer]["cpu_s"], by[ours]["cpu_s"])
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
