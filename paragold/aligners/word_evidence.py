"""The values of the sources of evidence_sources.py for the words of a sentence pair."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.cooccurrences import Vocabulary
from paragold.aligners.evidence_sources import PARAPHRASES, WORD_NAMES, WORD_SOURCES
from paragold.aligners.expectation_maximisation import FloatArray
from paragold.aligners.grids import shifted
from paragold.formats.model_files import content_hash
from paragold.formats.tables import read_tsv
from paragold.problems import FileProblem

Contents = tuple[dict[str, NDArray[Any]], dict[str, Any]]
"""The numbers of a source by name, and all the rest as JSON can hold it."""
LONGEST_PHRASE = 7
"""In words; longer phrases of a file are passed over."""


class WordEvidence(ABC):
    """What one source says of the words of a sentence pair; `source` is its id in WORD_SOURCES."""

    def __init__(self, source: str) -> None:
        self.source = WORD_SOURCES.get(source)
        self.file = ""
        """SHA-256 of the file that it was read from; "" for none."""

    @abstractmethod
    def values(self, source: Sequence[str], target: Sequence[str]) -> FloatArray:
        """Shape (I, J, columns of the source), for I source and J target words in lower case.

        From -1 to 1, 0 where nothing is known and for equal words; the same when both sides change places.
        """

    def candidates(self, values: FloatArray) -> NDArray[np.bool_]:
        """Where `values` alone make a link a candidate, I x J; nowhere unless a subclass says so."""
        return np.zeros(values.shape[:2], dtype=bool)

    @abstractmethod
    def contents(self) -> Contents:
        """What a file of an aligner holds of it, for `restore`."""

    @classmethod
    @abstractmethod
    def restore(
        cls, source: str, numbers: dict[str, NDArray[Any]], description: dict[str, Any]
    ) -> WordEvidence:
        """The evidence whose `contents` these are."""

    @property
    def signature(self) -> str:
        """Changes whenever a value may."""
        file = f",file:{self.file[:16]}" if self.file else ""
        return f"{self.source.id}:{content_hash(*self.contents())[:16]}{file}"


class ScoredPair(NamedTuple):
    """Two words or phrases that may stand for each other; the higher the score, the better."""

    first: str
    second: str
    score: float


class PhrasePairs(WordEvidence):
    """A lexicon of words and phrases.

    Its values are the share of its pairs that are not better: 1 for the best pair, near 0 for the last. Of
    phrases of several words all words are related to all.
    """

    def __init__(self, source: str, pairs: Iterable[ScoredPair]) -> None:
        super().__init__(source)
        best: dict[tuple[str, str], float] = {}
        for pair in pairs:
            first, second = sorted(" ".join(phrase.lower().split()) for phrase in pair[:2])
            if first != second and first and second:
                best[first, second] = max(pair.score, best.get((first, second), -np.inf))
        self.pairs = {words: best[words] for words in sorted(best)}
        scores = np.sort(np.array(list(self.pairs.values())))
        shares = np.searchsorted(scores, list(self.pairs.values()), side="right") / max(1, len(scores))
        self._partners: dict[tuple[str, ...], dict[tuple[str, ...], float]] = defaultdict(dict)
        for words, share in zip(self.pairs, shares.tolist(), strict=True):
            one, other = (tuple(phrase.split(" ")) for phrase in words)
            if max(len(one), len(other)) <= LONGEST_PHRASE:
                self._partners[one][other] = self._partners[other][one] = share
        self._lengths = sorted({len(phrase) for phrase in self._partners})

    def values(self, source: Sequence[str], target: Sequence[str]) -> FloatArray:
        values = np.zeros((len(source), len(target), len(self.source.columns)))
        places = self._places(target)
        for phrase, starts in self._places(source).items():
            for other in places.keys() & self._partners[phrase].keys():
                share, column = self._partners[phrase][other], int(len(phrase) + len(other) > 2)
                for i in starts:
                    for j in places[other]:
                        block = values[i : i + len(phrase), j : j + len(other), column]
                        np.maximum(block, share, out=block)
        values[np.array([[a == b for b in target] for a in source], dtype=bool).reshape(values.shape[:2])] = 0
        return values

    def _places(self, words: Sequence[str]) -> dict[tuple[str, ...], list[int]]:
        """Where the phrases begin that the lexicon has."""
        places: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for length in self._lengths:
            for start in range(len(words) - length + 1):
                phrase = tuple(words[start : start + length])
                if phrase in self._partners:
                    places[phrase].append(start)
        return places

    def candidates(self, values: FloatArray) -> NDArray[np.bool_]:
        return np.asarray(values.max(axis=2) > 0)

    def contents(self) -> Contents:
        words = Vocabulary("\t".join(pair) for pair in self.pairs).as_bytes()
        return {"pairs": words, "scores": np.array(list(self.pairs.values()))}, {}

    @classmethod
    def restore(
        cls, source: str, numbers: dict[str, NDArray[Any]], description: dict[str, Any]
    ) -> PhrasePairs:
        lines = (line.split("\t") for line in Vocabulary.of_bytes(numbers["pairs"]).numbers)
        scores = numbers["scores"].tolist()
        return cls(
            source, (ScoredPair(one, other, score) for (one, other), score in zip(lines, scores, strict=True))
        )


def read_phrase_pairs(path: Path, source: str) -> PhrasePairs:
    """A lexicon of a file: a word or phrase, another one and, if there is one, a score, separated by tabs.

    A file with a header has the columns `first` and `second`, the best pair first, as `associate-words` and
    `phrase-pairs` write it. Raises FileProblem.
    """

    def ranked(fields: list[str], number: int) -> ScoredPair:
        if len(fields) != width:
            raise FileProblem(
                f"{len(fields)} columns instead of {width}.", "Separate the columns by single tabs."
            )
        return ScoredPair(fields[places[0]], fields[places[1]], -number)

    def scored(fields: list[str], number: int) -> ScoredPair:
        if len(fields) not in (2, 3):
            remedy = "Write a phrase, a phrase and, if there is one, a score, separated by tabs."
            raise FileProblem(f"{len(fields)} columns instead of 2 or 3.", remedy)
        try:
            score = float(fields[2]) if len(fields) == 3 else 0.0
        except ValueError:
            score = np.nan
        if not np.isfinite(score):
            column = len(fields[0]) + len(fields[1]) + 3
            raise FileProblem(f"The score {fields[2]!r} is not a number.", "Write it as 3.5.", column)
        return ScoredPair(fields[0], fields[1], score)

    places, width = (0, 1), 0

    def layout(fields: list[str]) -> tuple[Any, bool]:
        nonlocal places, width
        if not {"first", "second"} <= set(fields):
            return scored, False
        places, width = (fields.index("first"), fields.index("second")), len(fields)
        return ranked, True

    nothing = FileProblem("It has no pairs.", "Write a phrase, a tab and a phrase a line.")
    return PhrasePairs(source, read_tsv(path, layout, nothing))


def count_phrase_pairs(path: Path) -> Iterator[int]:
    """Gives once how many different pairs a lexicon's file has. Raises FileProblem as `read_phrase_pairs`."""
    yield len(read_phrase_pairs(path, PARAPHRASES).pairs)


