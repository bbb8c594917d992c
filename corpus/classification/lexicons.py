"""Lexicons of word pairs: morphology, WordNet, word association (Brockett and Dolan 2005, 3.4)."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Protocol

import numpy as np

from corpus.classification.coded_pairs import Integers
from corpus.classification.function_words import FUNCTION_WORDS
from corpus.text.stemming import Stemmer
from corpus.text.wordnet import WordNet


class Lexicon(Protocol):
    """Tells which words of a vocabulary belong together."""

    @property
    def signature(self) -> str:
        """Changes whenever the lexicon may answer otherwise."""

    def related(self, vocabulary: Sequence[str]) -> Integers:
        """The pairs i < j of places in the vocabulary as i * len(vocabulary) + j, ascending, each once."""


class MorphologicalVariants:
    """Words with one stem: orbit, orbital."""

    def __init__(self, stemmer: Stemmer) -> None:
        self.stemmer = stemmer

    @property
    def signature(self) -> str:
        return self.stemmer.signature

    def related(self, vocabulary: Sequence[str]) -> Integers:
        families: dict[str, list[int]] = defaultdict(list)
        for place, word in enumerate(vocabulary):
            if word.isalpha():
                families[self.stemmer.stem(word)].append(place)
        return _keys((pair for family in families.values() for pair in combinations(family, 2)), vocabulary)


class WordNetRelation:
    """Words that WordNet relates by `answers`, a method of it, in either direction and in any inflection.

    Function words are left out: WordNet knows "in" as a synonym of "inch".
    """

    def __init__(self, wordnet: WordNet, answers: Sequence[Callable[[str], Iterable[str]]]) -> None:
        self.wordnet = wordnet
        self.answers = answers

    @classmethod
    def synonyms_and_hypernyms(cls, wordnet: WordNet) -> "WordNetRelation":
        """Synonyms, and the words one level above: operation, procedure; operation, work."""
        return cls(wordnet, (wordnet.synonyms, wordnet.hypernyms))

    @classmethod
    def antonyms(cls, wordnet: WordNet) -> "WordNetRelation":
        """Words of opposite meaning: rose, fell."""
        return cls(wordnet, (wordnet.antonyms,))

    @property
    def signature(self) -> str:
        return self.wordnet.signature

    def related(self, vocabulary: Sequence[str]) -> Integers:
        places: dict[str, list[int]] = defaultdict(list)
        known = []
        for place, word in enumerate(vocabulary):
            if word in FUNCTION_WORDS or not word[0].isalpha():
                continue
            if lemmas := self.wordnet.lemmas(word):
                known.append((place, word))
                for lemma in lemmas:
                    places[lemma].append(place)
        found = (
            (place, other)
            for place, word in known
            for answer in self.answers
            for related in answer(word)
            for other in places.get(related, ())
        )
        return _keys(found, vocabulary)


class WordPairs:
    """Pairs of words given one by one, best first, as word association finds them: vendors, suppliers."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        self.pairs = tuple(pairs)

    @property
    def signature(self) -> str:
        text = "\n".join(f"{first}\t{second}" for first, second in self.pairs)
        return f"pairs-{hashlib.sha256(text.encode()).hexdigest()[:16]}"

    def related(self, vocabulary: Sequence[str]) -> Integers:
        place = {word: number for number, word in enumerate(vocabulary)}
        found = (
            (place[first], place[second])
            for first, second in self.pairs
            if first in place and second in place
        )
        return _keys(found, vocabulary)


def _keys(pairs: Iterable[tuple[int, int]], vocabulary: Sequence[str]) -> Integers:
    size = len(vocabulary)
    keys = {min(pair) * size + max(pair) for pair in pairs if pair[0] != pair[1]}
    return np.sort(np.fromiter(keys, dtype=np.int64, count=len(keys)))
