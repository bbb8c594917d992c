"""The sources of evidence for a link: what they are called, and what they say for and against it.

This module loads no numerical library.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


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
