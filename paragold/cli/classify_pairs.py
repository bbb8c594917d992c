"""Decide on a file of pairs with a trained classifier; no database is touched."""

import json
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from paragold.classification import model_file
from paragold.classification.classifier import Classifier, Contribution, LexiconError
from paragold.classification.linear_svm import Decisions
from paragold.classification.measures import evaluate
from paragold.cli.console import CommandProblem, Console, Options, add_output
from paragold.formats.judgements.labelled_pairs import TextPair, read_pairs
from paragold.formats.text_files import whole_file
from paragold.text.wordnet import WordNetError

HEADER = (
    *("predicted", "probability", "decision", "label", "cluster"),
    *("first_id", "second_id", "first", "second"),
)
REASONS = 3


HELP = "Classify pairs: --model MODEL.npz --pairs FILE --output FILE.tsv [--threshold P] [--reasons]."


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--model", type=Path, required=True, help="from train_classifier")
    parser.add_argument("--pairs", type=Path, required=True, help="labelled pairs or pairs by extract_pairs")
    add_output(parser, "--output", required=True, help="one line per pair, in the same order")
    parser.add_argument(
        "--threshold",
        type=float,
        help="minimum probability of an accepted pair (default: the sign of the decision value)",
    )
    parser.add_argument(
        "--reasons", action="store_true", help=f"add the {REASONS} features that weigh most in each pair"
    )
    parser.add_argument("--json", action="store_true", help="print counts and figures as JSON")


def run(options: Options, console: Console) -> None:
    started = time.monotonic()
    threshold = options["threshold"]
    if threshold is not None and not 0 <= threshold <= 1:
        raise CommandProblem("--threshold takes a probability from 0 to 1.")
    if options["output"].resolve() in (options["pairs"].resolve(), options["model"].resolve()):
        raise CommandProblem("--output is also an input. Choose another file.")
    try:
        classifier = model_file.read(options["model"])
        pairs = read_pairs(options["pairs"])
        texts = [(pair.first, pair.second) for pair in pairs]
        contexts = [pair.context for pair in pairs]
        decisions = classifier.decide(texts, contexts)
        reasons = classifier.contributions(texts, contexts, maximum=REASONS) if options["reasons"] else None
    except (LexiconError, WordNetError) as error:
        raise CommandProblem(str(error)) from error
    accepted = decisions.accepted(threshold)
    with whole_file(options["output"]) as output:
        output.writelines(line.encode() for line in lines(pairs, accepted.tolist(), decisions, reasons))
    figures = summary(classifier, pairs, accepted)
    figures["seconds"] = round(time.monotonic() - started, 2)
    if options["json"]:
        console.write(json.dumps(figures, indent=2))
        return
    console.write(f"{figures['accepted']:,} of {len(pairs):,} pairs accepted.")
    for name in ("accuracy", "precision", "recall", "f"):
        if name in figures:
            console.write(f"  {name:<10}{100 * figures[name]:6.2f}")


def lines(
    pairs: list[TextPair],
    accepted: list[bool],
    decisions: Decisions,
    reasons: list[list[Contribution]] | None,
) -> Iterator[str]:
    yield "\t".join([*HEADER, "reasons"] if reasons is not None else HEADER) + "\n"
    probabilities, values = decisions.probabilities.tolist(), decisions.values.tolist()
    for row, pair in enumerate(pairs):
        fields = [
            str(int(accepted[row])),
            f"{probabilities[row]:.6f}",
            f"{values[row]:.6f}",
            "" if pair.label is None else str(int(pair.label)),
            *(pair.cluster, *pair.keys, pair.first, pair.second),
        ]
        if reasons is not None:
            fields.append("; ".join(f"{one.name} {one.amount:+.3f}" for one in reasons[row]))
        yield "\t".join(fields) + "\n"


def summary(classifier: Classifier, pairs: list[TextPair], accepted: Any) -> dict[str, Any]:
    figures: dict[str, Any] = {
        "pairs": len(pairs),
        "accepted": int(accepted.sum()),
        "features": len(classifier.space.names),
    }
    labels = [pair.label for pair in pairs]
    if all(label is not None for label in labels):
        figures.update(asdict(evaluate(np.array(labels, dtype=bool), accepted)))
    return figures
