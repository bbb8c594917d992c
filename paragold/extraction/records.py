"""The input and output of extraction, as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

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


def lowered(tokens: Sequence[str]) -> tuple[str, ...]:
    """The tokens in lower case, as all comparisons use them."""
    # One long text is lowered faster than many short ones; a space ends a word for all rules of case.
    words = tuple(" ".join(tokens).lower().split(" "))
    return words if len(words) == len(tokens) else tuple([token.lower() for token in tokens])


@dataclass(frozen=True, slots=True)
class ClusterSentences:
    """The sentences of one cluster as parallel sequences, one entry a sentence, in the order of the input.

    ids: any integer that the caller knows the sentence by.
    articles: the number of its article in the cluster; see `Criteria.same_article`.
    indices: its index in its article, from 0.
    tokens: its stored tokens in lower case, punctuation included; see `lowered`.

    Raises ValueError when the sequences differ in length.
    """

    ids: Sequence[int]
    articles: Sequence[int]
    indices: Sequence[int]
    tokens: Sequence[tuple[str, ...]]

    def __post_init__(self) -> None:
        if not len(self.ids) == len(self.articles) == len(self.indices) == len(self.tokens):
            raise ValueError(
                "ids, articles, indices and tokens need one entry for each sentence, got "
                f"{len(self.ids)}, {len(self.articles)}, {len(self.indices)} and {len(self.tokens)}."
            )

    @classmethod
    def of(cls, articles: Iterable[Sequence[tuple[str, ...]]]) -> ClusterSentences:
        """Articles as sequences of sentences in lower case; a sentence's id is its position."""
        tokens, numbers, indices = list[tuple[str, ...]](), list[int](), list[int]()
        for number, sentences in enumerate(articles):
            tokens += sentences
            numbers += [number] * len(sentences)
            indices += range(len(sentences))
        return cls(ids=range(len(tokens)), articles=numbers, indices=indices, tokens=tokens)

    @classmethod
    def from_articles(cls, articles: Iterable[Iterable[Sequence[str]]]) -> ClusterSentences:
        """The same for tokenised sentences in any case."""
        return cls.of([lowered(tokens) for tokens in sentences] for sentences in articles)

    @classmethod
    def from_texts(cls, articles: Iterable[Sequence[str]]) -> ClusterSentences:
        """The same for sentences whose tokens are separated by single spaces; an empty text has none."""
        # A whole text is lowered faster than its tokens; a space ends a word for all rules of case.
        return cls.of(
            [tuple(text.lower().split(" ")) if text else () for text in texts] for texts in articles
        )

    def __len__(self) -> int:
        return len(self.tokens)


PAIRS = np.dtype(
    [
        ("first", "i8"),
        ("second", "i8"),
        ("edit_distance", "i4"),
        ("length_a", "i4"),
        ("length_b", "i4"),
        ("shared_words", "i4"),
        ("position_a", "i4"),
        ("position_b", "i4"),
        ("content_key", f"V{KEY_BYTES}"),
    ]
)
"""A table of candidate pairs: two sentences proposed as paraphrases, with the numbers that papers filter on.

The numbers are those of the words as printed, the same whatever criteria found the pair.

first, second: positions in the cluster's input, first < second.
edit_distance: classical Levenshtein distance over lower-cased tokens, punctuation included.
length_a, length_b: tokens in the first and in the second sentence.
shared_words: distinct lower-cased words of 4 or more characters found in both.
position_a, position_b: index of the sentence in its article, from 0.
content_key: 16 bytes that are equal for equal texts in either order; see `content_key`.
"""


COUNTED = (
    *("clusters", "articles", "sentences", "pairs_compared", "pairs_kept"),
    *("rejected_same_text", "rejected_seen_before"),
)
"""What an extraction counts.

pairs_compared: pairs of sentences, mostly of different articles only, that the method may look at, whatever
    shortcut decides them: both within the length limits and, for first sentences, among the first.
rejected_same_text: pairs that meet the criteria but differ at most in punctuation or case.
rejected_seen_before: pairs that meet the criteria but whose texts were kept before, in either order.
"""


def new_counts() -> Counter[str]:
    """All of COUNTED, 0 each; the counts of parts are added by `update`."""
    return Counter(dict.fromkeys(COUNTED, 0))
