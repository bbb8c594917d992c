"""How two words are related, whatever their sentences: by form, stem, meaning, spelling or closed class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from paragold.aligners.cooccurrences import Entries, find_entries, starts_of
from paragold.arrays import Bytes, Float32s, Int32s, Integers
from paragold.languages import ENGLISH, Language, language_of_stemmer
from paragold.parallel import cores
from paragold.text.encoder import Encoder
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
        self._lemmas: dict[str, Int32s] = {}
        # Form and kind of relation in one number.
        self._related: dict[str, Int32s] = {}

    def mark(
        self, source_words: Sequence[str], target_words: Sequence[str], entries: Entries, kinds: Bytes
    ) -> None:
        """Write the kinds of the entries into `kinds`; words must be in lower case."""
        words = source_words if entries.shared else [*source_words, *target_words]
        for number, word in enumerate((word for word in words if word not in self._lemmas), start=1):
            self._ask(word)
            if number % _ASKED_AT_ONCE == 0:
                self._forget_answers()
        # The lowest kind counts: less one, no relation is the highest number of a byte.
        kinds -= 1
        for source, target, kind in self._pairs(source_words, target_words):
            _lower(kinds, entries, source, target, kind)
        if not entries.shared:
            for target, source, kind in self._pairs(target_words, source_words):
                _lower(kinds, entries, source, target, kind)
        kinds += 1

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

    def _pairs(
        self, words: Sequence[str], others: Sequence[str]
    ) -> Iterator[tuple[Integers, Integers, Bytes]]:
        """Numbers of words and of others with a lemma that is related to them, and the kinds of relation."""
        lemmas, owners = _joined([self._lemmas[word] for word in others])
        owners = owners[np.argsort(lemmas, kind="stable")]
        first = starts_of(np.bincount(lemmas, minlength=len(self._forms)))
        for start in range(0, len(words), _ASKED_AT_ONCE):
            related, word_of = _joined(
                [self._related[word] for word in words[start : start + _ASKED_AT_ONCE]]
            )
            forms, kinds = np.divmod(related, 1 << _KIND_BITS)
            times = first[forms + 1] - first[forms]
            shift = np.repeat(first[forms] - starts_of(times)[:-1], times)
            partners = owners[np.arange(len(shift)) + shift]
            yield start + np.repeat(word_of, times), partners, np.repeat(kinds.astype(np.uint8), times)


def _joined(arrays: list[Int32s]) -> tuple[Int32s, Integers]:
    """All arrays end to end, and which of them each number comes from."""
    sizes = [len(array) for array in arrays]
    return np.concatenate([np.zeros(0, dtype=np.int32), *arrays]), np.repeat(np.arange(len(arrays)), sizes)


def _lower(kinds: Bytes, entries: Entries, source: Integers, target: Integers, kind: Bytes) -> None:
    places = find_entries(source, target, entries.rows, entries.targets, entries.shared)
    known = places >= 0
    np.minimum.at(kinds, places[known], kind[known] - np.uint8(1))


_SHORTEST_SPELLED = 4


Related = tuple[Bytes, Float32s]
"""Of the words of each entry the number of their kind of relation in KINDS, and their similarity of spelling:
1 - Levenshtein distance / longer length; 0 where that is below 0.5 or a word under four characters."""


class Relations:
    """Tells the relations of words by the sources that are switched on.

    `stemmer` None leaves stems out, `wordnet` None lemmas and meanings. `language` is that of the
    stemmer, and one of which nothing is known without a stemmer: closed classes and numbers are its own.
    `encoder` tells of words in their sentences, for `best`.
    """

    def __init__(
        self,
        stemmer: Stemmer | None,
        wordnet: WordNet | None,
        *,
        spelling: bool = True,
        encoder: Encoder | None = None,
    ) -> None:
        self.stemmer = stemmer
        self.encoder = encoder
        self.language: Language = language_of_stemmer(stemmer.language if stemmer else "")
        self.wordnet = wordnet
        self.spelling = spelling
        self._meanings = None if wordnet is None else Meanings(wordnet)

    @property
    def signature(self) -> str:
        english = self.language is ENGLISH  # it was there before languages were named
        sources = [
            self.stemmer.signature if self.stemmer else "",
            self.language.word_signature if self.language.closed_classes and not english else "",
            self.wordnet.signature if self.wordnet else "",
            "spelling" if self.spelling else "",
            self.encoder.signature if self.encoder else "",
        ]
        return f"relations:{'+'.join(filter(None, sources)) or 'identical'}"

    def between(self, source_words: Sequence[str], target_words: Sequence[str], entries: Entries) -> Related:
        """The relations of every entry's words, which must be in lower case."""
        kinds = np.zeros(len(entries), dtype=np.uint8)
        if self._meanings is not None:
            self._meanings.mark(source_words, target_words, entries, kinds)
        same = [(*_numbered(self.stemmer.stem, source_words, target_words), STEM)] if self.stemmer else []
        same.append((*_numbered(same_form, source_words, target_words), IDENTICAL))
        spelling = np.zeros(len(entries), dtype=np.float32)
        characters = _characters(source_words), _characters(target_words)
        for start, rows, targets in entries.rows_by_block():
            sources = np.repeat(np.arange(start, start + len(rows) - 1, dtype=np.int32), np.diff(rows))
            for source, target, kind in same:
                kinds[rows[0] : rows[-1]][source[sources] == target[targets]] = kind
            if self.spelling:
                places = _perhaps_alike(sources, targets, *characters)
                spelling[rows[0] + places] = cpdist(
                    [source_words[word] for word in sources[places].tolist()],
                    [target_words[word] for word in targets[places].tolist()],
                    scorer=Levenshtein.normalized_similarity,
                    score_cutoff=0.5,
                    dtype=np.float32,
                    workers=cores(),
                )
        return kinds, spelling


def _numbered(
    form: Callable[[str], str], source_words: Sequence[str], target_words: Sequence[str]
) -> tuple[Int32s, Int32s]:
    """A number for each source and each target word, equal where their forms are."""
    numbers: dict[str, int] = {}
    source, target = (
        np.array([numbers.setdefault(form(word), len(numbers)) for word in words], dtype=np.int32)
        for words in (source_words, target_words)
    )
    return source, target


Characters = tuple[Integers, NDArray[np.uint64]]
"""The length of each word, and the set of its characters in 64 bits."""


def _characters(words: Sequence[str]) -> Characters:
    lengths = np.array([len(word) for word in words], dtype=np.int64)
    characters = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    # An empty word begins where the next one does, or at the end: the zero. It is too short to be looked at.
    bits = np.append(np.uint64(1) << (characters % 64).astype(np.uint64), np.uint64(0))
    return lengths, np.bitwise_or.reduceat(bits, starts_of(lengths)[:-1]) if len(words) else bits[:0]


def _perhaps_alike(
    sources: Int32s, targets: Int32s, of_source: Characters, of_target: Characters
) -> Integers:
    """The places of the words that may be alike by half: by their lengths, and the sets of characters."""
    lengths, others = of_source[0][sources], of_target[0][targets]
    shorter, longer = np.minimum(lengths, others), np.maximum(lengths, others)
    places = np.flatnonzero((shorter >= _SHORTEST_SPELLED) & (2 * shorter >= longer))
    # Every character that only one of them has takes an edit.
    mine, other = of_source[1][sources[places]], of_target[1][targets[places]]
    edits = np.maximum(np.bitwise_count(mine & ~other), np.bitwise_count(other & ~mine))
    return np.asarray(places[2 * edits <= longer[places]])
