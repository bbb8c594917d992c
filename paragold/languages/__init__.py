"""Languages: `language("nl")` is one object, asked by everything that depends on the language of a text.

English, Dutch, German, French and Spanish have rules of their own; plug-ins may add others (docs/plugins.md).
Any other tag has rules for marks and runs of letters only, and the stems of Snowball where there are some.
"""

from __future__ import annotations

import re
from functools import lru_cache

from paragold.languages.de import GERMAN
from paragold.languages.en import ENGLISH
from paragold.languages.es import SPANISH
from paragold.languages.fr import FRENCH
from paragold.languages.language import Language
from paragold.languages.nl import DUTCH
from paragold.languages.sentences import SentenceRules, words
from paragold.registry import Registry

__all__ = ["ENGLISH", "LANGUAGES", "TAG", "Language", "language", "language_of_stemmer"]

LANGUAGES = Registry(
    "language", Language, [ENGLISH, DUTCH, GERMAN, FRENCH, SPANISH], entry_points="paragold.languages"
)

TAG = re.compile("[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")
"""What has the form of a BCP 47 tag; names of languages, such as Dutch, have not."""

_INTERNATIONAL = SentenceRules(
    before_names=words("dr prof mr mrs ms mgr st"),
    before_numbers=words("nr no p pp vol art fig tel etc Nr No Vol Art Fig Tel"),
    may_end=words("inc corp co ltd bros jr sr"),
)


@lru_cache(maxsize=256)
def language(tag: str) -> Language:
    """The language of a BCP 47 tag such as nl or pt-BR, by its first part.

    A tag without rules of its own gives a language of which only the tag is known: marks end sentences, words
    are runs of letters; stems and direction follow from the tag.
    """
    code = tag.strip().replace("_", "-").split("-")[0].lower()
    if code in LANGUAGES.ids():
        return LANGUAGES.get(code)
    return Language(code, name=code, sentence_rules=_INTERNATIONAL)


def language_of_stemmer(name: str) -> Language:
    """The language whose words a Snowball stemmer stems: `dutch`; the original Porter stemmer is English.

    Any other name, such as that of no stemmer, gives a language of which nothing is known.
    """
    # Not above: extraction needs no stems.
    from paragold.text.stemming import STEMMERS

    codes = (code for code, stemmer in STEMMERS.items() if stemmer == name)
    return ENGLISH if name == "porter" else language(next(codes, "und"))
