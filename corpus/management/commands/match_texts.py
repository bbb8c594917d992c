"""Match the texts of one file, or of two, by the words they share: from file to file."""

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.importers.text_file import TextFileError
from corpus.matching.files import KeyScores, match_files, write_curve
from corpus.matching.scoring import Score
from corpus.matching.settings import METHODS, MatchSettings

from .match_sentences import read_stop_words


class Command(BaseCommand):
    help = (
        "Find pairs of texts with the same words, by MinHash or exactly. "
        "Files are TSV: id, text, or with a header."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="TSV", help="one file, or two to compare")
        parser.add_argument(
            "--method",
            choices=METHODS,
            default="minhash",
            help="minhash: share of equal keys; exact: Jaccard; bands: for very many texts",
        )
        parser.add_argument("--permutations", type=int, default=128, metavar="M", help="of minhash")
        parser.add_argument("--threshold", type=float, default=0.33)
        parser.add_argument("--greedy", action="store_true", help="at most one partner for each text")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--stop-words", type=Path, metavar="FILE", help="stop words, instead of determiners"
        )
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
        settings = MatchSettings(
            method=options["method"],
            threshold=options["threshold"],
            permutations=options["permutations"],
            greedy=options["greedy"],
            seed=options["seed"],
            stop_words=read_stop_words(options["stop_words"]),
        )
        started = time.monotonic()
        try:
            report = match_files(options["files"], settings, options["output"], options["key"])
            if report.scores and options["curve"]:
                write_curve(options["curve"], report.scores.curve)
        except (TextFileError, ValueError) as error:
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
