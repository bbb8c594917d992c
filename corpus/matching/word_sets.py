"""Texts as sets of words: which tokens count, and the sets as sorted arrays of codes."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from corpus.text.tokenisation import tokenise

# What Chung & Knight (section 4) leave out beside punctuation: determiners and the possessive. Their list is
# not printed; words that are mostly pronouns or answers ("that", "some", "no") stay in.
DETERMINERS = frozenset(("a", "an", "the", "each", "every", "either", "neither"))
POSSESSIVES = frozenset(("'s", "’s"))
STOP_WORDS = DETERMINERS | POSSESSIVES


def content_words(text: str, stop_words: frozenset[str] = STOP_WORDS) -> list[str]:
    """The tokens of a text in lower case, in order, without punctuation and stop words.

    Punctuation is a token without a letter or digit.
    """
    words = (token.lower() for token in tokenise(text)[0])
    return [word for word in words if word not in stop_words and any(map(str.isalnum, word))]


@dataclass(frozen=True, slots=True)
class WordSets:
    """The sets of words of n texts.

    codes: int32, shape (offsets[-1],); those of text t are codes[offsets[t]:offsets[t + 1]], ascending and
    distinct. A word's code is its index in `words`, which begin with the rarest (in texts; then the first).
    offsets: int64, shape (n + 1,).
    """

    codes: NDArray[np.int32]
    offsets: NDArray[np.int64]
    words: tuple[str, ...]

    def __len__(self) -> int:
        return self.offsets.size - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many different words each text has, shape (n,)."""
        return np.diff(self.offsets)


def word_sets(texts: Iterable[Sequence[str]]) -> WordSets:
    """Sets of the words of each text; repeated words count once."""
    listed = list(texts)
    lengths = np.fromiter(map(len, listed), np.int64, len(listed))
    first_codes: defaultdict[str, int] = defaultdict()
    first_codes.default_factory = first_codes.__len__
    found = np.fromiter(
        map(first_codes.__getitem__, chain.from_iterable(listed)), np.int64, int(lengths.sum())
    )
    size = max(len(first_codes), 1)
    # Text and word as one number, sorted: a word that comes again in its text stands beside itself.
    occurrences = np.sort(np.repeat(np.arange(len(listed)), lengths) * size + found)
    occurrences = occurrences[np.append(True, occurrences[1:] != occurrences[:-1])[: occurrences.size]]
    owners, early = np.divmod(occurrences, size)
    order = np.argsort(np.bincount(early, minlength=len(first_codes)), kind="stable")
    codes = np.empty(order.size, np.int64)
    codes[order] = np.arange(order.size)
    offsets = np.zeros(len(listed) + 1, np.int64)
    np.cumsum(np.bincount(owners, minlength=len(listed)), out=offsets[1:])
    sorted_codes = np.sort(owners * size + codes[early]) - owners * size
    names = list(first_codes)
    return WordSets(sorted_codes.astype(np.int32), offsets, tuple(names[code] for code in order.tolist()))


def sets_of_files(*files: Iterable[str]) -> tuple[WordSets, int]:
    """The word sets of all texts of one file or two, and how many texts the first of two has (0 for one)."""
    listed = [[content_words(text) for text in texts] for texts in files]
    return word_sets(chain.from_iterable(listed)), len(listed[0]) if len(listed) > 1 else 0
