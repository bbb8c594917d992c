"""Draw word links between the sentences of a file."""

from argparse import ArgumentParser
from pathlib import Path

from paragold.aligners.aligner import Aligner
from paragold.aligners.pair_files import align_file, read_gold
from paragold.aligners.registry import (
    ALIGNERS,
    DEFAULT_ALIGNER,
    aligner_of,
    all_parameters,
    load_aligner,
    trained_ids,
)
from paragold.cli.arguments import (
    OTHER_GOLD_HELP,
    add_set,
    add_starting_point,
    add_without,
    left_out,
    parse_values,
    starting_point,
)
from paragold.cli.console import CommandProblem, Console, Options, add_output
from paragold.cli.link_arguments import add_gold, gold_of
from paragold.spec import allowed

LINES_SHOWN = 10
HELP = (
    "Link the words of sentence pairs: `source TAB target` a line, tokens separated by spaces. Writes the "
    "links of each line as `0-0 1-2`. Aligners that need training are trained on --train and --input "
    "unless --model gives one."
)


def add_arguments(parser: ArgumentParser) -> None:
    linking = next(one for one in all_parameters() if one.name == "linking")
    parser.add_argument("--input", type=Path, required=True, help="pairs to link")
    add_output(parser, "--output", required=True, help="links, a line for each line of input")
    parser.add_argument(
        "--aligner",
        choices=ALIGNERS.ids(),
        default=DEFAULT_ALIGNER,
        metavar="NAME",
        help=f"{', '.join(ALIGNERS.ids())} (default {DEFAULT_ALIGNER})",
    )
    parser.add_argument(
        "--model",
        type=Path,
        help="a trained aligner, downloaded from a project: nothing is trained, all choices are its own",
    )
    parser.add_argument(
        "--train",
        type=Path,
        action="append",
        default=[],
        metavar="PAIRS",
        help="pairs to train on besides the input, or what extract_pairs wrote; may be repeated",
    )
    parser.add_argument("--raw", action="store_true", help="pairs are plain text, to be tokenised")
    parser.add_argument(
        "--symmetrise",
        choices=[name for name, _ in linking.choices],
        metavar="NAME",
        help=f"{linking.help} {allowed(linking).capitalize()}.",
    )
    add_set(
        parser,
        "another parameter of the aligner, such as hmm_iterations=8; available: "
        + ", ".join(one.name for one in all_parameters()),
    )
    parser.add_argument(
        "--lexicon",
        action="store_true",
        help="also train on each word paired with itself, for aligners that do not always do so",
    )
    parser.add_argument(
        "--language", default="english", help="language of both, for stems; `two` for two languages"
    )
    parser.add_argument("--no-wordnet", action="store_true", help="do not use WordNet even if installed")
    add_starting_point(parser, "default of best: english, without effect on other languages")
    add_without(parser)
    add_gold(parser, "gold links to learn from")
    parser.add_argument(
        "--other-gold", type=Path, action="append", default=[], metavar="FILE", help=OTHER_GOLD_HELP
    )


def run(options: Options, console: Console) -> None:
    gold = []
    if options["other_gold"] and options["gold"] is None:
        raise CommandProblem("Own gold links decide whether other ones help: give --gold.")
    if options["gold"] is not None:
        gold = gold_of(options)
    if options["model"] is not None:
        for option in ("train", "symmetrise", "set", "lexicon", "without", "gold"):
            if options[option]:
                raise CommandProblem(f"--{option} is for training, and --model needs none.")
        aligner = load_aligner(options["model"])
    else:
        aligner = _aligner(options)
    result = align_file(
        options["input"],
        options["output"],
        aligner=aligner,
        train=options["model"] is None,
        training=options["train"],
        gold=gold,
        other_gold={path.name: read_gold(path, None, None) for path in options["other_gold"]},
        raw=options["raw"],
    )
    if result.empty:
        shown = ", ".join(map(str, result.empty[:LINES_SHOWN]))
        more = ", ..." if len(result.empty) > LINES_SHOWN else ""
        console.warn(
            f"{options['input']}: {len(result.empty)} lines without words on one side have no links "
            f"(lines {shown}{more})."
        )
    console.write(f"{result.links} links in {result.pairs} pairs: {options['output']}")
    for transfer in aligner.transfers:
        console.write(transfer.in_words)
    console.write(aligner.signature)


def _aligner(options: Options) -> Aligner:
    """The aligner with those of its parameters that are options. Raises CommandProblem for any other."""
    method = ALIGNERS.get(options["aligner"])
    if not method.learns_from_pairs:
        for option in ("train", "symmetrise", "lexicon", "gold"):
            if options[option]:
                names = ", ".join(trained_ids())
                raise CommandProblem(f"--{option} is for aligners that are trained: {names}.")
    known = {one.name for one in method.parameters.parameters()}
    if options["starting_point"] and "starting_point" not in known:
        raise CommandProblem(f"{method.id} has no starting point; choose another aligner.")
    if options["symmetrise"] and "linking" not in known:
        raise CommandProblem(f"{method.id} has no symmetrisation; choose another aligner.")
    two = options["language"] == "two"
    settings = {
        "one_language": not two,
        "wordnet": not options["no_wordnet"],
        "lexicon": options["lexicon"],
        "linking": options["symmetrise"],
        "stemmer": None if two else options["language"],
    }
    if options["without"] and "without" not in known:
        raise CommandProblem(f"{method.id} has no sources of evidence; choose another aligner.")
    settings |= starting_point(options) | left_out(options)
    chosen = {name: value for name, value in settings.items() if name in known and value is not None}
    return aligner_of({"aligner": method.id, **chosen, **parse_values(options["set"])})
