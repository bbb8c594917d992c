"""Tables of the papers on public news; prints Markdown.

    python -m benchmarks.replicated_tables              table 3 of Brockett & Dolan (2005)
    python -m benchmarks.replicated_tables --table-1    table 1 of Dolan, Quirk & Brockett (2004)

The training sets are those of `benchmarks.alignment_experiments`, and the pairs of F3 that a classifier
accepts; the test set is Edinburgh++, training part. The aligner stands in for GIZA++ as in a replication
within a project: the HMM, two tables that know nothing of words beforehand, for table 3 the lexicon of
identical words, for table 1 Och's refined symmetrisation. AER in percent: all, identical, other words.
"""

import sys
from collections.abc import Sequence

from benchmarks.alignment_experiments import DATA, PRESETS, training_pairs
from paragold.aligners.aligner import Pair
from paragold.aligners.statistical import HMM, HMMSpec
from paragold.aligners.symmetrisation import SYMMETRISATIONS
from paragold.classification.lexicons import open_lexicons
from paragold.classification.settings import ClassifierSpec
from paragold.classification.training import LabelledPairs, train_classifier
from paragold.formats.labelled_pairs import read_pairs
from paragold.formats.link_files import read_links
from paragold.metrics.error_rate import WORDS, counts_by_words, rates
from paragold.metrics.links import LinkedPair

MSR = "MSR trained"
PAPER = {
    "L12": "12.46 / 11.57 / 21.25",
    "F2": "15.57 / 13.19 / 39.08",
    "F3": "15.99 / 14.24 / 33.83",
    MSR: "13.42 / 11.92 / 28.31",
}


def table_1(gold: Sequence[LinkedPair], texts: Sequence[Pair]) -> None:
    """Precision, recall and AER of all, identical and non-identical words, a column for each training set."""
    heads, shares = [], []
    three = {"min_shared_words": 3}
    training_sets = [(name, chosen) for name in ("L12-2004", "L12-2004-word") for chosen in ({}, three)]
    for preset, settings in [*training_sets, ("F2-2004", {})]:
        pairs = training_pairs(preset, **settings)
        spec = HMMSpec(one_language=False, identical=False, linking="refined")
        drawn = HMM(spec).fit([*pairs, *texts]).align_all(texts)
        counts = counts_by_words(drawn, gold)
        heads.append(f"{preset}{', three shared words' if settings else ''}: {len(pairs):,} pairs")
        shares.append([100 * rate for words in WORDS for rate in rates(counts[words].sum(axis=0))])
    print(f"| | {' | '.join(heads)} |\n| --- |{' ---: |' * len(heads)}")
    names = [f"{rate}, {words}" for words in WORDS for rate in ("precision", "recall", "AER")]
    for name, *cells in zip(names, *shares, strict=True):
        print(f"| {name} | {' | '.join(f'{cell:.2f}' for cell in cells)} |")


def accepted(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs that a classifier accepts which is trained on the MSR Paraphrase Corpus, training part."""
    spec = ClassifierSpec()
    lexicons, _ = open_lexicons(spec.classes, None, lookup=spec.lookup)
    labelled = read_pairs(DATA / "paraphrase" / "msr_paraphrase_train.txt")
    classifier, _ = train_classifier(LabelledPairs(labelled, lexicons, spec))
    values, _ = classifier.decide([(" ".join(source), " ".join(target)) for source, target in pairs])
    return [pair for pair, accepts in zip(pairs, values >= 0, strict=True) if accepts]


def main() -> None:
    if not DATA.is_dir():
        sys.exit(f"The research data are not at {DATA}.")
    gold = read_links(DATA / "alignment" / "edinburghpp.train.jsonl")
    texts = [(pair.tokens.source, pair.tokens.target) for pair in gold]
    if "--table-1" in sys.argv:
        table_1(gold, texts)
        return
    training = {preset: training_pairs(preset) for preset in PRESETS}
    training[MSR] = accepted(training["F3"])
    heads = [f"{name}: {len(pairs):,} pairs" for name, pairs in training.items()]
    print(f"| symmetrisation | lexicon | {' | '.join(heads)} |\n| --- | --- |{' --- |' * len(heads)}")
    print(f"| the paper, 1,007 pairs | yes | {' | '.join(PAPER.values())} |")
    for lexicon in (True, False):
        trained: list[HMM] = []
        for pairs in training.values():
            spec = HMMSpec(one_language=False, identical=False, lexicon=lexicon)
            trained.append(HMM(spec).fit([*pairs, *texts]))
        for way in SYMMETRISATIONS:
            cells = []
            for aligner in trained:
                aligner.set_params(linking=way)
                counts = counts_by_words(aligner.align_all(texts), gold)
                shares = (rates(counts[words].sum(axis=0))[2] for words in WORDS)
                cells.append(" / ".join(f"{100 * share:.2f}" for share in shares))
            print(f"| {way} | {'yes' if lexicon else 'no'} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
