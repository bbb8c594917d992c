"""Draft an answer key of two versions of a text, in order, for a person to correct: from file to file."""

from argparse import ArgumentParser
from pathlib import Path

from paragold.cli import arguments
from paragold.cli.arguments import spec_from
from paragold.cli.console import Console, Options, add_output
from paragold.matching.files import answer_key, answer_key_of, draft_key, read_files, write_key
from paragold.matching.specs import KeyDraftSpec
from paragold.statistics import f_score

HELP = (
    "Align the texts of two files in order by their lengths and words (Gale & Church; Chung & Knight, "
    "section 2). Files are TSV: id, text, or with a header."
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs=2, type=Path, metavar="TSV")
    arguments.add_arguments(parser, KeyDraftSpec)
    parser.add_argument("--key", type=Path, metavar="TSV", help="an answer key to score the draft against")
    add_output(parser, "--output", required=True, metavar="TSV")


def run(options: Options, console: Console) -> None:
    spec = spec_from(KeyDraftSpec, options)
    files = read_files(options["files"])
    first, second = (list(texts.values()) for texts in files)
    beads = draft_key(first, second, spec)
    write_key(options["output"], beads, files)
    joined = [(left, right) for left, right in beads if left and right]
    console.write(
        f"{len(first):,} and {len(second):,} texts: {len(joined):,} rows join both, "
        f"{len(beads) - len(joined):,} have no counterpart."
    )
    if options["key"]:
        split = len(first)
        key = answer_key_of(options["key"], files)
        drafted = answer_key(([*left, *(split + one for one in right)] for left, right in joined), split)
        right_pairs = len(key.keys() & drafted.keys())
        precision, recall = right_pairs / max(len(drafted), 1), right_pairs / max(len(key), 1)
        console.write(
            f"{len(drafted):,} pairs, {right_pairs:,} of the {len(key):,} of the key: precision "
            f"{100 * precision:.1f} %, recall {100 * recall:.1f} %, "
            f"F {100 * f_score(precision, recall):.1f} %."
        )
