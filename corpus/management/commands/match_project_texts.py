"""Match the texts of two files by the words they share, into a dataset of a project."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from corpus.services.text_matching import launch_text_matching
from jobs.management.project_argument import ProjectCommand, run_to_end
from paragold.cli.arguments import add_arguments, spec_from
from paragold.matching.specs import MatchingSpec


class Command(ProjectCommand):
    help = "Match the texts of two files by the words they share, and save the pairs as a dataset."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs=2, type=Path, metavar="TSV", help="TSV: id, text, or with header")
        super().add_arguments(parser)
        add_arguments(parser, MatchingSpec)
        parser.add_argument("--name", default="")

    def run(self, options: dict[str, Any]) -> None:
        missing = [path for path in options["files"] if not path.is_file()]
        if missing:
            raise CommandError(f"There is no file {missing[0]}.")
        extraction = launch_text_matching(
            project=self.project,
            by=self.user,
            files=[(path, path.name) for path in options["files"]],
            spec=spec_from(MatchingSpec, options),
            name=options["name"],
        )
        run_to_end(extraction.job)
        self.stdout.write(f"{extraction.name}: {extraction.job.counts['pairs_kept']:,} pairs.")
