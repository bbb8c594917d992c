"""Which of Snowball's stemmers fits a language, named as the web names languages."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from paragold.text.stemming import LANGUAGES

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
