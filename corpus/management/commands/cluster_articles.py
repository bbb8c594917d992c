"""Find the events in a stream of dated articles: from file to file."""

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.management.event_arguments import add_event_arguments, event_settings
from paragold.events.scoring import EventScores
from paragold.events.settings import EventSettings
from paragold.problems import FileProblem
from paragold.sources.stream_files import cluster_file


class Command(BaseCommand):
    help = (
        "Put dated articles into clusters by topic and time (docs/events.md). Articles are JSONL, CSV or TSV "
        "with id, published and text; the output is the same with cluster_id."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("articles", type=Path)
        parser.add_argument(
            "--output", type=Path, required=True, help="JSONL, or a table if it is called .tsv or .csv"
        )
        parser.add_argument("--standing", type=Path, help="earlier output, whose clusters are joined")
        parser.add_argument(
            "--gold",
            nargs="?",
            const="cluster_id",
            metavar="KEY",
            help="score against the clusters under this key or column (default cluster_id)",
        )
        parser.add_argument("--ignore-dates", action="store_true", help="part all articles at once")
        parser.add_argument(
            "--language", default=EventSettings().language, metavar="TAG", help="such as en, nl"
        )
        add_event_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        settings = event_settings(options, options["language"], ignore_dates=options["ignore_dates"])
        started = time.monotonic()
        try:
            report = cluster_file(
                options["articles"],
                options["output"],
                settings,
                standing=options["standing"],
                gold=options["gold"],
            )
        except FileProblem as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename} cannot be written ({error.strerror}).") from error
        for note in report.notes:
            self.stdout.write(f"Note: {note}")
        seconds = time.monotonic() - started
        self.stdout.write(
            f"{report.articles:,} articles, {report.clusters:,} clusters, {seconds:.1f} seconds."
        )
        if report.scores:
            self.stdout.write("Percent:    clusters  precision  recall      F  adjusted Rand")
            for name, scores in [("found", report.scores), *((b.name, b.scores) for b in report.baselines)]:
                self.stdout.write(f"{name:<11}{_figures(scores)}")


def _figures(scores: EventScores) -> str:
    shares = (scores.precision, scores.recall, scores.f, scores.adjusted_rand)
    figures = "".join(f"{100 * x:{width}.1f}" for x, width in zip(shares, (11, 8, 7, 15), strict=True))
    return f"{scores.clusters:9,}{figures}"
