"""Train a word aligner on files of sentence pairs, in shards, and store it with its counts."""

from argparse import ArgumentParser
from pathlib import Path

from paragold.aligners.registry import ALIGNERS, DEFAULT_ALIGNER, Recipe, save_aligner
from paragold.aligners.statistical import ModelMethod
from paragold.cli.arguments import add_set, add_without, left_out, parse_values
from paragold.cli.console import CommandProblem, Console, Options, add_output
from paragold.cli.link_arguments import add_training_pairs, training_pairs

HELP = (
    "Train a word aligner on sentence pairs, without gold links, and store it for `align_words --model`. Any "
    "number of shards gives the same bytes. With --counts it can be extended by `extend_alignment`."
)


def add_arguments(parser: ArgumentParser) -> None:
    ids = [method.id for method in ALIGNERS if isinstance(method, ModelMethod)]
    add_training_pairs(parser, "pairs; may be repeated")
    add_output(parser, "--output", required=True, help="file of the aligner (.npz)")
    parser.add_argument("--counts", type=Path, help="file of the expected counts (.npz)")
    parser.add_argument("--aligner", choices=ids, default=DEFAULT_ALIGNER, help="default: %(default)s")
    parser.add_argument("--shards", type=int, default=1, help="parts that are counted one after another")
    add_without(parser)
    add_set(parser, "a parameter of the aligner, such as hmm_iterations=8")


def run(options: Options, console: Console) -> None:
    from paragold.aligners.extension import train_by_shards

    if options["shards"] < 1:
        raise CommandProblem("--shards must be at least 1.")
    pairs = training_pairs(options)
    recipe = Recipe.of({"aligner": options["aligner"], **left_out(options), **parse_values(options["set"])})
    aligner, counts = train_by_shards(pairs, recipe, shards=options["shards"])
    save_aligner(options["output"], aligner)
    if options["counts"]:
        counts.save(options["counts"])
    console.write(f"{recipe.label}, trained on {len(pairs)} pairs: {options['output']}")
    console.write(aligner.signature)
