"""Bootstrapping: a classifier that goes on learning from its own decisions, and what that costs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paragold.classification.coded_pairs import Flags, Integers
from paragold.classification.features import FeatureSpace
from paragold.classification.linear_svm import DEFAULT_C, train_svm
from paragold.classification.matching import Numbers
from paragold.classification.measures import Measures, evaluate
from paragold.classification.prepared import prepare
from paragold.classification.training import LabelledPairs
from paragold.sources.labelled_pairs import TextPair

ROUNDS = 2
# Of the pool, in each round: the pairs that the model is surest of.
SHARE = 0.2


@dataclass(frozen=True, slots=True)
class BootstrapRound:
    """After so many rounds: pairs that taught without being judged, how many of them as paraphrases (means
    over the folds), and what cross-validation measured on judged pairs that no model had seen."""

    round: int
    added: float
    paraphrases: float
    measures: Measures


def bootstrap(
    labelled: LabelledPairs,
    pairs: Sequence[TextPair],
    pool: Sequence[tuple[str, str]],
    *,
    c: float = DEFAULT_C,
    rounds: int = ROUNDS,
    share: float = SHARE,
) -> list[BootstrapRound]:
    """Cross-validate a classifier that takes its surest decisions on `pool` for judgements, round by round.

    pairs: those that `labelled` was made of. pool: unlabelled pairs of texts. share: the part of the pool,
    0 to 1, that each round takes, paraphrases among them as often as among the judged ones, as far as the
    decisions go. The first row is round 0, without bootstrapping.
    """
    texts = [*((pair.first, pair.second) for pair in pairs), *pool]
    prepared = prepare(texts, labelled.lexicons)
    known = np.arange(len(pairs))
    unknown = np.arange(len(pairs), len(texts))
    decisions = np.zeros((rounds + 1, len(pairs)))
    added = np.zeros((rounds + 1, labelled.settings.folds, 2))
    for fold in range(labelled.settings.folds):
        judged = known[labelled.folds != fold]
        held_back = prepared.take(known[labelled.folds == fold])
        rows, labels = judged, labelled.labels[judged]
        for number in range(rounds + 1):
            training = prepared.take(rows)
            space = FeatureSpace.fit(training, labelled.classes)
            model = train_svm(
                space.transform(training), labels, c=c, class_weight=labelled.settings.class_weight
            )
            decisions[number, labelled.folds == fold] = model.decide(space.transform(held_back))
            if number < rounds and len(unknown):
                values = model.decide(space.transform(prepared.take(unknown)))
                sure, said = surest(values, labelled.labels[judged].mean(), share * (number + 1))
                rows = np.concatenate((judged, unknown[sure]))
                labels = np.concatenate((labelled.labels[judged], said))
                added[number + 1, fold] = len(sure), said.sum()
    means = added.mean(axis=1)
    return [
        BootstrapRound(
            number,
            float(means[number, 0]),
            float(means[number, 1]),
            evaluate(labelled.labels, decisions[number] >= 0, seed=labelled.settings.seed),
        )
        for number in range(rounds + 1)
    ]


def surest(values: Numbers, positive: float, share: float) -> tuple[Integers, Flags]:
    """The places of the surest of n decision values and what they say, paraphrases first.

    positive: the share of paraphrases wanted among them; share: of n, how many are wanted. A label has no
    more pairs than there are decisions for it.
    """
    wanted = round(min(1.0, share) * len(values))
    order = np.argsort(-values, kind="stable")
    paraphrases = order[: min(round(positive * wanted), int((values >= 0).sum()))]
    others = order[::-1][: min(wanted - round(positive * wanted), int((values < 0).sum()))]
    said = np.repeat([True, False], [len(paraphrases), len(others)])
    return np.concatenate((paraphrases, others)), said
