"""Score the pairs of a file with a pair scorer."""

from argparse import ArgumentParser
from pathlib import Path

from paragold.classification.pair_scorers import PAIR_SCORERS
from paragold.cli.arguments import add_set, parse_values
from paragold.cli.console import CommandProblem, Console, Options, add_output
from paragold.formats.labelled_pairs import each_pair
from paragold.formats.text_files import whole_file
from paragold.parallel import portions

PAIRS_AT_ONCE = 1 << 13
HELP = "Score pairs: --scorer NAME --pairs FILE --output FILE.tsv. Writes `score, first, second` lines."


def add_arguments(parser: ArgumentParser) -> None:
    scorers = "; ".join(f"{one.id}: {one.label}" for one in PAIR_SCORERS).replace("%", "%%")
    parser.add_argument("--scorer", choices=PAIR_SCORERS.ids(), required=True, help=scorers)
    parser.add_argument("--pairs", type=Path, required=True, help="pairs by extract_pairs, or labelled pairs")
    add_output(parser, "--output", required=True, help="one line per pair, in the same order")
    parameters = sorted({one.name for scorer in PAIR_SCORERS for one in scorer.parameters.parameters()})
    add_set(parser, f"a parameter of the scorer; available: {', '.join(parameters) or 'none'}")


def run(options: Options, console: Console) -> None:
    if options["output"].resolve() == options["pairs"].resolve():
        raise CommandProblem("--output is also the input. Choose another file.")
    scorer = PAIR_SCORERS.get(options["scorer"])
    parameters = scorer.parameters(**parse_values(options["set"]))
    count, total = 0, 0.0
    with whole_file(options["output"]) as output:
        output.write(b"score\tfirst\tsecond\n")
        for pairs in portions(each_pair(options["pairs"]), PAIRS_AT_ONCE):
            scores = scorer.scores([(pair.first, pair.second) for pair in pairs], parameters).tolist()
            for score, pair in zip(scores, pairs, strict=True):
                output.write(f"{score:.6f}\t{pair.first}\t{pair.second}\n".encode())
            count, total = count + len(pairs), total + sum(scores)
    console.write(f"{count:,} pairs, mean score {total / count:.4f}: {options['output']}")
    console.write(scorer.signature(parameters))
