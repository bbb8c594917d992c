"""Pairs by meaning beside Jaccard and edit distance: precision, recall, and what only one method finds."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist
from sklearn.preprocessing import MultiLabelBinarizer

from benchmarks.measuring import DATA, ECB, Row, cost
from paragold.arrays import Flags, Floats, Integers
from paragold.extraction.rapidfuzz_blocks import encode_words
from paragold.languages import ENGLISH
from paragold.matching.files import answer_key_of, read_files
from paragold.matching.similar_pairs import content_words
from paragold.text.encoder import LAST, LAYER, open_encoder
from replication.wubben_2009 import first_sentences_of_topics

LEAGUES = ("mercier_part_one.tsv", "walter_part_one.tsv", "silver_paragraph_key_part_one.tsv")
EDIT, JACCARD = "1 - edit distance / longer", "Jaccard"


class Candidates(NamedTuple):
    """Texts, the pairs of them that are looked at, as numbers (p,), and which of those are right (p,)."""

    texts: list[str]
    first: Integers
    second: Integers
    right: Flags


def meaning(*, encoder: str = "default", most: int = 0) -> list[Row]:
    """Precision and recall of each method at its best F, on Leagues and on first sentences of ECB+.

    Leagues: paragraphs of two translations and their key, all pairs. ECB+: the first sentences of each
    topic, right where they are of the same of its two events. `alone`: right pairs that no other method finds
    at its own best F. The vectors are of the third layer of the encoder and of its last one. `most` bounds
    the texts of a file.
    """
    rows: list[Row] = []
    for name, candidates in {"Leagues": leagues(most), "ECB+": ecb(most)}.items():
        with cost() as spent:
            scores = by_words(candidates) | by_vectors(candidates, encoder)
        found = {}
        for method, own in scores.items():
            row, found[method] = at_best_f(own, candidates.right)
            rows.append({"set": name, "pairs": int(candidates.right.sum()), "method": method} | row)
        for row, method in zip(rows[-len(scores) :], found, strict=True):
            others = [
                of_other
                for other, of_other in found.items()
                # The two layers of the encoder are one method.
                if other != method and not {other, method} <= {*scores} - {EDIT, JACCARD}
            ]
            row["alone"] = int((found[method] & candidates.right & ~np.any(others, axis=0)).sum())
        rows[-1] |= {"cpu_s of all": spent["cpu_s"]}
    return rows


def leagues(most: int) -> Candidates:
    paths = [DATA / "leagues" / name for name in LEAGUES]
    files = read_files(paths[:2])
    key = answer_key_of(paths[2], files)
    split = len(files[0])
    texts = [text for file in files for text in file.values()]
    first, second = (
        numbers.ravel() for numbers in np.mgrid[: most or split, split : split + most if most else len(texts)]
    )
    right = np.fromiter((pair in key for pair in zip(first.tolist(), second.tolist(), strict=True)), bool)
    return Candidates(texts, first, second, right)


def ecb(most: int) -> Candidates:
    texts: list[str] = []
    pairs: list[tuple[int, int, bool]] = []
    for events in first_sentences_of_topics(Path(ECB)):
        own = [
            (len(texts) + n, event)
            for n, event in enumerate(e for e, some in enumerate(events) for _ in some)
        ]
        texts += [text for some in events for text in some]
        pairs += [(a, b, one == other) for (a, one), (b, other) in combinations(own, 2)]
        if most and len(texts) >= most:
            break
    first, second, right = np.array(pairs, dtype=np.int64).T
    return Candidates(texts, first, second, right.astype(bool))


def by_words(candidates: Candidates) -> dict[str, Floats]:
    texts, first, second, _ = candidates
    words = [[token.lower() for token in ENGLISH.tokens(text)[0]] for text in texts]
    coded = encode_words(words)
    edit = cpdist(
        [coded[n] for n in first.tolist()],
        [coded[n] for n in second.tolist()],
        scorer=Levenshtein.normalized_similarity,
        dtype=np.float32,
    )
    sets = MultiLabelBinarizer(sparse_output=True).fit_transform([content_words(text) for text in texts])
    sets = sets.astype(np.int32)
    shared = np.asarray((sets @ sets.T).toarray())[first, second]
    sizes = np.asarray(sets.sum(axis=1)).ravel()
    return {EDIT: edit, JACCARD: shared / np.maximum(sizes[first] + sizes[second] - shared, 1)}


def by_vectors(candidates: Candidates, encoder: str) -> dict[str, Floats]:
    words = [ENGLISH.tokens(text)[0] for text in candidates.texts]
    vectors = open_encoder(encoder, LAYER, LAST).means_of_layers(words)
    return {
        f"vectors, {layer} layer": (own @ own.T)[candidates.first, candidates.second]
        for layer, own in zip(("third", "last"), vectors, strict=True)
    }


def at_best_f(scores: Floats, right: Flags) -> tuple[Row, Flags]:
    """Figures at the threshold with the highest F, scores rounded to two digits, and what is found there."""
    scores = np.round(scores.astype(float), 2)
    order = np.argsort(-scores, kind="stable")
    hits, ranks = np.cumsum(right[order]), np.arange(1, len(order) + 1)
    last = np.append(np.diff(scores[order]) < 0, True)
    f = np.where(last, 2 * hits / (ranks + right.sum()), 0)
    place = int(f.argmax())
    threshold = float(scores[order][place])
    figures: Row = {
        "threshold": threshold,
        "precision": round(100 * hits[place] / ranks[place], 1),
        "recall": round(100 * hits[place] / right.sum(), 1),
        "f": round(100 * float(f[place]), 1),
    }
    return figures, scores >= threshold
