"""Decide on a file of pairs with a trained classifier; no database is touched."""

import json
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from paragold.classification.classifier import Classifier, Contribution, Decisions, LexiconError
from paragold.classification.training import evaluate
from paragold.cli.console import CommandProblem, Console, Options, add_output
from paragold.formats.labelled_pairs import TextPair, each_pair
from paragold.formats.text_files import whole_file
from paragold.parallel import portions
from paragold.text.wordnet import WordNetError

HEADER = (
    *("predicted", "probability", "decision", "label", "cluster"),
    *("first_id", "second_id", "first", "second"),
)
REASONS = 3
PAIRS_AT_ONCE = 20_000


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
    labels, accepted = list[bool | None](), list[bool]()
    try:
        classifier = Classifier.load(options["model"])
        with whole_file(options["output"]) as output:
            header = [*HEADER, "reasons"] if options["reasons"] else HEADER
            output.write(("\t".join(header) + "\n").encode())
            for pairs in portions(each_pair(options["pairs"]), PAIRS_AT_ONCE):
                texts = [(pair.first, pair.second) for pair in pairs]
                contexts = [pair.context for pair in pairs]
                decisions = classifier.decide(texts, contexts)
                reasons = None
                if options["reasons"]:
                    reasons = classifier.contributions(texts, contexts, maximum=REASONS)
                of_these = decisions.accepted(threshold).tolist()
                output.writelines(line.encode() for line in lines(pairs, of_these, decisions, reasons))
                labels += [pair.label for pair in pairs]
                accepted += of_these
    except (LexiconError, WordNetError) as error:
        raise CommandProblem(str(error)) from error
    figures = summary(classifier, labels, accepted)
    figures["seconds"] = round(time.monotonic() - started, 2)
    if options["json"]:
        console.write(json.dumps(figures, indent=2))
        return
    console.write(f"{figures['accepted']:,} of {len(labels):,} pairs accepted.")
    for name in ("accuracy", "precision", "recall", "f"):
        if name in figures:
            console.write(f"  {name:<10}{100 * figures[name]:6.2f}")


def lines(
    pairs: list[TextPair],
    accepted: list[bool],
    decisions: Decisions,
    reasons: list[list[Contribution]] | None,
) -> Iterator[str]:
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


def summary(classifier: Classifier, labels: list[bool | None], accepted: list[bool]) -> dict[str, Any]:
    figures: dict[str, Any] = {
        "pairs": len(labels),
        "accepted": sum(accepted),
        "features": len(classifier.model.space.names),
    }
    if None not in labels:
        figures.update(evaluate(np.array(labels, dtype=bool), np.array(accepted)))
    return figures
