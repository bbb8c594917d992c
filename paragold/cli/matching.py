"""The command match-texts."""

import time
from argparse import ArgumentParser
from pathlib import Path

from paragold.cli.arguments import add_arguments, add_executor, add_file, executor_of, spec_from
from paragold.cli.console import Command, CommandProblem, Console, Options, add_output, figures, percent
from paragold.matching.files import best, match_files, write_curve
from paragold.matching.specs import MatchingSpec


def _match_arguments(parser: ArgumentParser) -> None:
    add_file(parser, "files", "one file, or two to compare; with --executor any", nargs="+", metavar="FILES")
    add_executor(parser)
    against = "with --executor: match the texts of FILES with those of these files, not with each other"
    parser.add_argument("--against", nargs="+", type=Path, default=[], metavar="FILES", help=against)
    add_arguments(parser, MatchingSpec)
    add_file(parser, "--key", "answer key: ids TAB ids, separated by commas", metavar="TSV")
    add_output(parser, "--curve", metavar="TSV", help="with --key: figures by threshold")
    add_output(
        parser, "--output", required=True, help="pairs as tab-separated lines; with --executor a folder"
    )


def _match_texts(options: Options, console: Console) -> None:
    """Find pairs of texts with the same words, by MinHash or exactly. Files are TSV: id, text, or with a
    header. With --executor, by bands: any number of files, JSON Lines and Parquet too, on many machines,
    going on where it was killed."""
    if options["executor"]:
        _match_many(options, console)
        return
    if len(options["files"]) > 2 or options["against"]:
        raise CommandProblem("Give one file, or two; or name an --executor, for many files.")
    if options["curve"] and not options["key"]:
        raise CommandProblem("--curve needs an answer key: --key TSV.")
    started = time.monotonic()
    spec = spec_from(MatchingSpec, options)
    files, pairs, scores = match_files(options["files"], spec, options["output"], options["key"])
    texts = " and ".join(f"{len(file):,}" for file in files)
    console.write(f"{texts} texts, {pairs:,} pairs, {time.monotonic() - started:.1f} seconds.")
    if scores is not None:
        if options["curve"]:
            write_curve(options["curve"], scores)
        about = scores.attrs
        console.write(f"The key has {about['pairs']:,} pairs in {about['rows']:,} rows. Percent:")
        chosen = {
            "at the threshold": about["at_threshold"],
            "best F": best(scores),
            "best row F": best(scores, by="row_f"),
        }
        rows = [
            [name, f"{score['threshold']:.2f}", f"{score['proposed']:,.0f}"]
            + [percent(score[rate], 1) for rate in ("precision", "recall", "f", "row_recall", "row_f")]
            for name, score in chosen.items()
        ]
        head = ["", "threshold", "proposed", "precision", "recall", "F", "row recall", "row F"]
        console.write(figures(head, rows))


def _match_many(options: Options, console: Console) -> None:
    # Here and not above: it takes a database, which two files need not.
    from paragold.many import match_many

    if options["key"]:
        raise CommandProblem("--key is of one file or two: leave --executor out.")
    spec, against = spec_from(MatchingSpec, options), options["against"]
    with executor_of(options) as executor:
        pairs = match_many(options["files"], options["output"], spec, executor=executor, against=against)
    console.write(f"{pairs:,} pairs.")


COMMANDS = {"match-texts": Command(_match_arguments, _match_texts)}
