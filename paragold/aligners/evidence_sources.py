"""The sources that the evidence for a link comes from: what each feature of the classifier belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

SOURCES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "links around it": ("first stage",),
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
        "stem": ("stem",),
        "identical words": ("identical",),
    }
)
"""By name, the words in the names of its features. A feature belongs to the first source that fits."""


def source_of(feature: str) -> str:
    """The name of the source of a feature, one of SOURCES. Raises KeyError for a feature of none."""
    for name, words in SOURCES.items():
        if any(word in feature for word in words):
            return name
    raise KeyError(feature)
