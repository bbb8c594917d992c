"""Pair the headlines of each cluster of a file: from file to file."""

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.importers.text_file import TextFileError
from corpus.matching.headline_files import METHODS, WEIGHTS, HeadlineSettings, match_headline_file
from corpus.matching.headline_pairs import LOWER, UPPER, PairwiseThresholds
from corpus.matching.kmeans import PK1_THRESHOLD
from corpus.text.stemming import LANGUAGES


class Command(BaseCommand):
    help = (
        "Find paraphrases among the headlines of each cluster. The file is UCI News Aggregator CSV or JSONL."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--method", choices=METHODS, default="pairwise")
        parser.add_argument("--upper", type=float, default=UPPER, help="pairwise: accept above (%(default)s)")
        parser.add_argument("--lower", type=float, default=LOWER, help="pairwise: reject below (%(default)s)")
        parser.add_argument(
            "--closure", action="store_true", help="pairwise: add the pairs that others imply"
        )
        parser.add_argument("--pk1", type=float, default=PK1_THRESHOLD, help="kmeans: threshold of PK1")
        parser.add_argument(
            "--weights", choices=WEIGHTS, default="cluster", help="IDF within cluster or file"
        )
        parser.add_argument(
            "--language", choices=LANGUAGES, default="english", metavar="NAME", help=", ".join(LANGUAGES)
        )
        parser.add_argument("--output", type=Path, required=True, metavar="TSV")

    def handle(self, *args: Any, **options: Any) -> None:
        started = time.monotonic()
        try:
            settings = HeadlineSettings(
                method=options["method"],
                thresholds=PairwiseThresholds(options["upper"], options["lower"]),
                closure=options["closure"],
                pk1=options["pk1"],
                weights=options["weights"],
                language=options["language"],
            )
            report = match_headline_file(options["file"], settings, options["output"])
        except (TextFileError, ValueError) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename} cannot be written ({error.strerror}).") from error
        self.stdout.write(
            f"{report.clusters:,} clusters with {report.headlines:,} headlines "
            f"({report.repeated:,} repeated, left out), {report.pairs:,} pairs, "
            f"{time.monotonic() - started:.1f} seconds."
        )
