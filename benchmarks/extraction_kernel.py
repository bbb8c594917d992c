"""Speed of the kernel beside loops over rapidfuzz and nltk, on the same pairs, one core.

Kernel and loop find their texts prepared: the loop as lists of tokens, the kernel as numbers. What turning
words into numbers costs is told by the ratio with encoding.
"""

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import combinations, islice
from statistics import median
from time import process_time
from typing import Any

from rapidfuzz.distance import Levenshtein

from benchmarks.news_like_clusters import NewsWriter
from paragold.extraction.cluster import get_kernel
from paragold.extraction.criteria import Criteria
from paragold.extraction.methods import DistinctSentences
from paragold.extraction.presets import get_preset
from paragold.extraction.rapidfuzz_blocks import Window

Hits = set[tuple[int, int, int]]
NLTK_PAIRS = 500


def pairs_in_window(texts: DistinctSentences, criteria: Criteria) -> Iterator[tuple[int, int]]:
    lengths = texts.lengths.tolist()
    longest = [criteria.longest_partner(length) for length in lengths]
    return ((a, b) for a, b in combinations(range(len(texts)), 2) if lengths[b] <= longest[a])


def measured(clusters: list[DistinctSentences], criteria: Criteria) -> tuple[float, float, list[Hits]]:
    """CPU seconds in which the kernel encodes words, and in which it finds the hits, and these."""
    kernel = get_kernel()
    started = process_time()
    prepared = [kernel(texts.compared) for texts in clusters]
    encoded = process_time()
    found = [
        list(one.hits(Window.of(texts.lengths, criteria), [range(len(texts))]))
        for one, texts in zip(prepared, clusters, strict=True)
    ]
    ended = process_time()
    return (
        encoded - started,
        ended - encoded,
        [
            {hit for block in blocks for hit in zip(*(part.tolist() for part in block), strict=True)}
            for blocks in found
        ],
    )


def loop(clusters: list[DistinctSentences], criteria: Criteria) -> tuple[float, list[Hits]]:
    """CPU seconds of one call for each pair on lists of tokens; finding the window is not timed."""
    cutoff = criteria.max_edit_distance
    assert cutoff is not None
    seconds = 0.0
    hits = []
    distance = Levenshtein.distance
    for texts in clusters:
        pairs = list(pairs_in_window(texts, criteria))
        tokens = [list(text) for text in texts.tokens]
        found = set()
        started = process_time()
        for a, b in pairs:
            apart = distance(tokens[a], tokens[b], score_cutoff=cutoff)
            if apart <= cutoff:
                found.add((a, b, apart))
        seconds += process_time() - started
        hits.append(found)
    return seconds, hits


def nltk_pairs_per_s(texts: DistinctSentences, criteria: Criteria) -> float | None:
    if find_spec("nltk") is None:
        return None
    from nltk.metrics.distance import edit_distance

    pairs = list(islice(pairs_in_window(texts, criteria), 0, None, 7))[:NLTK_PAIRS]
    started = process_time()
    for a, b in pairs:
        edit_distance(texts.tokens[a], texts.tokens[b])
    return len(pairs) / (process_time() - started)


def compare(*, seed: int, clusters: int, rounds: int) -> dict[str, Any]:
    """The figures as JSON holds them. Exits when kernel and loop find different pairs."""
    criteria = get_preset("L12-2004-word").criteria
    writer = NewsWriter(seed)
    written = [writer.cluster(number) for number in range(clusters)]
    texts = [DistinctSentences(range(len(one)), one.tokens, criteria.shared_word_length) for one in written]
    compared = sum(sum(1 for _ in pairs_in_window(one, criteria)) for one in texts)
    loop_seconds: list[float] = []
    seconds: list[float] = []
    seconds_with_encoding: list[float] = []
    measured(texts[:1], criteria)  # Compiling is not measured.
    # In turns, so that a busy moment of the machine meets both; one run of either proves little.
    for _ in range(rounds):
        taken, expected = loop(texts, criteria)
        loop_seconds.append(taken)
        encoding, taken, found = measured(texts, criteria)
        seconds.append(taken)
        seconds_with_encoding.append(encoding + taken)
        if found != expected:
            sys.exit("The kernel and the loop disagree: the figures would mean nothing.")
    ratios = [a / b for a, b in zip(loop_seconds, seconds, strict=True)]
    with_encoding = median(loop_seconds) / median(seconds_with_encoding)
    nltk = nltk_pairs_per_s(texts[0], criteria)
    speed = compared / median(seconds)
    return {
        "kernel_pairs": compared,
        "kernel_pairs_within_distance": sum(map(len, expected)),
        "kernel_pairs_per_s": round(speed),
        "kernel_ratio_vs_rapidfuzz_loop": round(median(ratios), 1),
        "kernel_ratio_range": [round(min(ratios), 1), round(max(ratios), 1)],
        "kernel_ratio_with_encoding": round(with_encoding, 1),
        "rapidfuzz_loop_pairs_per_s": round(compared / median(loop_seconds)),
        "nltk_pairs_per_s": None if nltk is None else round(nltk),
        "kernel_ratio_vs_nltk": None if nltk is None else round(speed / nltk),
    }
