"""Extend a word aligner by new sentence pairs, without the text that it was trained on."""

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paragold.aligners.pair_files import read_training_pairs
from paragold.aligners.registry import save_aligner
from paragold.cli.console import CommandProblem, Console

HELP = (
    "Extend a word aligner by new sentence pairs, given the counts of `train_alignment --counts`. The "
    "counts of the old text are those of its last iteration; only the new pairs are counted."
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--counts", type=Path, required=True, help="expected counts of the old text")
    parser.add_argument(
        "--train",
        type=Path,
        action="append",
        required=True,
        metavar="PAIRS",
        help="new pairs; may be repeated",
    )
    parser.add_argument("--output", type=Path, required=True, help="file of the extended aligner (.npz)")
    parser.add_argument("--counts-output", type=Path, help="file of the counts of both texts (.npz)")
    parser.add_argument("--iterations", type=int, default=2, help="over the new pairs; default: %(default)s")
    parser.add_argument("--raw", action="store_true", help="pairs are plain text, to be tokenised")


def run(options: Mapping[str, Any], console: Console) -> None:
    from paragold.aligners.extension import Counts, extended

    if options["iterations"] < 1:
        raise CommandProblem("--iterations must be at least 1.")
    pairs = [pair for path in options["train"] for pair in read_training_pairs(path, raw=options["raw"])]
    old = Counts.load(options["counts"])
    aligner, counts = extended(old, pairs, iterations=options["iterations"])
    save_aligner(options["output"], aligner)
    if options["counts_output"]:
        counts.save(options["counts_output"])
    console.write(f"{old.recipe.label}, extended by {len(pairs)} pairs: {options['output']}")
    console.write(aligner.signature)
