"""How two words are related, whatever their sentences: by form, stem, meaning, spelling or closed class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.cooccurrences import Entries, Rows, find_entry, parts, starts_of
from paragold.aligners.evidence_sources import ENGLISH, NO_CLASSES, Classes
from paragold.parallel import compiled, each
from paragold.text.stemming import Stemmer
from paragold.text.tokenisation import same_form
from paragold.text.wordnet import WordNet

KINDS = ("", "identical", "stem", "lemma", "derivation", "synonym", "hypernym")
"""Names of the kinds of relation, by number; where several hold, the lowest number above 0 counts."""
IDENTICAL, STEM, LEMMA, DERIVATION, SYNONYM, HYPERNYM = range(1, 7)
HYPERNYM_LEVELS = 2
_KIND_BITS = 3
_ASKED_AT_ONCE = 2000


class Meanings:
    """Marks entries whose words have a common lemma, are derived from one another, in a common synset, or at
    most two synsets apart upwards. What WordNet said of a word is remembered, as numbers.
    """

    def __init__(self, wordnet: WordNet) -> None:
        self._wordnet = wordnet
        self._forms: dict[str, int] = {}
        self._lemmas: dict[str, NDArray[np.int32]] = {}
        # Form and kind of relation in one number.
        self._related: dict[str, NDArray[np.int32]] = {}

    def mark(
        self,
        source_words: Sequence[str],
        target_words: Sequence[str],
        entries: Entries,
        kinds: NDArray[np.uint8],
    ) -> None:
        """Write the kinds of the entries into `kinds`; words must be in lower case."""
        words = source_words if entries.shared else [*source_words, *target_words]
        for number, word in enumerate((word for word in words if word not in self._lemmas), start=1):
            self._ask(word)
            if number % _ASKED_AT_ONCE == 0:
                self._forget_answers()
        self._mark(source_words, target_words, entries, kinds, turned=False)
        if not entries.shared:
            self._mark(target_words, source_words, entries, kinds, turned=True)

    def _ask(self, word: str) -> None:
        wordnet = self._wordnet
        answers = (
            wordnet.lemmas(word),
            wordnet.related_forms(word),
            wordnet.synonyms(word),
            wordnet.hypernyms(word, HYPERNYM_LEVELS),
        )
        forms = self._forms
        self._lemmas[word] = np.array(
            [forms.setdefault(form, len(forms)) for form in answers[0]], dtype=np.int32
        )
        self._related[word] = np.array(
            [
                (forms.setdefault(form, len(forms)) << _KIND_BITS) | kind
                for kind, answer in enumerate(answers, start=LEMMA)
                for form in answer
            ],
            dtype=np.int32,
        )

    def _forget_answers(self) -> None:
        """WordNet remembers its answers too, as words, which take far more memory."""
        wordnet = self._wordnet
        for answers in (wordnet.lemmas, wordnet.related_forms, wordnet.synonyms, wordnet.hypernyms):
            answers.cache_clear()

    def _mark(
        self,
        words: Sequence[str],
        others: Sequence[str],
        entries: Entries,
        kinds: NDArray[np.uint8],
        *,
        turned: bool,
    ) -> None:
        related, related_from = _joined([self._related[word] for word in words])
        lemmas, lemmas_from = _joined([self._lemmas[word] for word in others])
        owners = np.repeat(np.arange(len(others), dtype=np.int32), np.diff(lemmas_from))
        order = np.argsort(lemmas, kind="stable")
        first = starts_of(np.bincount(lemmas, minlength=len(self._forms)))
        _mark_related(
            related, related_from, owners[order], first, turned, entries.rows, entries.targets,
            entries.shared, kinds,
        )  # fmt: skip


def _joined(arrays: list[NDArray[np.int32]]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """All arrays end to end, and where each begins."""
    starts = starts_of(np.array([len(array) for array in arrays], dtype=np.int64))
    return np.concatenate([np.zeros(0, dtype=np.int32), *arrays]), starts


@compiled
def _mark_related(
    related: NDArray[np.int32],
    related_from: NDArray[np.int64],
    owners: NDArray[np.int32],
    owners_from: NDArray[np.int64],
    turned: bool,
    rows: NDArray[np.int64],
    targets: NDArray[np.int32],
    shared: bool,
    kinds: NDArray[np.uint8],
) -> None:
    for word in range(len(related_from) - 1):
        for place in range(related_from[word], related_from[word + 1]):
            form, kind = related[place] >> _KIND_BITS, related[place] & ((1 << _KIND_BITS) - 1)
            for owner in range(owners_from[form], owners_from[form + 1]):
                source, target = word, owners[owner]
                if turned or (shared and target < source):
                    source, target = target, source
                entry = find_entry(source, target, rows, targets)
                if entry >= 0 and (kinds[entry] == 0 or kinds[entry] > kind):
                    kinds[entry] = kind


_SHORTEST_SPELLED = 4


Related = tuple[NDArray[np.uint8], NDArray[np.float32]]
"""Of the words of each entry the number of their kind of relation in KINDS, and their similarity of spelling:
1 - Levenshtein distance / longer length; 0 where that is below 0.5 or a word under four characters."""


class Relations:
    """Tells the relations of words by the sources that are switched on.

    `stemmer` None leaves stems out, `wordnet` None lemmas and meanings; nothing else depends on a language.
    """

    def __init__(self, stemmer: Stemmer | None, wordnet: WordNet | None, *, spelling: bool = True) -> None:
        self.stemmer = stemmer
        self.wordnet = wordnet
        self.spelling = spelling
        self._meanings = None if wordnet is None else Meanings(wordnet)

    @property
    def closed_classes(self) -> Classes:
        """The words of closed classes, where those of the stemmer's language are known."""
        return ENGLISH if self.stemmer and self.stemmer.language in {"english", "porter"} else NO_CLASSES

    @property
    def signature(self) -> str:
        sources = [
            self.stemmer.signature if self.stemmer else "",
            self.wordnet.signature if self.wordnet else "",
            "spelling" if self.spelling else "",
        ]
        return f"relations:{'+'.join(filter(None, sources)) or 'identical'}"

    def between(self, source_words: Sequence[str], target_words: Sequence[str], entries: Entries) -> Related:
        """The relations of every entry's words, which must be in lower case."""
        kinds = np.zeros(len(entries), dtype=np.uint8)
        if self._meanings is not None:
            self._meanings.mark(source_words, target_words, entries, kinds)
        if self.stemmer is not None:
            _mark_same(self.stemmer.stem, source_words, target_words, entries, kinds, STEM)
        _mark_same(same_form, source_words, target_words, entries, kinds, IDENTICAL)
        spelling = np.zeros(len(entries), dtype=np.float32)
        if self.spelling:
            spell = partial(
                _spelling, *_characters(source_words), *_characters(target_words), entries.rows,
                entries.targets, spelling,
            )  # fmt: skip
            each(lambda piece: spell(*piece), parts(entries.rows, 0, len(entries.rows) - 1))
        return kinds, spelling


