"""Train a paraphrase classifier on a file of labelled pairs; no database is touched."""

import json
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from paragold.classification.association import associate
from paragold.classification.classes import ASSOCIATION, CLASSES, EXTRA_CLASSES
from paragold.classification.lexicons import open_lexicons
from paragold.classification.pair_scorers import added_classes
from paragold.classification.settings import ClassifierSpec, LexiconSpec
from paragold.classification.training import (
    FOLDS,
    Figures,
    LabelledPairs,
    Trained,
    ablation,
    learning_curve,
    thresholds,
    train_classifier,
)
from paragold.cli.arguments import add_arguments as add_spec_arguments
from paragold.cli.arguments import spec_from
from paragold.cli.console import Console, Options, add_output
from paragold.formats.labelled_pairs import TextPair, read_pairs

THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


HELP = "Train a paraphrase classifier: --pairs FILE --output MODEL.npz [--association FILE] [--ablation]."


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--pairs", type=Path, required=True, help="MSR paraphrase TSV, or label TAB sentence TAB sentence"
    )
    add_output(parser, "--output", required=True, help="the model, as .npz")
    parser.add_argument(
        "--association",
        type=Path,
        action="append",
        default=[],
        help="pairs (as of extract_pairs) that word association is learned from; may be repeated",
    )
    add_spec_arguments(parser, LexiconSpec, leave_out=["kind"])
    add_class_arguments(parser)
    add_spec_arguments(parser, ClassifierSpec, leave_out=("classes",))
    parser.add_argument("--ablation", action="store_true", help="print the scores without each feature class")
    parser.add_argument("--curve", action="store_true", help="print the learning curve")
    parser.add_argument("--json", action="store_true", help="print everything as JSON instead")


def add_class_arguments(parser: ArgumentParser) -> None:
    """The options that leave feature classes out and turn others on."""
    for option, dest, choices, does in (
        ("--without", "without", CLASSES, "leave a feature class out"),
        ("--with", "extra", (*EXTRA_CLASSES, *added_classes()), "turn a class on that is off by default"),
    ):
        parser.add_argument(
            option,
            dest=dest,
            action="append",
            default=[],
            choices=choices,
            help=f"{does}; may be repeated",
        )


def chosen_classes(options: Options) -> frozenset[str]:
    """The classes that the options of `add_class_arguments` ask for."""
    return frozenset({*CLASSES, *options["extra"]} - {*options["without"]})


def run(options: Options, console: Console) -> None:
    started = time.monotonic()
    spec = spec_from(ClassifierSpec, options, classes=chosen_classes(options))
    pairs = read_pairs(options["pairs"])
    association = _association(pairs, spec.classes, options)
    lexicons, notes = open_lexicons(spec.classes, association, spec.language, lookup=spec.lookup)
    for note in notes:
        console.warn(note)
    labelled = LabelledPairs(pairs, lexicons, spec)
    trained = train_classifier(labelled)
    rows = ablation(labelled) if options["ablation"] else []
    points = learning_curve(labelled) if options["curve"] else []
    trained.classifier.save(options["output"])
    seconds = round(time.monotonic() - started, 1)
    if options["json"]:
        console.write(json.dumps(as_json(labelled, trained, rows, points, notes, seconds), indent=2))
    else:
        _write_figures(labelled, trained, rows, points, console)
        console.write(f"\n{options['output']}: written after {seconds} seconds.")


def _association(
    pairs: list[TextPair], classes: frozenset[str], options: Options
) -> list[tuple[str, str]] | None:
    """Word pairs of the association files, best first, or None without such a file.

    Pairs that are labelled as well are left out: a lexicon made of the pairs that cross-validation
    holds back would flatter its figures.
    """
    if ASSOCIATION not in classes or not options["association"]:
        return None
    labelled = {frozenset((pair.first, pair.second)) for pair in pairs}
    texts = [
        (pair.first, pair.second)
        for path in options["association"]
        for pair in read_pairs(path)
        if frozenset((pair.first, pair.second)) not in labelled
    ]
    return [(pair.first, pair.second) for pair in associate(texts, spec_from(LexiconSpec, options))]


def _write_figures(
    labelled: LabelledPairs,
    trained: Trained,
    rows: list[Figures],
    points: list[Figures],
    console: Console,
) -> None:
    measures, space = trained.measures, trained.classifier.model.space
    write = console.write
    write(
        f"{len(labelled.labels):,} pairs, {int(labelled.labels.sum()):,} paraphrases; "
        f"classes: {', '.join(labelled.classes)}; {len(space.names):,} features, "
        f"{len(space.word_pairs):,} of them single word pairs; "
        f"C {trained.classifier.training['settings']['c']:g}."
    )
    write(f"\n{FOLDS}-fold cross-validation, in percent (95 % interval):")
    for name in ("error", "accuracy", "precision", "recall", "f"):
        low, high = measures["intervals"][name]
        write(f"  {name:<10}{percent(measures[name])}  ({percent(low)} to{percent(high)})")
    write(f"  always the more frequent label: error{percent(measures['majority_error'])}")
    write(
        f"  calibration: Brier score {trained.calibration['brier']:.3f}, "
        f"expected error{percent(trained.calibration['expected_error'])}"
    )
    write("\nThreshold   precision  recall     F   kept")
    for row in thresholds(labelled.labels, trained.probabilities, steps=THRESHOLDS):
        shares = [row[name] for name in ("precision", "recall", "f", "kept_share")]
        write(f"  {row['probability']:<12.1f}{'  '.join(map(percent, shares))}")
    if rows:
        write("\nFeature classes             columns   error       F   precision  recall")
        for variant in rows:
            write(f"  {variant['name']:<24}{variant['dimensions']:>9.0f}  {table_cells(variant['measures'])}")
    if points:
        write("\nTrained on pairs                      error       F   precision  recall")
        for point in points:
            write(f"  {point['pairs']:<24,}{'':>9}  {table_cells(point['measures'])}")


def percent(share: float) -> str:
    return f"{100 * share:6.2f}"


def table_cells(measures: Figures) -> str:
    return "  ".join(percent(measures[name]) for name in ("error", "f", "precision", "recall"))


def as_json(
    labelled: LabelledPairs,
    trained: Trained,
    rows: list[Figures],
    points: list[Figures],
    notes: list[str],
    seconds: float,
) -> dict[str, Any]:
    space = trained.classifier.model.space
    return {
        **trained.classifier.training,
        "classes": list(labelled.classes),
        "features": len(space.names),
        "word_pairs": len(space.word_pairs),
        "calibration": trained.calibration,
        "thresholds": thresholds(labelled.labels, trained.probabilities, steps=THRESHOLDS),
        "ablation": rows,
        "learning_curve": points,
        "lexicons": dict(trained.classifier.signatures),
        "notes": notes,
        "seconds": seconds,
    }
