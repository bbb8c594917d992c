"""English words of closed classes, which stand for each other though their forms differ: the, a; is, was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

_LISTS = {
    "determiner": "a an the this that these those some any each every no another such",
    "preposition": "of in on at by for with from to into onto over under about against between among through "
    "during before after since until within without toward towards upon per via as than like near off out up "
    "down across along around behind beside beyond despite amid",
    "be": "be is are was were been being am 's 're 'm",
    "have": "have has had having 've 'd",
    "do": "do does did doing done",
    "modal": "will would shall should can could may might must 'll wo ca",
    "pronoun": "i you he she it we they me him her us them himself herself itself themselves one who whom "
    "whoever",
    "possessive": "my your his her its our their 's ' whose",
    "conjunction": "and or but nor yet so because although though while whereas if unless when where whether "
    "that which",
    "negation": "not n't no never neither nor none nothing",
    "quotation mark": "\" '' `` ' ` \u201c \u201d \u2018 \u2019",
    "end of a sentence": ". ! ? ; :",
    "mark within a sentence": ", - -- \u2013 \u2014 ; : ( ) -lrb- -rrb- ...",
}


def _by_word() -> dict[str, frozenset[str]]:
    classes: dict[str, set[str]] = {}
    for name, words in _LISTS.items():
        for word in words.split():
            classes.setdefault(word, set()).add(name)
    return {word: frozenset(names) for word, names in classes.items()}


Classes = Mapping[str, frozenset[str]]
"""The closed classes of a word in lower case; a word that is not there has none."""
ENGLISH: Classes = MappingProxyType(_by_word())
NONE: Classes = MappingProxyType({})


def closed(tokens: Sequence[str], classes: Classes) -> NDArray[np.bool_]:
    """Which of the tokens are of a closed class."""
    return np.array([token.lower() in classes for token in tokens], dtype=bool)


def common(source: Sequence[str], target: Sequence[str], classes: Classes) -> NDArray[np.bool_]:
    """Where both words are of one closed class, I x J."""
    nothing: frozenset[str] = frozenset()
    rows = [classes.get(token.lower(), nothing) for token in source]
    columns = [classes.get(token.lower(), nothing) for token in target]
    return np.array([[bool(row & column) for column in columns] for row in rows], dtype=bool).reshape(
        len(source), len(target)
    )