def _mark_same(
    form: Callable[[str], str],
    source_words: Sequence[str],
    target_words: Sequence[str],
    entries: Entries,
    kinds: NDArray[np.uint8],
    kind: int,
) -> None:
    """Mark the entries whose words have one form."""
    numbers: dict[str, int] = {}
    source, target = (
        np.array([numbers.setdefault(form(word), len(numbers)) for word in words], dtype=np.int32)
        for words in (source_words, target_words)
    )
    for block in entries.rows_by_block():
        _mark_equal(block, source, target, kinds, kind)


@compiled
def _mark_equal(
    block: Rows, source: NDArray[np.int32], target: NDArray[np.int32], kinds: NDArray[np.uint8], kind: int
) -> None:
    start, rows, targets = block
    for row in range(len(rows) - 1):
        for entry in range(rows[row], rows[row + 1]):
            if target[targets[entry - rows[0]]] == source[start + row]:
                kinds[entry] = kind


def _characters(words: Sequence[str]) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.uint64]]:
    """All words end to end as code points, where each begins, and the set of its characters in 64 bits."""
    characters = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    starts = starts_of(np.array([len(word) for word in words], dtype=np.int64))
    return characters, starts, _character_sets(characters, starts)


@compiled
def _character_sets(characters: NDArray[np.uint32], starts: NDArray[np.int64]) -> NDArray[np.uint64]:
    sets = np.zeros(len(starts) - 1, dtype=np.uint64)
    for word in range(len(sets)):
        for place in range(starts[word], starts[word + 1]):
            sets[word] |= np.uint64(1) << np.uint64(characters[place] % 64)
    return sets


@compiled
def _size(characters: np.uint64) -> int:
    """How many bits are set."""
    size = 0
    while characters:
        characters &= characters - np.uint64(1)
        size += 1
    return size


@compiled
def _spelling(
    source_characters: NDArray[np.uint32],
    source_starts: NDArray[np.int64],
    source_sets: NDArray[np.uint64],
    target_characters: NDArray[np.uint32],
    target_starts: NDArray[np.int64],
    target_sets: NDArray[np.uint64],
    rows: NDArray[np.int64],
    targets: NDArray[np.int32],
    similarity: NDArray[np.float32],
    start: int,
    stop: int,
) -> None:
    longest = 0
    for word in range(len(target_starts) - 1):
        longest = max(longest, target_starts[word + 1] - target_starts[word])
    distances = np.empty(longest + 1, dtype=np.int64)
    for source in range(start, stop):
        first = source_characters[source_starts[source] : source_starts[source + 1]]
        height = len(first)
        if height < _SHORTEST_SPELLED:
            continue
        for entry in range(rows[source], rows[source + 1]):
            target = targets[entry]
            width = target_starts[target + 1] - target_starts[target]
            longer = max(height, width)
            # Below half, words are merely different.
            if width < _SHORTEST_SPELLED or 2 * min(height, width) < longer:
                continue
            # Every character that only one of them has takes an edit.
            mine, other = source_sets[source], target_sets[target]
            if 2 * max(_size(mine & ~other), _size(other & ~mine)) > longer:
                continue
            second = target_characters[target_starts[target] : target_starts[target + 1]]
            for j in range(width + 1):
                distances[j] = j
            for i in range(height):
                diagonal = distances[0]
                distances[0] = i + 1
                for j in range(width):
                    substituted = diagonal + (first[i] != second[j])
                    diagonal = distances[j + 1]
                    distances[j + 1] = min(substituted, diagonal + 1, distances[j] + 1)
            if 2 * distances[width] <= longer:
                similarity[entry] = 1 - distances[width] / longer
