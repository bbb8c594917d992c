"""The feature options of the classifier by cross-validation, and table 4 of Brockett & Dolan (2005) again.

    python -m benchmarks.classifier_features --pairs MSR_TRAIN [--sick FILE] [--sts FILE]
        [--association WORDS.tsv] [--c 0.003] [--seeds 3] [--sections options table4 classes loss]

--pairs has labelled pairs. --sick (SICK-NL's table, its English originals: a paraphrase where each sentence
entails the other) and --sts (similarity TAB sentence TAB sentence: from 4 on) bring them near the paper's
10,000. --association: a lexicon as `associate-words` writes it. Folds keep clusters and shared sentences
whole; figures are means over the folds' seeds. Choose nothing here by the test part of a corpus.
"""

import argparse
import csv
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from time import process_time

import numpy as np

from paragold.classification.classes import ALL_CLASSES, CLASSES, LEXICAL_CLASSES, PAPER_CLASSES, STRING
from paragold.classification.features import FeatureSpace, PreparedPairs
from paragold.classification.lexicons import open_lexicons
from paragold.classification.settings import ClassifierSpec
from paragold.classification.training import LabelledPairs, evaluate
from paragold.classification.words import Flags
from paragold.formats.labelled_pairs import TextPair, read_pairs

# Brockett & Dolan (2005), table 4: dimensions.
PAPER = {"all": 946, "no word pairs": 230, "no association": 470, "no wordnet": 795, "no morphology": 813}
STS_PARAPHRASE = 4.0


def read_sick(path: Path) -> Iterator[TextPair]:
    with path.open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE), start=2):
            both = row["entailment_AB"] == "A_entails_B" and row["entailment_BA"] == "B_entails_A"
            texts = row["sentence_A_original"], row["sentence_B_original"]
            yield TextPair(*texts, both, "", ("", ""), number)


def read_sts(path: Path) -> Iterator[TextPair]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        similarity, first, second = line.split("\t")
        yield TextPair(first, second, float(similarity) >= STS_PARAPHRASE, "", ("", ""), number)


class Figures:
    """Cross-validation of one set of pairs, whatever the options."""

    def __init__(self, pairs: list[TextPair], association: list[tuple[str, str]] | None, seeds: int) -> None:
        self.pairs, self.association, self.seeds = pairs, association, seeds

    def row(self, name: str, spec: ClassifierSpec, *, word_pairs: bool = True) -> Flags:
        """Print columns, columns of word pairs, accuracy, F and processor seconds; give the decisions."""
        started = process_time()
        lexicons, _ = open_lexicons(spec.classes, self.association, lookup=spec.lookup)
        columns, shares, decided = [], [], []
        for seed in range(self.seeds):
            labelled = LabelledPairs(self.pairs, lexicons, spec.replace(seed=seed))
            values, dimensions = labelled.out_of_fold(labelled.classes, word_pairs=word_pairs)
            decided.append(values >= 0)
            measures = evaluate(labelled.labels, decided[-1])
            bare = labelled.prepared.take(np.arange(min(2, len(self.pairs))))
            columns.append((dimensions, dimensions - dense_columns(bare, labelled.classes)))
            shares.append((measures["accuracy"], measures["f"]))
        (whole, lexical), (accuracy, f) = (np.mean(values, axis=0) for values in (columns, shares))
        print(
            f"| {name} | {whole:.0f} | {lexical:.0f} | {PAPER.get(name, '')} | {100 * accuracy:.2f} | "
            f"{100 * f:.2f} | {process_time() - started:.0f} |",
            flush=True,
        )
        return np.concatenate(decided)


def dense_columns(prepared: PreparedPairs, classes: Iterable[str]) -> int:
    return len(FeatureSpace.fit(prepared, frozenset(classes), min_frequency=None).names)


def heading(title: str) -> None:
    print(f"\n{title}\n\n| | columns | word pairs | paper's columns | accuracy | F | seconds |")
    print("| --- | --- | --- | --- | --- | --- | --- |")


def options(figures: Figures, default: ClassifierSpec) -> None:
    heading("Options")
    for pair_words, function_words, frequency in product(("residue", "all"), (False, True), (5, 2)):
        options = {"pair_words": pair_words, "function_words": function_words, "min_frequency": frequency}
        name = f"{pair_words}, function words {'in' if function_words else 'out'}, from {frequency}"
        figures.row(name, default.replace(**options))


def table4(figures: Figures, default: ClassifierSpec) -> None:
    heading("Table 4: the paper's classes, all words, function words in, frequency > 4")
    paper = default.replace(classes=frozenset(PAPER_CLASSES), pair_words="all", function_words=True)
    figures.row("all", paper)
    figures.row("no word pairs", paper, word_pairs=False)
    for name in (*LEXICAL_CLASSES, STRING):
        figures.row(f"no {name}", paper.replace(classes=paper.classes - {name}))


def classes(figures: Figures, default: ClassifierSpec) -> None:
    heading("Classes, other options by default")
    figures.row("by default", default)
    for name in ALL_CLASSES:
        figures.row(
            f"{'no' if name in CLASSES else 'with'} {name}", default.replace(classes=default.classes ^ {name})
        )


def loss(figures: Figures, default: ClassifierSpec) -> None:
    heading("Loss, other options by default")
    for c in (0.001, 0.003, 0.01):
        squared, hinge = (
            figures.row(f"{loss}, C {c}", default.replace(loss=loss, c=c))
            for loss in ("squared_hinge", "hinge")
        )
        print(f"| decisions that differ: {100 * (squared != hinge).mean():.2f} % |", flush=True)


SECTIONS = {"options": options, "table4": table4, "classes": classes, "loss": loss}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--sick", type=Path)
    parser.add_argument("--sts", type=Path)
    parser.add_argument("--association", type=Path)
    parser.add_argument("--c", type=float, default=0.003)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--sections", nargs="+", choices=SECTIONS, default=list(SECTIONS))
    arguments = parser.parse_args()
    pairs = read_pairs(arguments.pairs)
    pairs += read_sick(arguments.sick) if arguments.sick else []
    pairs += read_sts(arguments.sts) if arguments.sts else []
    association = None
    if arguments.association:
        with arguments.association.open(encoding="utf-8", newline="") as lines:
            rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            association = [(row["first"], row["second"]) for row in rows]
    print(f"{len(pairs):,} pairs, {sum(bool(pair.label) for pair in pairs):,} paraphrases")
    figures = Figures(pairs, association, arguments.seeds)
    default = ClassifierSpec(c=arguments.c)

    for section in arguments.sections:
        SECTIONS[section](figures, default)


if __name__ == "__main__":
    main()
