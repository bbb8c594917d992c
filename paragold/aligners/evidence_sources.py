"""The sources of evidence for a link: what they are called, and what they say for and against it.

Some are about two words, whatever their sentences, and come from files or from the training text. A new one
is a subclass of `word_evidence.WordEvidence` and an entry of WORD_SOURCES. Its columns are features of the
last step of `best`, so the starting point is made again afterwards (scripts/starting_point.py). This module
loads no numerical library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from paragold.registry import Registry


@dataclass(frozen=True, slots=True)
class WordSource:
    """One source of evidence about words.

    Attributes
    ----------
    id, label : str
        What is stored and typed in `without`; what people read.
    needs : str
        What has to be given for it.
    kind : str
        The class of `word_evidence` that computes its values.
    columns : tuple of str
        Names of its features; each begins with the id.
    speaks_for, speaks_against : str
        What it says for and against a link, in words.
    """

    id: str
    label: str
    needs: str
    kind: str
    columns: tuple[str, ...]
    speaks_for: str
    speaks_against: str


def _of_phrases(id: str, label: str, needs: str, name: str) -> WordSource:
    columns = f"{id}, two words", f"{id}, part of a phrase"
    return WordSource(id, label, needs, "PhrasePairs", columns, f"a pair of {name}", f"not in {name}")


def _of_vectors(id: str, label: str, needs: str) -> WordSource:
    columns = tuple(f"{id}, {what}" for what in ("similarity", "squared", "most similar", "words around"))
    words = "used in similar contexts", "used in different contexts"
    return WordSource(id, label, needs, "WordVectors", columns, *words)


PARAPHRASES, LEXICON = "paraphrases", "association lexicon"
VECTORS, DISTRIBUTION = "vectors", "distribution"
WORD_SOURCES: Registry[WordSource] = Registry(
    "source of word evidence",
    WordSource,
    [
        _of_phrases(
            PARAPHRASES,
            "Paraphrase lexicon",
            "a file of words or phrases, two and a score a line, such as PPDB or what phrase-pairs writes",
            "the paraphrase lexicon",
        ),
        _of_phrases(
            LEXICON,
            "Word association lexicon",
            "a lexicon of the project, or the file that associate-words writes",
            "the word association lexicon",
        ),
        _of_vectors(VECTORS, "Word vectors", "a file of vectors: word2vec text or binary, GloVe, model2vec"),
        _of_vectors(DISTRIBUTION, "Distribution", "nothing but the training text, of which much is needed"),
    ],
)
WORD_NAMES = tuple(column for source in WORD_SOURCES for column in source.columns)


class Source(NamedTuple):
    """One source of evidence."""

    in_names: tuple[str, ...]
    """Words in the names of the features that come from it."""
    speaks_for: str
    """What it says for a link; "" of a relation, which is named itself."""
    speaks_against: str


PHRASES = "phrases"
SOURCES: Mapping[str, Source] = MappingProxyType(
    {
        **{
            source.id: Source((f"{source.id},",), source.speaks_for, source.speaks_against)
            for source in WORD_SOURCES
        },
        "links around it": Source(("first stage",), "neighbours linked", "neighbours not linked"),
        PHRASES: Source(("phrase,",), "part of a phrase beside a link", "no phrase beside a link"),
        "closed classes": Source(("closed class",), "function words fit", "function words do not fit"),
        "words beside it": Source(
            ("word before", "word after", "word beside", "neighbours", "identical run"),
            "the words beside them belong together",
            "the words beside them differ",
        ),
        "rivals": Source(("rival",), "no other word competes", "another word competes"),
        "position": Source(
            ("diagonal", "common subsequence", "first word", "last word"),
            "similar place in the sentence",
            "far apart in the sentences",
        ),
        "association": Source(("association",), "often seen together", "seldom seen together"),
        "spelling": Source(("spelling",), "similar spelling", "different spelling"),
        "capitals, digits, punctuation": Source(
            ("capitalised", "digits", "punctuation"),
            "capitals, digits or punctuation agree",
            "capitals, digits or punctuation differ",
        ),
        "posteriors": Source(
            ("posterior",), "the translation model links them", "the translation model doubts it"
        ),
        "frequency": Source(
            ("frequenc", "rarer", "commoner", "function word"), "frequencies fit", "frequencies do not fit"
        ),
        "lengths": Source(("length",), "sentence lengths fit", "sentence lengths do not fit"),
        "WordNet": Source(("lemma", "derivation", "synonym", "hypernym"), "", "no relation in WordNet"),
        "stem": Source(("stem",), "", "different stems"),
        "identical words": Source(("identical",), "", "the words differ"),
    }
)
"""By name. A feature belongs to the first source that fits."""


def source_of(feature: str) -> str:
    """The name of the source of a feature, one of SOURCES. Raises KeyError for a feature of none."""
    for name, source in SOURCES.items():
        if any(words in feature for words in source.in_names):
            return name
    raise KeyError(feature)
