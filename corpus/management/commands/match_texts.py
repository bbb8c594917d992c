"""Match the texts of one file, or of two, by the words they share: from file to file."""

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from paragold.cli.arguments import add_arguments, spec_from
from paragold.matching.files import KeyScores, match_files, write_curve
from paragold.matching.scoring import Score
from paragold.matching.settings import MatchingSpec
from paragold.problems import FileProblem


class Command(BaseCommand):
    help = (
        "Find pairs of texts with the same words, by MinHash or exactly. "
        "Files are TSV: id, text, or with a header."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="TSV", help="one file, or two to compare")
        add_arguments(parser, MatchingSpec)
        parser.add_argument(
            "--key", type=Path, metavar="TSV", help="answer key: ids TAB ids, separated by commas"
        )
        parser.add_argument("--curve", type=Path, metavar="TSV", help="with --key: figures by threshold")
        parser.add_argument("--output", type=Path, required=True, metavar="TSV")

    def handle(self, *args: Any, **options: Any) -> None:
        if len(options["files"]) > 2:
            raise CommandError("Give one file, or two.")
        if options["curve"] and not options["key"]:
            raise CommandError("--curve needs an answer key: --key TSV.")
        started = time.monotonic()
        try:
            spec = spec_from(MatchingSpec, options)
            report = match_files(options["files"], spec, options["output"], options["key"])
            if report.scores and options["curve"]:
                write_curve(options["curve"], report.scores.curve)
        except (FileProblem, ValueError) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename} cannot be written ({error.strerror}).") from error
        texts = " and ".join(f"{count:,}" for count in report.texts)
        seconds = time.monotonic() - started
        self.stdout.write(f"{texts} texts, {report.found:,} pairs, {seconds:.1f} seconds.")
        if report.scores:
            self.tell(report.scores)

    def tell(self, scores: KeyScores) -> None:
        self.stdout.write(f"The key has {scores.pairs:,} pairs in {scores.rows:,} rows. Percent:")
        self.stdout.write(
            "                   threshold  proposed  precision  recall      F  row recall  row F"
        )
        self.stdout.write(f"at the threshold {_figures(scores.at_threshold)}")
        self.stdout.write(f"best F           {_figures(scores.best)}")
        self.stdout.write(f"best row F       {_figures(scores.best_by_rows)}")


def _figures(score: Score) -> str:
    shares = (score.precision, score.recall, score.f, score.row_recall, score.row_f)
    widths = (11, 8, 7, 12, 7)
    figures = "".join(f"{100 * share:{width}.1f}" for share, width in zip(shares, widths, strict=True))
    return f"{score.threshold:11.2f}{score.proposed:10,}{figures}"
