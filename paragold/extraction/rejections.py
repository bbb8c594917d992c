"""Pairs that are never candidates, however well they meet the criteria (Dolan, Quirk, Brockett 2004, 3)."""

from collections.abc import Sequence


def words_only(tokens: Sequence[str]) -> tuple[str, ...]:
    """The tokens that hold at least one letter or digit, in order.

    Two lower-cased sentences are the same text when this is equal: they are identical or differ in
    punctuation tokens only. So are any two sentences without a word, whatever their punctuation.
    """
    return tuple([token for token in tokens if token.isalnum() or any(map(str.isalnum, token))])
