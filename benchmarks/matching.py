"""Speed of matching texts beside datasketch, rensa and scipy. Prints JSON.

    python -m benchmarks.matching [--sentences 500000] [--signed 200000] [--rounds 3]

Sentences are made: 8 to 24 words drawn by Zipf's law from 200,000, and for every fifth sentence a copy with
one to six words exchanged, so that Jaccard runs through the threshold. All contenders get the same lists of
words. Signatures are timed from lists of words (coding the words is part of it) and from coded words;
datasketch and rensa sign a share of the sentences, so that a run ends soon. Rates are of the median round,
by processor time on one core, which other work on the machine disturbs least; joins have seconds by the clock
and by the processor. The recall of the bands is against the exact partners of a sample. Every kernel is
compiled before it is timed. Without datasketch or rensa (requirements-dev.txt has both) their ratio is null.
"""

import argparse
import json
import os
import platform
import resource
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from statistics import median
from typing import Any

import numpy as np

from benchmarks import array_kernels
from paragold.matching.similar_pairs import (
    WordSets,
    banded_pairs,
    banding_for,
    exact_pairs,
    signatures,
    word_sets,
)

PERMUTATIONS = 128
THRESHOLD = 0.5
EXACT_SENTENCES = 50_000
SAMPLE = 1_000
VOCABULARY = 200_000
PEERS = ("datasketch", "rensa")


def made_sentences(count: int, seed: int = 1) -> list[list[str]]:
    random = np.random.default_rng(seed)
    names = np.array([f"word{number}" for number in range(VOCABULARY)], dtype=object)
    shares = 1 / (np.arange(VOCABULARY) + 20.0)
    cumulative = np.cumsum(shares / shares.sum())
    lengths = random.integers(8, 25, count)
    drawn = np.searchsorted(cumulative, random.random(int(lengths.sum()))).clip(max=VOCABULARY - 1)
    sentences = np.split(drawn, np.cumsum(lengths)[:-1])
    for index in range(0, count - 1, 5):
        copy = sentences[index].copy()
        places = random.choice(copy.size, random.integers(1, 7), replace=False)
        copy[places] = np.searchsorted(cumulative, random.random(places.size)).clip(max=VOCABULARY - 1)
        sentences[index + 1] = copy
    order = random.permutation(count)
    return [names[sentences[index]].tolist() for index in order]


def seconds(work: Callable[[], Any]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def sign_by_datasketch(sentences: list[list[str]]) -> None:
    from datasketch import MinHash

    encoded = [{word.encode() for word in words} for words in sentences]
    MinHash.bulk(encoded, num_perm=PERMUTATIONS)


def sign_by_rensa(sentences: list[list[str]]) -> None:
    from rensa import RMinHash

    for words in sentences:
        signature = RMinHash(num_perm=PERMUTATIONS, seed=1)
        signature.update(words)
        signature.digest()


def absent() -> list[str]:
    """The peers that are not installed."""
    return [name for name in PEERS if find_spec(name) is None]


def signature_rates(sentences: list[list[str]], rounds: int) -> dict[str, float]:
    """Sentences a second of each contender, each in turn in each round."""
    sets = word_sets(sentences)
    few, some = sentences[: max(len(sentences) // 100, 1)], sentences[: max(len(sentences) // 4, 1)]
    contenders: dict[str, tuple[int, Callable[[], Any]]] = {
        "paragold": (len(sentences), lambda: signatures(word_sets(sentences), PERMUTATIONS)),
        "paragold_coded": (len(sentences), lambda: signatures(sets, PERMUTATIONS)),
        "datasketch": (len(few), lambda: sign_by_datasketch(few)),
        "rensa": (len(some), lambda: sign_by_rensa(some)),
    }
    contenders = {name: contender for name, contender in contenders.items() if name not in absent()}
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, (size, work) in contenders.items():
            rates[name].append(size / seconds(work))
    return {name: median(values) for name, values in rates.items()}


def recall_of_bands(sets: WordSets, found: set[tuple[int, int]]) -> tuple[float, int]:
    """The share of the exact partners of a sample of texts that bands found, and how many those are."""
    sample = np.random.default_rng(2).choice(len(sets), min(SAMPLE, len(sets)), replace=False)
    # The sample first, then all, as two files.
    order = np.concatenate((sample, np.arange(len(sets))))
    pairs = exact_pairs(sets.take(order), THRESHOLD, split=sample.size)
    true = {
        (int(min(one, other)), int(max(one, other)))
        for one, other in zip(order[pairs["first"]], order[pairs["second"]], strict=True)
        if one != other
    }
    return len(true & found) / max(len(true), 1), len(true)


def megabytes() -> int:
    """The most memory this process has held so far."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(most / (1024 if sys.platform != "darwin" else 1024 * 1024))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sentences", type=int, default=500_000)
    parser.add_argument("--signed", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    load = os.getloadavg()[0]
    few = word_sets(made_sentences(100))
    if "datasketch" not in absent():
        sign_by_datasketch(made_sentences(10))
    for work in (signatures, lambda sets: exact_pairs(sets, 0.5), lambda sets: banded_pairs(sets, 0.5)):
        work(few)

    sets = word_sets(made_sentences(arguments.sentences))
    began, cpu_began = time.perf_counter(), time.process_time()
    joined = banded_pairs(sets, THRESHOLD)
    join_seconds, join_cpu_seconds = time.perf_counter() - began, time.process_time() - cpu_began
    memory = megabytes()
    found = set(joined[["first", "second"]].tolist())
    recall, partners = recall_of_bands(sets, found)
    del sets, found

    sentences = made_sentences(max(EXACT_SENTENCES, arguments.signed), seed=3)
    exact_sets = word_sets(sentences[:EXACT_SENTENCES])
    began = time.perf_counter()
    exact_cpu_seconds = seconds(lambda: exact_pairs(exact_sets, THRESHOLD))
    exact_seconds = time.perf_counter() - began
    scipy_seconds = seconds(
        lambda: array_kernels.similar_sets(exact_sets.offsets, exact_sets.codes, THRESHOLD, 0)
    )
    rates = signature_rates(sentences[: arguments.signed], arguments.rounds)
    banding = banding_for(THRESHOLD)
    report = {
        "signatures_per_s_m128": round(rates["paragold"]),
        "signatures_per_s_m128_coded": round(rates["paragold_coded"]),
        **{f"ratio_vs_{name}": round(rates["paragold"] / rates[name], 2) for name in rates if name in PEERS},
        **{f"ratio_vs_{name}": None for name in absent()},
        "join_500k_s": round(join_seconds, 2),
        "join_500k_cpu_s": round(join_cpu_seconds, 2),
        "join_500k_recall": round(recall, 4),
        "join_500k_pairs": len(joined),
        "recall_sample_pairs": partners,
        "bands": list(banding),
        "exact_50k_s": round(exact_seconds, 2),
        "exact_50k_cpu_s": round(exact_cpu_seconds, 2),
        "exact_50k_scipy_cpu_s": round(scipy_seconds, 2),
        "rss_mb": memory,
        "sentences": arguments.sentences,
        "signed": arguments.signed,
        "rounds": arguments.rounds,
        "load_before": round(load, 1),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "numba", "scipy", "pyarrow")},
        **{name: None if name in absent() else version(name) for name in PEERS},
    }
    sys.stdout.write(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
