"""Sentences as strings of one character a word, so that a string kernel measures the word edit distance."""

from array import array
from collections.abc import Sequence

_FIRST_SURROGATE = 0xD800
_SURROGATES = 0x800

# All code points but the surrogates, which are no characters and which some kernels refuse.
CHARACTERS = 0x110000 - _SURROGATES


class _Alphabet(dict[str, str]):
    """Gives each new word the next character; raises OverflowError when there is none left."""

    def __init__(self, characters: int) -> None:
        super().__init__()
        self._characters = characters

    def __missing__(self, word: str) -> str:
        code = len(self)
        if code >= self._characters:
            raise OverflowError
        character = self[word] = chr(code if code < _FIRST_SURROGATE else code + _SURROGATES)
        return character


def encode_words(
    sentences: Sequence[Sequence[str]], characters: int = CHARACTERS
) -> "list[str] | list[array[int]]":
    """Each distinct word of the sentences becomes one character, the same in all of them.

    With more distinct words than there are `characters` the sentences become arrays of 64-bit numbers
    instead: slower to compare, equal in result.
    """
    character = _Alphabet(characters).__getitem__
    try:
        return ["".join(map(character, sentence)) for sentence in sentences]
    except OverflowError:
        codes: dict[str, int] = {}
        return [array("q", [codes.setdefault(word, len(codes)) for word in text]) for text in sentences]
