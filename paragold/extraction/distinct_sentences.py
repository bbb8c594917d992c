"""The different texts among the sentences of a cluster: each is compared once, however often it occurs."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from paragold.extraction.criteria import SHARED_WORD_LENGTH
from paragold.extraction.records import KEY_BYTES, content_key, sentence_bytes, words_only


class DistinctSentences:
    """Texts from the shortest to the longest as compared, ties in the order of first occurrence.

    tokens: the lower-cased tokens of each text, n in all.
    compared: the tokens of each text that criteria are held to: the same, or those with placeholders.
    positions: for each text, the positions in the cluster where it occurs, ascending.
    first_positions: those of `positions` that are among the first sentences of their articles.
    lengths: int64 array of shape (n,), in compared tokens, ascending.
    """

    def __init__(
        self,
        positions: Sequence[int],
        tokens: Sequence[tuple[str, ...]],
        shared_word_length: int,
        compared: Sequence[tuple[str, ...]] | None = None,
        first: Callable[[int], bool] | None = None,
    ) -> None:
        """`positions` are those of the sentences to use, ascending; `tokens` those of the whole cluster.

        So are `compared`; without them, the tokens are compared as they are. `first` says whether a position
        is that of one of the first sentences; without it, all are.
        """
        compared = tokens if compared is None else compared
        occurrences: dict[tuple[str, ...], list[int]] = {}
        for position in positions:
            occurrences.setdefault(tokens[position], []).append(position)
        by_length = sorted(occurrences.items(), key=lambda item: len(compared[item[1][0]]))
        self.tokens = [text for text, _ in by_length]
        self.positions = [at for _, at in by_length]
        self.compared = [compared[at[0]] for at in self.positions]
        self.first_positions = [list(filter(first, at)) for at in self.positions] if first else self.positions
        self.lengths: NDArray[np.int64] = np.array([len(text) for text in self.compared], dtype=np.int64)
        self._shared_word_length = shared_word_length
        self._long_words: list[frozenset[str] | None] = [None] * len(self.tokens)
        # The same number for texts of the same words; below 0 where it is not computed yet.
        self._words_only = np.full(len(self.tokens), -1, dtype=np.int64)
        self._classes: dict[tuple[str, ...], int] = {}
        self._bytes = [b""] * len(self.tokens)

    def __len__(self) -> int:
        return len(self.tokens)

    def long_words(self, text: int) -> frozenset[str]:
        """The distinct compared words of a text that have at least the length of shared words."""
        words = self._long_words[text]
        if words is None:
            words = frozenset([word for word in self.compared[text] if len(word) >= self._shared_word_length])
            self._long_words[text] = words
        return words

    def shared_words(self, a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many distinct long words each text of `a`, by number, shares with the text of `b` beside it."""
        left, right = a.tolist(), b.tolist()
        words = {text: self.long_words(text) for text in {*left, *right}}
        shared = [len(words[one] & words[other]) for one, other in zip(left, right, strict=True)]
        return np.array(shared, dtype=np.int64)

    def stored_shared_words(self, a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
        """The same for the words as printed and the length that is stored with every pair."""
        left, right = a.tolist(), b.tolist()
        words = {
            text: {word for word in self.tokens[text] if len(word) >= SHARED_WORD_LENGTH}
            for text in {*left, *right}
        }
        shared = [len(words[one] & words[other]) for one, other in zip(left, right, strict=True)]
        return np.array(shared, dtype=np.int64)

    def same_words(self, a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether each text of `a`, by number, differs from the text of `b` beside it in punctuation only."""
        words, classes = self._words_only, self._classes
        for text in {*a.tolist(), *b.tolist()}:
            if words[text] < 0:
                words[text] = classes.setdefault(words_only(self.tokens[text]), len(classes))
        same: NDArray[np.bool_] = words[a] == words[b]
        return same

    def content_keys(self, a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.void]:
        """The key of each text of `a`, by number, with the text of `b` beside it (`content_key`)."""
        left, right, encoded = a.tolist(), b.tolist(), self._bytes
        for text in {*left, *right}:
            if not encoded[text]:
                encoded[text] = sentence_bytes(self.tokens[text])
        keys = [content_key(encoded[one], encoded[other]) for one, other in zip(left, right, strict=True)]
        return np.frombuffer(b"".join(keys), dtype=f"V{KEY_BYTES}")
