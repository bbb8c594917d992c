"""Match the headlines of a project within their clusters, into its candidate pairs."""

import math
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.errors import PublicError
from corpus.management.project_argument import add_project_arguments, project_and_user
from corpus.models import JobState
from corpus.services.headline_matching import launch_headline_matching
from corpus.services.running import run_here
from paragold.extraction.criteria import CLUSTERS
from paragold.matching.headline_arguments import add_headline_arguments, headline_settings


class Command(BaseCommand):
    help = "Match the headlines of a project within their clusters, here and beside any workers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_project_arguments(parser)
        add_headline_arguments(parser)
        parser.add_argument(
            "--clusters", choices=CLUSTERS, default="all", help="with_imported: all, and imported pairs too"
        )
        parser.add_argument("--name", default="")

    def handle(self, *args: Any, **options: Any) -> None:
        project, user = project_and_user(options)
        try:
            extraction = launch_headline_matching(
                project=project,
                by=user,
                settings=headline_settings(options),
                clusters=options["clusters"],
                name=options["name"],
            )
        except (PublicError, ValueError) as error:
            raise CommandError(str(error)) from error
        run_here(job=extraction.job)
        job = extraction.job
        if job.state != JobState.DONE:
            raise CommandError(job.error or f"{extraction.name} is {job.get_state_display().lower()}.")
        self.stdout.write(
            f"{extraction.name}: {job.counts['sentences']:,} headlines "
            f"({job.counts['repeated_headlines']:,} repeated, left out), {job.counts['pairs_kept']:,} pairs, "
            f"{math.ceil(job.seconds or 0):,} seconds."
        )
