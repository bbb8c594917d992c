"""Which words WordNet relates: by lemma, derivation, synonymy and hypernymy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.compilation import compiled
from paragold.aligners.entries import Entries, find_entry
from paragold.text.wordnet import WordNet

HYPERNYM_LEVELS = 2
_KIND_BITS = 3
_ASKED_AT_ONCE = 2000


class Meanings:
    """Marks entries whose words are related. What WordNet said of a word is remembered, as numbers.

    `kinds` are the numbers to mark with, of words with a common lemma, derived from one another, in a
    common synset, and at most two synsets apart upwards; where several hold, the lowest is marked.
    """

    def __init__(self, wordnet: WordNet, kinds: tuple[int, int, int, int]) -> None:
        self._wordnet = wordnet
        self._kinds = kinds
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
        unknown = [
            word
            for word in (*source_words, *(() if entries.shared else target_words))
            if word not in self._lemmas
        ]
        for number, word in enumerate(unknown, start=1):
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
                for kind, answer in zip(self._kinds, answers, strict=True)
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
        first = np.concatenate(([0], np.cumsum(np.bincount(lemmas, minlength=len(self._forms)))))
        _mark_related(
            related, related_from, owners[order], first, turned, entries.rows, entries.targets,
            entries.shared, kinds,
        )  # fmt: skip


def _joined(arrays: list[NDArray[np.int32]]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """All arrays end to end, and where each begins."""
    starts = np.concatenate(([0], np.cumsum([len(array) for array in arrays]))).astype(np.int64)
    return (np.concatenate(arrays) if arrays else np.zeros(0, dtype=np.int32)), starts


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
