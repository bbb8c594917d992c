"""Brockett & Dolan (2005), table 3: AER of aligners trained on L12, F2, F3, and F3 filtered."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.measuring import DATA, Row, cost
from paragold.aligners.aligner import Pair, texts_of
from paragold.aligners.statistical import HMM, HMMSpec
from paragold.aligners.symmetrisation import SYMMETRISATIONS
from paragold.classification.lexicons import open_lexicons
from paragold.classification.settings import ClassifierSpec
from paragold.classification.training import LabelledPairs, train_classifier, variants
from paragold.folds import assign_folds
from paragold.formats.labelled_pairs import read_pairs
from paragold.formats.link_files import read_links
from paragold.metrics.error_rate import WORDS, counts_by_words, rates
from replication.dolan_2004 import NEWS, TEST_SET, training_pairs

MSR = "MSR trained"
PAPER = {
    "L12": "12.46 / 11.57 / 21.25",
    "F2": "15.57 / 13.19 / 39.08",
    "F3": "15.99 / 14.24 / 33.83",
    MSR: "13.42 / 11.92 / 28.31",
}


def table_3(*, most: int = 0, news: tuple[str, ...] = NEWS) -> list[Row]:
    """Table 3 of Brockett & Dolan (2005) on public news: AER of all / identical / other words, in percent.

    By symmetrisation, with and without the lexicon of identical words. Aligner and test set as in `table-1`.
    """
    gold = read_links(DATA / "alignment" / TEST_SET)[: most or None]
    texts = texts_of(gold)
    training = {preset: training_pairs(preset, news) for preset in ("L12", "F2", "F3")}
    training[MSR] = accepted(training["F3"])
    sizes = {name: f"{name}: {len(pairs):,} pairs" for name, pairs in training.items()}
    rows: list[Row] = [{"symmetrisation": "the paper, 1,007 pairs", "lexicon": "yes"}]
    rows[0] |= {sizes[name]: figures for name, figures in PAPER.items()}
    for lexicon in (True, False):
        spec = HMMSpec(one_language=False, identical=False, lexicon=lexicon)
        trained = {name: HMM(spec).fit([*pairs, *texts]) for name, pairs in training.items()}
        for way in SYMMETRISATIONS:
            row: Row = {"symmetrisation": way, "lexicon": "yes" if lexicon else "no"}
            for name, aligner in trained.items():
                aligner.set_params(linking=way)
                counts = counts_by_words(aligner.align_all(texts), gold)
                shares = (rates(counts[words].sum(axis=0))[2] for words in WORDS)
                row[sizes[name]] = " / ".join(f"{100 * share:.2f}" for share in shares)
            rows.append(row)
    return rows


def accepted(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs that a classifier accepts which is trained on the MSR Paraphrase Corpus, training part."""
    spec = ClassifierSpec()
    lexicons, _ = open_lexicons(spec.classes, None, lookup=spec.lookup)
    labelled = read_pairs(DATA / "paraphrase" / "msr_paraphrase_train.txt")
    classifier, _ = train_classifier(LabelledPairs(labelled, lexicons, spec))
    values, _ = classifier.decide([(" ".join(source), " ".join(target)) for source, target in pairs])
    return [pair for pair, accepts in zip(pairs, values >= 0, strict=True) if accepts]


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
