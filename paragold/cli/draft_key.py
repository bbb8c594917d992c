"""Draft an answer key of two versions of a text, in order, for a person to correct: from file to file."""

from argparse import ArgumentParser
from pathlib import Path

from paragold.cli import arguments
from paragold.cli.arguments import spec_from
from paragold.cli.console import Console, Options, add_output
from paragold.matching.files import AnswerKey, answer_key, places_of, read_paragraphs
from paragold.matching.settings import KeyDraftSpec
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
    # Here and not above: it imports Numba, which `--help` should not wait for.
    from paragold.matching.key_drafts import draft_key, write_key

    spec = spec_from(KeyDraftSpec, options)
    first, second = (read_paragraphs(path) for path in options["files"])
    places = places_of(options["files"], (first, second))
    beads = draft_key([one.text for one in first], [one.text for one in second], spec)
    write_key(options["output"], beads, first, second)
    joined = [bead for bead in beads if bead.first and bead.second]
    console.write(
        f"{len(first):,} and {len(second):,} texts: {len(joined):,} rows join both, "
        f"{len(beads) - len(joined):,} have no counterpart."
    )
    if options["key"]:
        split = len(first)
        key = answer_key(options["key"], places, split)
        shift = [[*bead.first, *(split + one for one in bead.second)] for bead in joined]
        drafted = AnswerKey.from_rows(shift, split)
        right = len(key.pairs.keys() & drafted.pairs.keys())
        precision, recall = right / max(len(drafted.pairs), 1), right / max(len(key.pairs), 1)
        console.write(
            f"{len(drafted.pairs):,} pairs, {right:,} of the {len(key.pairs):,} of the key: precision "
            f"{100 * precision:.1f} %, recall {100 * recall:.1f} %, "
            f"F {100 * f_score(precision, recall):.1f} %."
        )
