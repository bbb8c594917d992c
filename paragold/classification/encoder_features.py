"""The class `encoder`: how near two sentences and their words are by the vectors of an encoder.

A word's nearness is its highest cosine with a word of the other sentence. No feature depends on the order of
the two sentences: a measure with two sides gives two numbers, the lesser and the greater.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from paragold.arrays import Flags, Float32s, Floats
from paragold.classification.words import words_of
from paragold.languages import Language
from paragold.parallel import portions
from paragold.text.encoder import LAST, LAYER, Encoder, of_sentences

LAYERS = (LAYER, LAST)
"""Words are clearest in an inner layer, whole sentences in the last one."""
_OF_LAYERS = {"inner": 0, "last": 1}
_MEASURES = (
    *(
        f"{measure}_{layer}"
        for layer in _OF_LAYERS
        for measure in ("words", "content_words", "farthest_word")
    ),
    *("content_unmatched", "names_differ", "numbers_differ"),
)
ENCODER_NAMES = (
    *(f"sentences_{layer}" for layer in _OF_LAYERS),
    *(f"{measure}_{bound}" for measure in _MEASURES for bound in ("lesser", "greater")),
)
_MATCHED, _SAME_NAME = 0.5, 0.6
"""From these cosines on a content word has a match, and a name is that of the other sentence."""
_DIGITS = 4
"""Of a cosine: its last bits depend on the number of sentences that are computed at a time."""
_PAIRS_AT_ONCE = 256
_KNOWN_AT_MOST = 20_000
_known: OrderedDict[tuple[str, str, str], tuple[float, ...]] = OrderedDict()
"""Of pairs met before, since a report measures the same pairs again and again."""


def encoder_features(
    encoder: Encoder, texts: Sequence[tuple[str, str]], language: Language
) -> dict[str, Floats]:
    """The class `encoder` by name, each of shape (n,)."""
    rows: dict[tuple[str, str, str], tuple[float, ...]] = {}
    keys = [(encoder.signature, *pair) for pair in texts]
    for some in portions([key for key in dict.fromkeys(keys) if key not in _known], _PAIRS_AT_ONCE):
        tokens = [language.tokens(text)[0] for _, *pair in some for text in pair]
        vectors = encoder.of_layers(tokens)
        sentences = [of_sentences([own[layer] for own in vectors]) for layer in _OF_LAYERS.values()]
        for place, key in enumerate(some):
            both = slice(2 * place, 2 * place + 2)
            whole = [round(float(own[both][0] @ own[both][1]), _DIGITS) for own in sentences]
            rows[key] = (*whole, *_of_words(tokens[both], vectors[both], language))
    values = np.array([rows.get(key) or _known[key] for key in keys]).reshape(-1, len(ENCODER_NAMES))
    _known.update(rows)
    while len(_known) > _KNOWN_AT_MOST:
        _known.popitem(last=False)
    return dict(zip(ENCODER_NAMES, values.T, strict=True))


def _of_words(
    tokens: Sequence[Sequence[str]], vectors: Sequence[Float32s], language: Language
) -> list[float]:
    words = [[words_of(token) for token in side] for side in tokens]
    near = np.round(vectors[0] @ vectors[1].swapaxes(1, 2), _DIGITS).astype(float)
    measured = []
    for side, other, highest in zip(tokens, words[::-1], (near, near.swapaxes(1, 2)), strict=True):
        nearness = highest.max(axis=2, initial=0.0)
        measured.append(_of_side(side, set(other), nearness, language))
    return [bound for two in zip(*measured, strict=True) for bound in (min(two), max(two))]


def _of_side(tokens: Sequence[str], others: set[str], nearness: Floats, language: Language) -> list[float]:
    """The values of _MEASURES. nearness: (layers, m) of the m tokens."""
    words = [words_of(token) for token in tokens]
    is_word = np.array([bool(word) for word in words], dtype=bool)
    content = is_word & [word not in language.function_words for word in words]
    alone = is_word & [word not in others for word in words]
    names = alone & [place > 0 and token[0].isupper() for place, token in enumerate(tokens)]
    numbers = alone & [any(map(str.isdigit, word)) for word in words]
    inner = nearness[_OF_LAYERS["inner"]]
    values = [
        value
        for layer in nearness
        for value in (_mean(layer, is_word), _mean(layer, content), layer.min(initial=1.0, where=content))
    ]
    counts = (content & (inner < _MATCHED), names & (inner < _SAME_NAME), numbers)
    return [*map(float, values), *(float(flags.sum()) for flags in counts)]


def _mean(nearness: Floats, chosen: Flags) -> float:
    return float(nearness[chosen].mean()) if chosen.any() else 1.0
