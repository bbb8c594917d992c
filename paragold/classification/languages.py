"""Which stemmer belongs to the language of a project."""

from paragold.text.stemming import LANGUAGES

ENGLISH = "english"

# The primary subtags (BCP 47, ISO 639-1) of the languages that Snowball has stemmers for.
_STEMMERS = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": ENGLISH,
    "es": "spanish", "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish",
    "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian",
    "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip


def stemmer_of(tag: str) -> str | None:
    """The name of the stemmer for a language tag such as en or pt-BR; None when there is none."""
    name = _STEMMERS.get(tag.lower().replace("_", "-").split("-")[0])
    return name if name in LANGUAGES else None
