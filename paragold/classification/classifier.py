"""A trained classifier: what it needs to decide on pairs, and why it decides as it does."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from paragold.classification.classes import (
    ASSOCIATION,
    IN_RESIDUE,
    LEXICAL_CLASSES,
    MORPHOLOGY,
    WORDNET,
    Lookup,
)
from paragold.classification.features import FeatureSpace, PreparedPairs, prepare
from paragold.classification.lexicons import (
    ENGLISH,
    Lexicons,
    MorphologicalVariants,
    WordNetRelation,
    WordPairs,
)
from paragold.classification.linear_svm import Decisions, LinearModel, Sigmoid
from paragold.classification.matching import Numbers
from paragold.classification.pair_scorers import PAIR_SCORERS, added_classes, all_classes
from paragold.formats.labelled_pairs import PairContext
from paragold.text.stemming import Stemmer
from paragold.text.wordnet import WordNetError, open_wordnet

# Pairs whose dense features are computed at a time; each part looks at every word of the vocabulary.
PAIRS_AT_ONCE = 1 << 16


class LexiconError(RuntimeError):
    """A lexicon that a classifier was trained with is absent or another one; the message says which."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """The contribution of a feature to a pair's decision value: its (scaled) value times its weight."""

    name: str
    value: float
    weight: float

    @property
    def amount(self) -> float:
        return self.value * self.weight


@dataclass(frozen=True, slots=True)
class Classifier:
    """Columns, weights and sigmoid, the association lexicon, how lexicons are used, and their signatures.

    language: of the stemmer, "" without one. training: how it was trained and what was measured then, as
    plain JSON values.
    """

    space: FeatureSpace
    model: LinearModel
    sigmoid: Sigmoid
    language: str
    association: tuple[tuple[str, str], ...]
    lookup: Lookup
    signatures: Mapping[str, str]
    training: Mapping[str, Any]

    def open_lexicons(self) -> Lexicons:
        """The lexicons that it was trained with. Raises LexiconError when this machine has others or none."""
        lexicons, _ = open_lexicons(
            self.space.classes, self.association, self.language or None, lookup=self.lookup
        )
        signatures = lexicons.signatures()
        for name, expected in self.signatures.items():
            kind = "lexicon" if name in (*LEXICAL_CLASSES, "opposites") else "pair scorer"
            if name not in signatures:
                raise LexiconError(
                    f"The model was trained with the {kind} {name} ({expected}), which is not "
                    "installed. Train a model without it."
                )
            if signatures[name] != expected:
                raise LexiconError(
                    f"The model was trained with another {kind} {name}: {expected}, but this installation "
                    f"has {signatures[name]}. Train the model again, or use the {kind} that it was "
                    "trained with."
                )
        if lost := sorted({*self.space.classes} - {*all_classes()}):
            raise LexiconError(
                f"The model was trained with the feature class {lost[0]}, which this version does not have. "
                "Train a model without it."
            )
        # One that has come since training would change the counts.
        return Lexicons(
            {name: lexicon for name, lexicon in lexicons.by_class.items() if name in self.signatures},
            lexicons.opposites if "opposites" in self.signatures else None,
            self.lookup,
            lexicons.scorers,
        )

    def decide(self, texts: Iterable[tuple[str, str]], contexts: Sequence[PairContext] = ()) -> Decisions:
        """Decide on pairs of texts. Raises LexiconError; the order of the two texts makes no difference.

        contexts: what is known of each pair, for the class `context`; without them it counts as the mean.
        """
        prepared = prepare(texts, self.open_lexicons(), contexts)
        values = decision_values(self.space, self.model, prepared)
        return Decisions(values, self.sigmoid.probabilities(values))

    def contributions(
        self,
        texts: Sequence[tuple[str, str]],
        contexts: Sequence[PairContext] = (),
        *,
        maximum: int | None = None,
    ) -> list[list[Contribution]]:
        """For each pair the features that are not 0, by the size of what they add, at most `maximum`.

        With the intercept they sum up to the decision value. contexts: as for `decide`.
        """
        features = self.space.transform(prepare(texts, self.open_lexicons(), contexts))
        names = self.space.names
        rows = []
        for row in range(features.shape[0]):
            cells = slice(features.indptr[row], features.indptr[row + 1])
            columns, values = features.indices[cells].tolist(), features.data[cells].tolist()
            contributions = [
                Contribution(names[column], value, float(self.model.weights[column]))
                for column, value in zip(columns, values, strict=True)
            ]
            contributions.sort(key=lambda one: (-abs(one.amount), one.name))
            rows.append(contributions[:maximum])
        return rows


def decision_values(space: FeatureSpace, model: LinearModel, prepared: PreparedPairs) -> Numbers:
    """The decision values (n,) of prepared pairs."""
    values = [np.zeros(0)]
    for start in range(0, len(prepared), PAIRS_AT_ONCE):
        part = prepared.part(start, min(start + PAIRS_AT_ONCE, len(prepared)))
        values.append(space.weighted_sums(part, model.weights) + model.intercept)
    return np.concatenate(values)


def open_lexicons(
    classes: Collection[str],
    association: Sequence[tuple[str, str]] | None,
    language: str | None = ENGLISH,
    *,
    lookup: Lookup = IN_RESIDUE,
) -> tuple[Lexicons, list[str]]:
    """The lexicons of the classes that there are on this machine, and a note on each that there is not.

    association: the word pairs of that class, best first, or None where there are none. language: of the
    stemmer, None where the text's language has none. WordNet is English. lookup: where they are looked into.
    """
    lexicons: dict[str, MorphologicalVariants | WordNetRelation | WordPairs] = {}
    notes = []
    opposites = None
    if MORPHOLOGY in classes:
        if language is None:
            notes.append("The class morphology is off: there is no stemmer for the language of the text.")
        else:
            lexicons[MORPHOLOGY] = MorphologicalVariants(Stemmer(language))
    if WORDNET in classes and language != ENGLISH:
        notes.append("The class wordnet is off: WordNet is English, the text is not.")
    elif WORDNET in classes:
        try:
            wordnet = open_wordnet()
        except WordNetError as error:
            notes.append(f"The class wordnet is off: {error}")
        else:
            lexicons[WORDNET] = WordNetRelation.synonyms_and_hypernyms(
                wordnet, function_words=lookup.function_words
            )
            opposites = WordNetRelation.antonyms(wordnet)
    if ASSOCIATION in classes:
        if association:
            lexicons[ASSOCIATION] = WordPairs(association)
        else:
            notes.append("The class association is off: there is no lexicon of word association.")
    scorers = tuple(PAIR_SCORERS.get(name) for name in added_classes() if name in classes)
    return Lexicons(lexicons, opposites, lookup, scorers), notes
