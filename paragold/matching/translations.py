"""Sentences of two languages matched by a lexicon of translations: candidates from comparable corpora.

The score of two sentences is the share of their words that have a translation in the other one. Sentences
of a few frequent words score high with many others. So pairs are ranked by their margin: the score less the
mean of what both sentences have with their nearest neighbours.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from paragold.arrays import Floats
from paragold.classification.words import words_of
from paragold.formats.tables import Fields, Parse, check_width, read_tsv, write_tsv
from paragold.languages import Language
from paragold.matching.files import AnswerKey, Texts, answer_key_of, read_files
from paragold.matching.similar_pairs import SCORED, ScoredPairs, one_partner_each
from paragold.matching.specs import TranslationSpec
from paragold.problems import FileProblem

Matrix = Any  # scipy.sparse.csr_matrix, float32
WordPairs = Iterable[tuple[str, str]]
"""Words of the first language and their translations, the best first."""
Words = Collection[str]
"""The different words of a sentence."""

MARGINS = np.dtype([*SCORED.descr, ("margin", np.float64)])
"""`SCORED` with the margin, from -1 to 1."""
NEIGHBOURS = 4
PREFIX = 4
# Shares that are held at once.
_BLOCK = 1 << 22
PAIR_COLUMNS = ("id_a", "id_b", "score", "margin", "text_a", "text_b")


def words_in(tokens: Iterable[str]) -> frozenset[str]:
    """The different words among tokens, as a lexicon has them: in lower case, without punctuation."""
    return frozenset(filter(None, map(words_of, tokens)))


def words_of_texts(texts: Iterable[str], language: Language) -> list[frozenset[str]]:
    return [words_in(language.tokens(text)[0]) for text in texts]


def translated_pairs(
    first: Sequence[Words], second: Sequence[Words], lexicon: WordPairs, spec: TranslationSpec
) -> ScoredPairs:
    """For each sentence of the first language its best partners in the second, by falling margin.

    Parameters
    ----------
    first, second : sequences of collections of words
        n and m sentences, as `words_in` gives them.
    lexicon : pairs of words
        Those that are not the best pair of either of their words are passed over.

    Returns
    -------
    ndarray of MARGINS
        `first` is a number from 0, `second` one from n on. The score is (a + b) / (A + B), where a of the A
        words of a sentence have a translation in the other one, and b of its B words in the first; it is at
        least `spec.threshold`. Ties come in the order of the sentences.

    References
    ----------
    The margin: Artetxe & Schwenk (2019), "Margin-based Parallel Corpus Mining with Multilingual Sentence
    Embeddings", section 3, as a difference. Common beginnings of words: Simard, Foster & Isabelle (1992),
    "Using Cognates to Align Sentences in Bilingual Corpora".
    """
    shares = _Shares(first, second, lexicon, spelling=spec.spelling)
    near_second = np.zeros((0, len(second)))
    for _, block in shares.blocks():
        near_second = _highest(np.concatenate((near_second, block)), axis=0)
    of_second = near_second.mean(axis=0) if len(near_second) else np.zeros(len(second))
    kept = [np.empty(0, MARGINS)]
    for start, block in shares.blocks():
        margins = block - (_highest(block, axis=1).mean(axis=1, keepdims=True) + of_second) / 2
        # Stable: among equals the first sentence comes first.
        best = np.argsort(-margins, axis=1, kind="stable")[:, : spec.best]
        rows = np.arange(len(block))[:, np.newaxis]
        scores = block[rows, best]
        reached = scores >= max(spec.threshold, np.finfo(float).tiny)
        pairs = np.empty(int(reached.sum()), MARGINS)
        pairs["first"] = (start + np.broadcast_to(rows, best.shape))[reached]
        pairs["second"] = len(first) + best[reached]
        pairs["score"], pairs["margin"] = scores[reached], margins[rows, best][reached]
        kept.append(pairs)
    ranked = np.concatenate(kept)
    ranked = ranked[np.lexsort((ranked["second"], ranked["first"], -ranked["margin"].round(9)))]
    return one_partner_each(ranked) if spec.greedy else ranked


def share_by_definition(first: Words, second: Words, translations: Collection[tuple[str, str]]) -> float:
    """The score of two sentences, 0 to 1: slow, to be read, and to compare `translated_pairs` with."""
    covered = sum(any((word, other) in translations for other in second) for word in first)
    covered += sum(any((other, word) in translations for other in first) for word in second)
    return covered / max(len(first) + len(second), 1)


def translations_among(
    first: Collection[str], second: Collection[str], lexicon: WordPairs, *, spelling: bool
) -> set[tuple[str, str]]:
    """The pairs of words of two vocabularies that count as translations.

    They are those of the lexicon that are the best of one of their words at least and, with `spelling`, equal
    words and words that begin with the same four characters.
    """
    known: set[tuple[str, str]] = set()
    seen_first, seen_second = set[str](), set[str]()
    for word, other in lexicon:
        if (word not in seen_first or other not in seen_second) and word in first and other in second:
            known.add((word, other))
        seen_first.add(word)
        seen_second.add(other)
    if spelling:
        by_beginning: dict[str, list[str]] = {}
        for other in second:
            by_beginning.setdefault(_beginning(other), []).append(other)
        known |= {(word, other) for word in first for other in by_beginning.get(_beginning(word), ())}
    return known


def _beginning(word: str) -> str:
    """The first four characters of a word; numbers count whole, and so do shorter words."""
    return word if word[0].isdigit() else word[:PREFIX]


class _Shares:
    """The scores of all pairs of sentences, a block of rows at a time."""

    def __init__(
        self, first: Sequence[Words], second: Sequence[Words], lexicon: WordPairs, *, spelling: bool
    ) -> None:
        from scipy import sparse

        # Sorted, since the order of a set of strings differs from run to run.
        number_of, number_of_other = (
            {word: number for number, word in enumerate(sorted(set(chain.from_iterable(side))))}
            for side in (first, second)
        )
        known = translations_among(number_of, number_of_other, lexicon, spelling=spelling)
        places = [number_of[word] for word, _ in known], [number_of_other[other] for _, other in known]
        shape = len(number_of), len(number_of_other)
        translations = sparse.csr_matrix((np.ones(len(known), np.float32), places), shape=shape)
        self._first = _incidence(first, number_of)
        self._second = _incidence(second, number_of_other)
        # By sentence the words of the other language that it has a translation of.
        self._from_first = (self._first @ translations).sign()
        self._from_second = (self._second @ translations.T).sign()
        self._sizes = [np.array([len(words) for words in side], np.float64) for side in (first, second)]

    def blocks(self) -> Iterator[tuple[int, Floats]]:
        """The number of the first row of each block, and the scores, (rows, m)."""
        rows, columns = self._first.shape[0], self._second.shape[0]
        height = max(1, _BLOCK // max(columns, 1))
        for start in range(0, rows if columns else 0, height):
            part = slice(start, start + height)
            covered = self._first[part] @ self._from_second.T + self._from_first[part] @ self._second.T
            words = self._sizes[0][part, np.newaxis] + self._sizes[1]
            yield start, covered.toarray() / np.maximum(words, 1)


def _incidence(sentences: Sequence[Words], number_of: dict[str, int]) -> Matrix:
    """(sentences, words): 1 where a sentence has the word."""
    from scipy import sparse

    sizes = [len(words) for words in sentences]
    columns = np.fromiter((number_of[word] for words in sentences for word in words), np.int64, sum(sizes))
    starts = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))
    shape = (len(sentences), len(number_of))
    return sparse.csr_matrix((np.ones(len(columns), np.float32), columns, starts), shape=shape)


def _highest(scores: Floats, *, axis: int) -> Floats:
    """The highest scores, NEIGHBOURS at most, along an axis."""
    count = scores.shape[axis]
    if count <= NEIGHBOURS:
        return scores
    return np.take(
        np.partition(scores, count - NEIGHBOURS, axis=axis), range(count - NEIGHBOURS, count), axis=axis
    )


def read_lexicon(path: Path, *, encoding: str = "utf-8") -> list[tuple[str, str]]:
    """The pairs of words of a file, the best first: columns first and second, or two columns of words.

    Raises FileProblem with every faulty line, and for a file that cannot be read or has no words.
    """

    def layout(fields: Fields) -> tuple[Parse[tuple[str, str]], bool]:
        named = {"first", "second"} <= set(fields)
        if not named and len(fields) != 2:
            raise FileProblem(
                f"The first line has {len(fields)} columns separated by tabs, not named first and second.",
                "Give a file from associate-words, or lines of word TAB translation.",
            )
        places = (fields.index("first"), fields.index("second")) if named else (0, 1)
        width = len(fields)

        def parse(given: Fields, line: int) -> tuple[str, str]:
            check_width(given, width)
            first, second = (given[place].strip() for place in places)
            if not (first and second):
                raise FileProblem("A word is empty.", "Give a word and its translation.")
            return first, second

        return parse, named

    nothing = FileProblem("The file has no words.", "Give lines of word TAB translation.")
    return list(read_tsv(path, layout, nothing, encoding=encoding))


def match_translations(
    paths: Sequence[Path],
    lexicon: WordPairs,
    spec: TranslationSpec,
    output: Path,
    key_path: Path | None = None,
) -> tuple[list[Texts], ScoredPairs, AnswerKey | None]:
    """Match the texts of two files, lines `id TAB text`, and write the pairs by falling margin.

    Returns the texts, the pairs, and the answer key where there is a file of it. Raises FileProblem for
    unusable files; OSError when writing fails.
    """
    files = read_files(paths)
    key = answer_key_of(key_path, files) if key_path is not None else None
    first, second = (
        words_of_texts(texts.values(), own) for texts, own in zip(files, spec.both_languages, strict=True)
    )
    pairs = translated_pairs(first, second, lexicon, spec)
    texts = list(chain.from_iterable(file.items() for file in files))
    write_tsv(
        output,
        PAIR_COLUMNS,
        (
            (texts[a][0], texts[b][0], f"{score:.6f}", f"{margin:.6f}", texts[a][1], texts[b][1])
            for a, b, score, margin in pairs.tolist()
        ),
    )
    return files, pairs, key
