"""Texts as sets of words: which tokens count, and the sets as sorted arrays of codes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from paragold.text.tokenisation import tokenise

# Chung & Knight (section 4) leave out determiners and the possessive besides punctuation. Their list is
# not printed; words that are mostly pronouns or answers ("that", "some", "no") stay in.
DETERMINERS = frozenset(("a", "an", "the", "each", "every", "either", "neither"))
POSSESSIVES = frozenset(("'s", "’s"))
STOP_WORDS = DETERMINERS | POSSESSIVES


def content_words(text: str, stop_words: frozenset[str] = STOP_WORDS) -> list[str]:
    """The tokens of a text in lower case, in order, without punctuation and stop words.

    Punctuation is a token without a letter or digit.
    """
    return words_that_count((token.lower() for token in tokenise(text)[0]), stop_words)


def words_that_count(words: Iterable[str], stop_words: frozenset[str] = STOP_WORDS) -> list[str]:
    """The lower-case tokens that are neither punctuation nor stop words, in order."""
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
        """The number of different words of each text, shape (n,)."""
        return np.diff(self.offsets)


def word_sets(texts: Iterable[Sequence[str]]) -> WordSets:
    """Sets of the words of each text; repeated words count once."""
    from paragold.matching.kernels import numbered, rarest_first

    # Arrow copies the words side by side; a dict of strings, which lie all over the memory, takes twice as
    # long. They are numbered by first appearance.
    lists = pa.array(list(texts), pa.large_list(pa.large_string()))
    bounds, (numbers, names) = lists.offsets.to_numpy(), numbered(lists.values)
    offsets, codes, order = rarest_first(bounds, numbers, len(names))
    return WordSets(codes, offsets, tuple(names[number] for number in order.tolist()))


def sets_of_files(*files: Iterable[str], stop_words: frozenset[str] = STOP_WORDS) -> tuple[WordSets, int]:
    """The word sets of all texts of one file or two, and how many texts the first of two has (0 for one)."""
    listed = [[content_words(text, stop_words) for text in texts] for texts in files]
    return word_sets(chain.from_iterable(listed)), len(listed[0]) if len(listed) > 1 else 0