class WordVectors(WordEvidence):
    """Vectors of words, whose cosine tells how similar the contexts are in which they are used.

    `vectors` has a row for each of `words`; rows are scaled to length 1 and kept in 16 bits. The columns of
    its values: the cosine; its square; whether no other word of either sentence is more similar; the mean
    cosine of the words before and after. The first three are 0 where the cosine is below 0.
    """

    def __init__(self, source: str, words: Sequence[str], vectors: NDArray[Any]) -> None:
        super().__init__(source)
        self._given = words, vectors

    @cached_property
    def table(self) -> tuple[Vocabulary, NDArray[np.float16]]:
        """The words, and a row for each."""
        words, vectors = self._given
        return Vocabulary(words), scaled(vectors)

    def values(self, source: Sequence[str], target: Sequence[str]) -> FloatArray:
        if not source or not target:
            return np.zeros((len(source), len(target), len(self.source.columns)))
        cosine = (self._rows(source) @ self._rows(target).T).clip(-1, 1).astype(float)
        around = (shifted(cosine, -1, -1) + shifted(cosine, 1, 1)) / 2
        different = np.array([[a != b for b in target] for a in source])
        cosine = different * cosine.clip(min=0)
        highest = np.maximum(cosine.max(axis=0, keepdims=True), cosine.max(axis=1, keepdims=True))
        best = (cosine > 0) & (cosine >= highest)
        return np.stack([cosine, cosine**2, best, different * around], axis=2)

    def _rows(self, words: Sequence[str]) -> NDArray[np.float32]:
        vocabulary, vectors = self.table
        rows = np.zeros((len(words), vectors.shape[1]), dtype=np.float32)
        for place, word in enumerate(words):
            number = vocabulary.numbers.get(word)
            if number is not None:
                rows[place] = vectors[number]
        return rows

    def contents(self) -> Contents:
        vocabulary, vectors = self.table
        return {"words": vocabulary.as_bytes(), "vectors": vectors}, {}

    @classmethod
    def restore(
        cls, source: str, numbers: dict[str, NDArray[Any]], description: dict[str, Any]
    ) -> WordVectors:
        restored = cls(source, (), numbers["vectors"])
        restored.table = Vocabulary.of_bytes(numbers["words"]), numbers["vectors"]
        return restored


