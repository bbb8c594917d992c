"""The classifier from texts to decisions, beside the least that any program has to do."""

from __future__ import annotations

import numpy as np
from rapidfuzz.distance import Levenshtein

from benchmarks.data import pairs_to_classify
from benchmarks.measuring import DATA, Row, cost, ratio, seconds
from paragold.classification.association import associate
from paragold.classification.classes import CLASSES
from paragold.classification.lexicons import open_lexicons
from paragold.classification.settings import ClassifierSpec
from paragold.classification.training import LabelledPairs, train_classifier, variants
from paragold.folds import assign_folds
from paragold.formats.labelled_pairs import read_pairs

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


def classifier_ablation(
    *,
    encoder: str = "default",
    folds: int = 10,
    seeds: tuple[int, ...] = (0, 1, 2),
    c: float = 0.003,
    only: tuple[str, ...] = (),
    most: int = 0,
) -> list[Row]:
    """Cross-validation on the MSR Paraphrase Corpus, training part: all classes, and each left out.

    Means over divisions into folds, in percent; `encoder` is a folder, `default` or "". With one "no encoder"
    is the classifier without it. No lexicon of word association. `only` names rows.
    """
    spec = ClassifierSpec(c=c, encoder=encoder)
    lexicons, _ = open_lexicons(spec.classes, None, lookup=spec.lookup, encoder=encoder)
    pairs = read_pairs(DATA / "paraphrase" / "msr_paraphrase_train.txt")[: most or None]
    with cost() as preparing:
        labelled = LabelledPairs(pairs, lexicons, spec)
    rows: list[Row] = []
    for name, classes, word_pairs in variants(labelled.classes):
        if only and name not in only:
            continue
        measured = []
        for seed in seeds:
            divided = assign_folds(labelled.groups, labelled.labels, folds=folds, seed=seed)
            measured.append(labelled.measure(classes, folds=divided, word_pairs=word_pairs))
        row: Row = {"classes": name, "columns": round(np.mean([columns for _, columns in measured]))}
        for figure in ("accuracy", "f"):
            row[figure] = round(100 * np.mean([figures[figure] for figures, _ in measured]), 2)
        rows.append(row)
    rows.append({"classes": f"{len(pairs)} pairs prepared"} | preparing)
    return rows
