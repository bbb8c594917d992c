"""Lexicons of word pairs: morphology, WordNet, word association (Brockett and Dolan 2005, 3.4)."""

import hashlib
from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Protocol

import numpy as np

from paragold.classification.classes import ASSOCIATION, IN_RESIDUE, MORPHOLOGY, WORDNET, Lookup
from paragold.classification.pair_scorers import PAIR_SCORERS, PairScorer, added_classes
from paragold.classification.words import Integers
from paragold.text.stemming import LANGUAGES, Stemmer
from paragold.text.wordnet import WordNet, WordNetError, open_wordnet

ENGLISH = "english"
_FUNCTION_WORDS = """
    a about above after again against all also am an and another any are as at be because been
    before being below between both but by can could did do does doing down during each few for from
    further had has have having he her here hers him his how i if in into is it its itself just may
    me might more most must my no nor not now of off on once only or other our out over own per same
    shall she should so some such than that the their them then there these they this those through
    to too under until up upon us very was we were what when where which while who whom whose why
    will with would you your 's 're 've 'll 'd 'm n't"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


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
        related_places = array("q")
        for family in families.values():
            for pair in combinations(family, 2):
                related_places.extend(pair)
        return _keys(related_places, vocabulary)


class WordNetRelation:
    """Words that WordNet relates by `answers`, a method of it, in either direction and in any inflection.

    Function words are left out unless `function_words`: WordNet knows "in" as a synonym of "inch".
    """

    def __init__(
        self,
        wordnet: WordNet,
        answers: Sequence[Callable[[str], Iterable[str]]],
        *,
        function_words: bool = False,
    ) -> None:
        self.wordnet = wordnet
        self.answers = answers
        self.left_out = frozenset[str]() if function_words else FUNCTION_WORDS

    @classmethod
    def synonyms_and_hypernyms(cls, wordnet: WordNet, *, function_words: bool = False) -> "WordNetRelation":
        """Synonyms, and the words one level above: operation, procedure; operation, work."""
        return cls(wordnet, (wordnet.synonyms, wordnet.hypernyms), function_words=function_words)

    @property
    def signature(self) -> str:
        return self.wordnet.signature

    def related(self, vocabulary: Sequence[str]) -> Integers:
        places: dict[str, list[int]] = defaultdict(list)
        known = []
        for place, word in enumerate(vocabulary):
            if word in self.left_out or not word[0].isalpha():
                continue
            if lemmas := self.wordnet.lemmas(word):
                known.append((place, word))
                for lemma in lemmas:
                    places[lemma].append(place)
        related_places = array("q")
        for place, word in known:
            for answer in self.answers:
                for related in answer(word):
                    for other in places.get(related, ()):
                        related_places.append(place)
                        related_places.append(other)
        return _keys(related_places, vocabulary)


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
        related_places = array("q")
        for first, second in self.pairs:
            if first in place and second in place:
                related_places.extend((place[first], place[second]))
        return _keys(related_places, vocabulary)


@dataclass(frozen=True, slots=True)
class Lexicons:
    """by_class: the lexicon of each lexical class that there is; opposites: of words that contradict;
    scorers: the pair scorers that are feature classes."""

    by_class: Mapping[str, Lexicon]
    opposites: Lexicon | None = None
    lookup: Lookup = field(default_factory=Lookup)
    scorers: tuple[PairScorer, ...] = ()

    def related(self, vocabulary: Sequence[str]) -> dict[str, Integers]:
        """By class what `Lexicon.related` gives, without the pairs that `lookup` leaves out."""
        function_word = np.fromiter(
            (word in FUNCTION_WORDS and not self.lookup.function_words for word in vocabulary),
            dtype=bool,
            count=len(vocabulary),
        )
        size = max(1, len(vocabulary))
        keys = {name: lexicon.related(vocabulary) for name, lexicon in self.by_class.items()}
        return {
            name: related[~(function_word[related // size] | function_word[related % size])]
            for name, related in keys.items()
        }

    def signatures(self) -> dict[str, str]:
        """The signature of each lexicon and pair scorer by name."""
        signatures = {name: lexicon.signature for name, lexicon in self.by_class.items()}
        if self.opposites is not None:
            signatures["opposites"] = self.opposites.signature
        return signatures | {scorer.id: scorer.signature() for scorer in self.scorers}


def _keys(related_places: "array[int]", vocabulary: Sequence[str]) -> Integers:
    """related_places: the places of two words, then those of the next two; a word with itself is left out."""
    places = np.array(related_places, dtype=np.int64).reshape(-1, 2)
    places = places[places[:, 0] != places[:, 1]]
    return np.unique(places.min(axis=1) * len(vocabulary) + places.max(axis=1))


def open_lexicons(
    classes: Collection[str],
    association: Sequence[tuple[str, str]] | None,
    language: str = ENGLISH,
    *,
    lookup: Lookup = IN_RESIDUE,
) -> tuple[Lexicons, list[str]]:
    """The lexicons of the classes that there are on this machine, and a note on each that there is not.

    association: the word pairs of that class, best first; None, without a note, where none were asked for.
    language: of the stemmer; any other than LANGUAGES has none. lookup: where they are looked into.
    """
    lexicons: dict[str, Lexicon] = {}
    notes = []
    opposites = None
    if MORPHOLOGY in classes:
        if language in LANGUAGES:
            lexicons[MORPHOLOGY] = MorphologicalVariants(Stemmer(language))
        else:
            notes.append("The class morphology is off: there is no stemmer for the language of the text.")
    if WORDNET in classes:
        try:
            if language != ENGLISH:
                raise WordNetError("WordNet is English, the text is not.")
            wordnet = open_wordnet()
        except WordNetError as error:
            notes.append(f"The class wordnet is off: {error}")
        else:
            related = WordNetRelation.synonyms_and_hypernyms(wordnet, function_words=lookup.function_words)
            lexicons[WORDNET] = related
            opposites = WordNetRelation(wordnet, (wordnet.antonyms,))
    if ASSOCIATION in classes and association:
        lexicons[ASSOCIATION] = WordPairs(association)
    elif ASSOCIATION in classes and association is not None:
        notes.append("The class association is off: its lexicon has no word pairs.")
    scorers = tuple(PAIR_SCORERS.get(name) for name in added_classes() if name in classes)
    return Lexicons(lexicons, opposites, lookup, scorers), notes
