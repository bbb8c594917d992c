"""Rule-based stemming by the Snowball algorithms, and which of them fits a language tag."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.metadata import version
from threading import Lock
from types import MappingProxyType
from typing import Annotated

import snowballstemmer
from pydantic import BeforeValidator

LANGUAGES: tuple[str, ...] = tuple(sorted(snowballstemmer.algorithms()))
SIGNATURE = f"snowball-{version('snowballstemmer')}"

_CACHED_WORDS = 1 << 17


class Stemmer:
    """Stems words of one language; what was stemmed is remembered.

    Raises ValueError for a language that Snowball does not have (see LANGUAGES).
    """

    def __init__(self, language: str = "english") -> None:
        if language not in LANGUAGES:
            raise ValueError(f"There is no stemmer for {language!r}. Choose one of {', '.join(LANGUAGES)}.")
        self.language = language
        self._stem = _stem_word(language)

    @property
    def signature(self) -> str:
        """The algorithm: version and language. Another one may stem some words otherwise."""
        return f"{SIGNATURE}-{self.language}"

    def stem(self, word: str) -> str:
        """The stem of a word, in lower case. Words that hold no letter are their own stem."""
        word = word.lower()
        stem: str = self._stem(word)
        return stem or word


@lru_cache
def _stem_word(language: str) -> Callable[[str], str]:
    """The stemmer of a language; all that use it share what it remembers."""
    stemmer = snowballstemmer.stemmer(language)
    # It stores the word it works on in itself.
    one_at_a_time = Lock()

    @lru_cache(_CACHED_WORDS)
    def stem(word: str) -> str:
        with one_at_a_time:
            return str(stemmer.stemWord(word))

    return stem


_NAMES = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian",
    "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch",
    "nn": "norwegian", "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sr": "serbian", "st": "sesotho", "sv": "swedish", "ta": "tamil", "tr": "turkish",
    "yi": "yiddish",
}  # fmt: skip
STEMMERS: Mapping[str, str] = MappingProxyType(
    {code: name for code, name in _NAMES.items() if name in LANGUAGES}
)
"""Code of a language (ISO 639-1) -> name of its stemmer, for all that Snowball has."""


def stemmer_name(tag: str) -> str | None:
    """The stemmer of a BCP 47 tag such as en or pt-BR, one of LANGUAGES; None where there is none."""
    return STEMMERS.get(tag.strip().replace("_", "-").split("-")[0].lower())


def stemmer_given(value: object) -> object:
    """The stemmer that a language tag stands for, such as dutch for nl; anything else as it is given."""
    return (stemmer_name(value) if isinstance(value, str) else None) or value


StemmerName = Annotated[str, BeforeValidator(stemmer_given)]
"""A field of a Spec that takes the name of a stemmer or the tag of its language."""
