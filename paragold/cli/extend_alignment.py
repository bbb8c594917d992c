"""Extend a word aligner by new sentence pairs, without the text that it was trained on."""

from argparse import ArgumentParser
from pathlib import Path

from paragold.aligners.registry import save_aligner
from paragold.cli.console import CommandProblem, Console, Options
from paragold.cli.link_arguments import add_training_pairs, training_pairs

HELP = (
    "Extend a word aligner by new sentence pairs, given the counts of `train_alignment --counts`. The "
    "counts of the old text are those of its last iteration; only the new pairs are counted."
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--counts", type=Path, required=True, help="expected counts of the old text")
    add_training_pairs(parser, "new pairs; may be repeated")
    parser.add_argument("--output", type=Path, required=True, help="file of the extended aligner (.npz)")
    parser.add_argument("--counts-output", type=Path, help="file of the counts of both texts (.npz)")
    parser.add_argument("--iterations", type=int, default=2, help="over the new pairs; default: %(default)s")


def run(options: Options, console: Console) -> None:
    from paragold.aligners.extension import Counts, extended

    if options["iterations"] < 1:
        raise CommandProblem("--iterations must be at least 1.")
    pairs = training_pairs(options)
    old = Counts.load(options["counts"])
    aligner, counts = extended(old, pairs, iterations=options["iterations"])
    save_aligner(options["output"], aligner)
    if options["counts_output"]:
        counts.save(options["counts_output"])
    console.write(f"{old.recipe.label}, extended by {len(pairs)} pairs: {options['output']}")
    console.write(aligner.signature)
