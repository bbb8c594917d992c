"""The sources of evidence for a link by name, and the closed classes of words.

This module loads no numerical library.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from paragold.languages import language

PHRASES, CONTEXT = "phrases", "words in context"
SOURCES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        CONTEXT: ("context",),
        "links around it": ("first stage",),
        PHRASES: ("phrase,",),
        "closed classes": ("closed class",),
        "words beside it": ("word before", "word after", "word beside", "neighbours", "identical run"),
        "rivals": ("rival",),
        "position": ("diagonal", "common subsequence", "first word", "last word"),
        "association": ("association",),
        "spelling": ("spelling",),
        "capitals, digits, punctuation": ("capitalised", "digits", "punctuation"),
        "posteriors": ("posterior",),
        "frequency": ("frequenc", "rarer", "commoner", "function word"),
        "lengths": ("length",),
        "WordNet": ("lemma", "derivation", "synonym", "hypernym"),
        "identical words": ("identical",),
    }
)
"""Words in the names of the features that come from each source; a feature belongs to the first that fits."""


def source_of(feature: str) -> str:
    """The name of the source of a feature, one of SOURCES. Raises KeyError for a feature of none."""
    for name, words in SOURCES.items():
        if any(word in feature for word in words):
            return name
    raise KeyError(feature)


_MARKS = {
    "quotation mark": ['"', "''", "``", "'", "`", "“", "”", "‘", "’"],
    "end of a sentence": [".", "!", "?", ";", ":"],
    "mark within a sentence": [",", "-", "--", "–", "—", ";", ":", "(", ")", "-lrb-", "-rrb-", "..."],
}


Classes = Mapping[str, frozenset[str]]
"""The closed classes of a word in lower case; a word that is not there has none."""
NO_CLASSES: Classes = MappingProxyType({})


@lru_cache
def classes_in(tag: str) -> Classes:
    """The closed classes of words and marks in a language, by its tag; none where its words are not known."""
    own = language(tag).closed_classes
    classes = {**own, **_MARKS} if own else {}
    words = {word for listed in classes.values() for word in listed}
    return MappingProxyType(
        {word: frozenset(name for name, listed in classes.items() if word in listed) for word in words}
    )
