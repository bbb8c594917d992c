"""The classifier from texts to decisions, beside the least that any program has to do."""

from __future__ import annotations

import numpy as np
from rapidfuzz.distance import Levenshtein

from benchmarks.measuring import Row, cost, ratio, seconds
from paragold.classification.association import associate
from paragold.classification.classes import CLASSES
from paragold.classification.lexicons import open_lexicons
from paragold.classification.settings import ClassifierSpec
from paragold.classification.training import LabelledPairs, train_classifier
from tests.factories.made_up import pairs_to_classify

PAPERS_PAIRS = 235_061  # F3 of Brockett and Dolan (2005, table 2)
ASSOCIATED = 50_000


def classifier(*, pairs: int = PAPERS_PAIRS, train: int = 3_000, c: float = 0.01, seed: int = 1) -> list[Row]:
    """Features of all classes and the SVM's decisions beside a loop of edit distances; training, association.

    One core. From texts: tokenising, looking the vocabulary up in all lexicons, features, decisions.
    """
    rng, spec = np.random.default_rng(seed), ClassifierSpec(c=c)
    labelled = pairs_to_classify(rng, train)
    texts = [(pair.first, pair.second) for pair in pairs_to_classify(rng, pairs)]
    with cost() as associating:
        association = associate(texts[: min(pairs, ASSOCIATED)])
    lexicons, notes = open_lexicons(CLASSES, [pair[:2] for pair in association], lookup=spec.lookup)
    with cost() as training:
        model, _ = train_classifier(LabelledPairs(labelled, lexicons, spec))
    with cost() as deciding:
        values, _ = model.decide(texts)

    def loop() -> None:
        for first, second in texts:
            Levenshtein.distance(first.lower().split(), second.lower().split())

    least = seconds(loop)
    features = {"features": len(model.model[0].names), "accepted": int((values >= 0).sum())}
    extrapolated = round(deciding["cpu_s"] * PAPERS_PAIRS / pairs, 1)
    return [
        {"who": "features and decisions", "pairs": pairs} | deciding | features
        | {"cpu_s_of_235k": extrapolated, "times_the_loop": ratio(deciding["cpu_s"], least, 1)},
        {"who": "loop of edit distances", "pairs": pairs, "cpu_s": round(least, 3)},
        {"who": "training", "pairs": train} | training,
        {"who": "word association", "pairs": min(pairs, ASSOCIATED)} | associating | {"notes": notes},
    ]  # fmt: skip
