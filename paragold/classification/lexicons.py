"""Lexicons of word pairs: morphology, WordNet, word association (Brockett and Dolan 2005, 3.4)."""

import hashlib
from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from paragold import languages
from paragold.arrays import Integers
from paragold.classification.classes import (
    ASSOCIATION,
    ENCODER,
    IN_RESIDUE,
    MORPHOLOGY,
    WORDNET,
    Lookup,
)
from paragold.classification.encoder_features import LAYERS
from paragold.classification.pair_scorers import PAIR_SCORERS, PairScorer, added_classes
from paragold.languages import Language
from paragold.text.encoder import Encoder, open_encoder
from paragold.text.installed_wordnets import AnyWordnet, wordnet_of
from paragold.text.stemming import LANGUAGES, Stemmer
from paragold.text.wordnet import WordNetError

ENGLISH = "english"
# The name under which the closed classes of words of a language are signed.
WORDS = "words"
FUNCTION_WORDS = languages.ENGLISH.function_words


class Lexicon:
    """Tells which words of a vocabulary belong together.

    signature: changes whenever the lexicon may answer otherwise. places: gives, of a vocabulary, the places
    of two words that belong together, then those of the next two. pairs: its words, where they were given.
    """

    def __init__(
        self,
        signature: str,
        places: Callable[[Sequence[str]], "array[int]"],
        pairs: tuple[tuple[str, str], ...] = (),
    ) -> None:
        self.signature = signature
        self.pairs = pairs
        self._places = places

    def related(self, vocabulary: Sequence[str]) -> Integers:
        """The pairs i < j of places in the vocabulary as i * len(vocabulary) + j, ascending, each once."""
        places = np.array(self._places(vocabulary), dtype=np.int64).reshape(-1, 2)
        places = places[places[:, 0] != places[:, 1]]
        return np.unique(places.min(axis=1) * len(vocabulary) + places.max(axis=1))


def morphological_variants(stemmer: Stemmer) -> Lexicon:
    """Words with one stem: orbit, orbital."""

    def places(vocabulary: Sequence[str]) -> "array[int]":
        families: dict[str, list[int]] = defaultdict(list)
        for place, word in enumerate(vocabulary):
            if word.isalpha():
                families[stemmer.stem(word)].append(place)
        return array(
            "q", (place for family in families.values() for two in combinations(family, 2) for place in two)
        )

    return Lexicon(stemmer.signature, places)


def wordnet_relation(
    wordnet: AnyWordnet,
    answers: Sequence[Callable[[str], Iterable[str]]],
    left_out: Collection[str] = FUNCTION_WORDS,
) -> Lexicon:
    """Words that a wordnet relates by `answers`, methods of it, in either direction and in any inflection.

    left_out: usually the function words: WordNet knows "in" as a synonym of "inch".
    """

    def places(vocabulary: Sequence[str]) -> "array[int]":
        by_lemma: dict[str, list[int]] = defaultdict(list)
        known = []
        for place, word in enumerate(vocabulary):
            if word in left_out or not word[0].isalpha():
                continue
            if lemmas := wordnet.lemmas(word):
                known.append((place, word))
                for lemma in lemmas:
                    by_lemma[lemma].append(place)
        related_places = array("q")
        for place, word in known:
            for answer in answers:
                for related in answer(word):
                    for other in by_lemma.get(related, ()):
                        related_places.append(place)
                        related_places.append(other)
        return related_places

    return Lexicon(wordnet.signature, places)


def synonyms_and_hypernyms(wordnet: AnyWordnet, left_out: Collection[str] = FUNCTION_WORDS) -> Lexicon:
    """Synonyms, and the words one level above: operation, procedure; operation, work."""
    return wordnet_relation(wordnet, (wordnet.synonyms, wordnet.hypernyms), left_out)


def word_pairs(pairs: Sequence[tuple[str, str]]) -> Lexicon:
    """Pairs of words given one by one, best first, as word association finds them: vendors, suppliers."""

    def places(vocabulary: Sequence[str]) -> "array[int]":
        place = {word: number for number, word in enumerate(vocabulary)}
        known = (two for two in pairs if two[0] in place and two[1] in place)
        return array("q", (place[word] for two in known for word in two))

    text = "\n".join(f"{first}\t{second}" for first, second in pairs)
    return Lexicon(f"pairs-{hashlib.sha256(text.encode()).hexdigest()[:16]}", places, tuple(pairs))


@dataclass(frozen=True, slots=True)
class Lexicons:
    """by_class: the lexicon of each lexical class that there is; opposites: of words that contradict;
    scorers: the pair scorers that are feature classes; language: of the text: its tokens, its function words
    and its words of negation; encoder: of the class of that name."""

    by_class: Mapping[str, Lexicon]
    opposites: Lexicon | None = None
    lookup: Lookup = IN_RESIDUE
    scorers: tuple[PairScorer, ...] = ()
    language: Language = languages.ENGLISH
    encoder: Encoder | None = None

    def related(self, vocabulary: Sequence[str]) -> dict[str, Integers]:
        """By class what `Lexicon.related` gives, without the pairs that `lookup` leaves out."""
        _, function_words = self.lookup
        function_word = np.fromiter(
            (word in self.language.function_words and not function_words for word in vocabulary),
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
        """The signature of each lexicon and pair scorer and of the encoder by name."""
        signatures = {name: lexicon.signature for name, lexicon in self.by_class.items()}
        if self.opposites is not None:
            signatures["opposites"] = self.opposites.signature
        if self.language is not languages.ENGLISH:
            signatures[WORDS] = self.language.word_signature
        if self.encoder is not None:
            signatures[ENCODER] = self.encoder.signature
        return signatures | {scorer.id: scorer.signature() for scorer in self.scorers}


def open_lexicons(
    classes: Collection[str],
    association: Sequence[tuple[str, str]] | None,
    language: str = ENGLISH,
    *,
    lookup: Lookup = IN_RESIDUE,
    encoder: str = "",
) -> tuple[Lexicons, list[str]]:
    """The lexicons of the classes that there are on this machine, and a note on each that there is not.

    association: the word pairs of that class, best first; None, without a note, where none were asked for.
    language: name of its stemmer; any other than LANGUAGES has none. lookup: where they are looked into.
    encoder: a folder, `default` or none. Raises as `open_encoder`.
    """
    lexicons: dict[str, Lexicon] = {}
    notes = []
    opposites = None
    rules = languages.language_of_stemmer(language)
    if MORPHOLOGY in classes:
        if language in LANGUAGES:
            lexicons[MORPHOLOGY] = morphological_variants(Stemmer(language))
        else:
            notes.append("The class morphology is off: there is no stemmer for the language of the text.")
    if WORDNET in classes:
        try:
            wordnet = wordnet_of(rules.tag)
        except WordNetError as error:
            notes.append(f"The class wordnet is off: {error}")
        else:
            left_out = frozenset[str]() if lookup[1] else rules.function_words
            lexicons[WORDNET] = synonyms_and_hypernyms(wordnet, left_out)
            opposites = wordnet_relation(wordnet, (wordnet.antonyms,), rules.function_words)
    if ASSOCIATION in classes and association:
        lexicons[ASSOCIATION] = word_pairs(association)
    elif ASSOCIATION in classes and association is not None:
        notes.append("The class association is off: its lexicon has no word pairs.")
    scorers = tuple(PAIR_SCORERS.get(name) for name in added_classes() if name in classes)
    vectors = open_encoder(encoder, *LAYERS) if ENCODER in classes and encoder else None
    return Lexicons(lexicons, opposites, lookup, scorers, rules, vectors), notes
