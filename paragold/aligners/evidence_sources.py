"""The sources of evidence for a link by name, and the closed classes of words of English.

This module loads no numerical library.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

PHRASES = "phrases"
SOURCES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
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
        "stem": ("stem",),
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


_LISTS = {
    "determiner": "a an the this that these those some any each every no another such",
    "preposition": "of in on at by for with from to into onto over under about against between among through "
    "during before after since until within without toward towards upon per via as than like near off out up "
    "down across along around behind beside beyond despite amid",
    "be": "be is are was were been being am 's 're 'm",
    "have": "have has had having 've 'd",
    "do": "do does did doing done",
    "modal": "will would shall should can could may might must 'll wo ca",
    "pronoun": "i you he she it we they me him her us them himself herself itself themselves one who whom "
    "whoever",
    "possessive": "my your his her its our their 's ' whose",
    "conjunction": "and or but nor yet so because although though while whereas if unless when where whether "
    "that which",
    "negation": "not n't no never neither nor none nothing",
    "quotation mark": "\" '' `` ' ` \u201c \u201d \u2018 \u2019",
    "end of a sentence": ". ! ? ; :",
    "mark within a sentence": ", - -- \u2013 \u2014 ; : ( ) -lrb- -rrb- ...",
}


Classes = Mapping[str, frozenset[str]]
"""The closed classes of a word in lower case; a word that is not there has none."""
ENGLISH: Classes = MappingProxyType(
    {
        word: frozenset(name for name, words in _LISTS.items() if word in words.split())
        for word in " ".join(_LISTS.values()).split()
    }
)
NO_CLASSES: Classes = MappingProxyType({})