def scaled(vectors: NDArray[Any]) -> NDArray[np.float16]:
    """Rows of length 1, or 0 where they were 0."""
    rows = np.asarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float16)


class WordValues(NamedTuple):
    """What all sources say of a sentence pair of I x J words."""

    values: FloatArray
    """Shape (I, J, len(WORD_NAMES)); 0 in the columns of sources that are not given."""
    candidates: NDArray[np.bool_]
    """Shape (I, J)."""


def word_values(
    evidence: Collection[WordEvidence], source: Sequence[str], target: Sequence[str]
) -> WordValues | None:
    """What the evidence says of the words of two sentences; None without any."""
    if not evidence:
        return None
    words = [token.lower() for token in source], [token.lower() for token in target]
    values = np.zeros((len(source), len(target), len(WORD_NAMES)))
    candidates = np.zeros(values.shape[:2], dtype=bool)
    for one in evidence:
        own = one.values(*words)
        first = WORD_NAMES.index(one.source.columns[0])
        values[:, :, first : first + own.shape[2]] = own
        candidates |= one.candidates(own)
    return WordValues(values, candidates)


def contents_of(evidence: Sequence[WordEvidence]) -> Contents:
    """What a file holds of several sources, for `restored`."""
    numbers: dict[str, NDArray[Any]] = {}
    descriptions = {}
    for one in evidence:
        own, description = one.contents()
        descriptions[one.source.id] = description | ({"file": one.file} if one.file else {})
        numbers |= {f"{one.source.id}_{name}": values for name, values in own.items()}
    return numbers, descriptions


def restored(numbers: dict[str, NDArray[Any]], descriptions: dict[str, Any]) -> list[WordEvidence]:
    """The evidence whose `contents_of` these are; raises KeyError for others."""
    kinds: dict[str, type[WordEvidence]] = {one.__name__: one for one in (PhrasePairs, WordVectors)}
    evidence = []
    for source, description in descriptions.items():
        own = {
            name.removeprefix(f"{source}_"): values
            for name, values in numbers.items()
            if name.startswith(f"{source}_")
        }
        evidence.append(kinds[WORD_SOURCES.get(source).kind].restore(source, own, description))
        evidence[-1].file = description.get("file", "")
    return evidence
