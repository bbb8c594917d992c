"""Pairs with all that is known of their vocabulary before any feature is counted."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from paragold.classification.coded_pairs import CodedPairs, Integers, Side, code_pairs
from paragold.classification.lexicons import Lexicon
from paragold.classification.weighted_features import WordKinds


@dataclass(frozen=True, slots=True)
class Lexicons:
    """by_class: the lexicon of each lexical class that there is; opposites: of words that contradict."""

    by_class: Mapping[str, Lexicon]
    opposites: Lexicon | None = None

    def signatures(self) -> dict[str, str]:
        """The signature of each lexicon by name."""
        signatures = {name: lexicon.signature for name, lexicon in self.by_class.items()}
        if self.opposites is not None:
            signatures["opposites"] = self.opposites.signature
        return signatures


@dataclass(frozen=True, slots=True)
class PreparedPairs:
    """Coded pairs, the word pairs that each lexicon relates, alphabetical ranks and kinds of the words."""

    pairs: CodedPairs
    related: Mapping[str, Integers]
    opposites: Integers
    alphabet: Integers
    word_kinds: WordKinds

    def __len__(self) -> int:
        return len(self.pairs)

    def part(self, start: int, stop: int) -> "PreparedPairs":
        """The pairs from `start` up to `stop`."""
        return self._with(self.pairs.part(start, stop))

    def take(self, rows: Integers) -> "PreparedPairs":
        """The pairs of these numbers in this order."""
        first, second = _take(self.pairs.first, rows), _take(self.pairs.second, rows)
        return self._with(CodedPairs(self.pairs.vocabulary, first, second))

    def _with(self, pairs: CodedPairs) -> "PreparedPairs":
        return PreparedPairs(pairs, self.related, self.opposites, self.alphabet, self.word_kinds)


def prepare(texts: Iterable[tuple[str, str]], lexicons: Lexicons) -> PreparedPairs:
    """Tokenise pairs of texts and look their vocabulary up in the lexicons, each word once."""
    pairs = code_pairs(texts)
    vocabulary = pairs.vocabulary
    alphabet = np.empty(len(vocabulary), dtype=np.int64)
    alphabet[sorted(range(len(vocabulary)), key=vocabulary.__getitem__)] = np.arange(len(vocabulary))
    return PreparedPairs(
        pairs,
        related={name: lexicon.related(vocabulary) for name, lexicon in lexicons.by_class.items()},
        opposites=(
            np.zeros(0, dtype=np.int64)
            if lexicons.opposites is None
            else lexicons.opposites.related(vocabulary)
        ),
        alphabet=alphabet,
        word_kinds=WordKinds.of(vocabulary),
    )


def _take(side: Side, rows: Integers) -> Side:
    lengths = side.lengths[rows]
    starts = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    places = np.arange(int(starts[-1])) - np.repeat(starts[:-1] - side.starts[rows], lengths)
    return Side(side.words[places], np.repeat(np.arange(len(rows)), lengths), starts, side.names[places])
