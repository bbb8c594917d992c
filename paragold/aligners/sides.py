"""What is known of the words of one side of sentence pairs, whatever the other side is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from paragold.aligners.closed_classes import Classes
from paragold.aligners.expectation_maximisation import FloatArray, IntArray
from paragold.text.word_forms import same_form

_FREQUENT = 0.002
"""Share of the running words from which on a word counts as a function word."""


class Side:
    """The words of all sentences, one sentence after another; `shares` of the running words are theirs."""

    def __init__(self, sentences: Sequence[Sequence[str]], shares: FloatArray, classes: Classes) -> None:
        tokens = list(chain.from_iterable(sentences))
        numbers = {token: number for number, token in enumerate(dict.fromkeys(tokens))}
        words = np.array([numbers[token] for token in tokens], dtype=np.int64)
        names: frozenset[str] = frozenset().union(*classes.values())
        bits = {name: 1 << number for number, name in enumerate(sorted(names))}
        nothing: frozenset[str] = frozenset()

        def of_each(values: Sequence[int]) -> IntArray:
            return np.array(values, dtype=np.int64)[words]

        forms = {token: same_form(token) for token in numbers}
        self.forms = [[forms[token] for token in sentence] for sentence in sentences]
        self.classes = of_each(
            [sum(bits[name] for name in classes.get(token.lower(), nothing)) for token in numbers]
        )
        """The closed classes of each word, a bit each."""
        self.punctuation = of_each([not any(map(str.isalnum, token)) for token in numbers]) > 0
        self.capitalised = of_each([token[:1].isupper() for token in numbers]) > 0
        self.digits = of_each([any(map(str.isdigit, token)) for token in numbers]) > 0
        self.function = shares > _FREQUENT
        self.logarithm = np.log(shares + 1e-6)
        self.content = ~(self.punctuation | (self.classes > 0 if classes else self.function))
        lengths = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
        ends, lengths = np.repeat(np.cumsum(lengths), lengths), np.repeat(lengths, lengths)
        places, last = np.arange(len(tokens)), len(tokens)
        following = np.minimum.accumulate(np.where(self.content, places, last)[::-1])[::-1]
        preceding = np.maximum.accumulate(np.where(self.content, places, -1))
        after, before = np.append(following, last)[1:], np.append(-1, preceding)[:-1]
        starts = ends - lengths
        self.after = np.where(after < ends, after - starts, lengths)
        """Place in the sentence of the next word that is no function word or mark; its length if none is."""
        self.before = np.where(before >= starts, before - starts, lengths)
