"""Match the sentences of a project by the words they share, into its candidate pairs."""

import math
from argparse import ArgumentParser
from typing import Any

from corpus.services.matching import launch_matching
from corpus.specs import ProjectMatchingSpec
from jobs.management.project_argument import ProjectCommand, run_to_end
from paragold.cli.arguments import add_arguments, spec_from


class Command(ProjectCommand):
    help = "Match the sentences of a project by the words they share, in this process and any workers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_arguments(parser, ProjectMatchingSpec)
        parser.add_argument("--name", default="")
        parser.add_argument("--confirmed", action="store_true", help="launch even if many pairs are expected")

    def run(self, options: dict[str, Any]) -> None:
        extraction = launch_matching(
            project=self.project,
            by=self.user,
            spec=spec_from(ProjectMatchingSpec, options),
            name=options["name"],
            confirmed=options["confirmed"],
        )
        job = extraction.job
        run_to_end(job)
        self.stdout.write(
            f"{extraction.name}: {job.counts['pairs_kept']:,} pairs, "
            f"{job.counts['pairs_across_clusters']:,} of them between two clusters, "
            f"{math.ceil(job.seconds or 0):,} seconds."
        )
