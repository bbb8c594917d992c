"""When two sentences are the same text, and the key by which a pair of texts is known when seen again."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

# UTF-8 never holds these bytes, so no text can be mistaken for a boundary.
_END_OF_TOKEN = b"\xff"
_END_OF_SENTENCE = b"\xfe"

KEY_BYTES = 16


def sentence_bytes(tokens: Sequence[str]) -> bytes:
    """A lower-cased token sequence as bytes; different sequences never give equal bytes."""
    # One long text is encoded several times faster than many short ones.
    text = "\n".join([*tokens, ""]).encode("utf-8", "surrogatepass")
    if text.count(b"\n") == len(tokens):
        return text.replace(b"\n", _END_OF_TOKEN)
    return b"".join([token.encode("utf-8", "surrogatepass") + _END_OF_TOKEN for token in tokens])


def content_key(a: bytes, b: bytes) -> bytes:
    """16 bytes of BLAKE2b over two sentences from `sentence_bytes`, the smaller first."""
    first, second = (a, b) if a <= b else (b, a)
    return blake2b(first + _END_OF_SENTENCE + second, digest_size=KEY_BYTES).digest()


def words_only(tokens: Sequence[str]) -> tuple[str, ...]:
    """The tokens that hold at least one letter or digit, in order.

    Two lower-cased sentences are the same text when this is equal: they are identical or differ in
    punctuation tokens only. So are any two sentences without a word, whatever their punctuation.
    """
    return tuple([token for token in tokens if token.isalnum() or any(map(str.isalnum, token))])
