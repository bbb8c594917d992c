"""Match the headlines of a project within their clusters, into its candidate pairs."""

import math
from argparse import ArgumentParser
from typing import Any

from corpus.services.headline_matching import launch_headline_matching
from corpus.specs import ProjectHeadlineSpec
from jobs.management.project_argument import ProjectCommand, run_to_end
from paragold.cli.arguments import add_arguments, spec_from


class Command(ProjectCommand):
    help = "Match the headlines of a project within their clusters, in this process and any workers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_arguments(parser, ProjectHeadlineSpec, leave_out=["language"])
        parser.add_argument("--name", default="")

    def run(self, options: dict[str, Any]) -> None:
        spec = spec_from(ProjectHeadlineSpec, options)
        extraction = launch_headline_matching(
            project=self.project, by=self.user, spec=spec, name=options["name"]
        )
        job = extraction.job
        if job.parameters["groups_by"]:
            self.stdout.write(f"Number of groups: {job.parameters['groups_by']}.")
        run_to_end(job)
        self.stdout.write(
            f"{extraction.name}: {job.counts['sentences']:,} headlines "
            f"({job.counts['repeated_headlines']:,} repeated, left out), {job.counts['pairs_kept']:,} pairs, "
            f"{math.ceil(job.seconds or 0):,} seconds."
        )
