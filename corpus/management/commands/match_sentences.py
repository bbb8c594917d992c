"""Match the sentences of a project by the words they share, into its candidate pairs."""

import math
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.errors import PublicError
from corpus.extraction.criteria import CLUSTERS
from corpus.management.project_argument import add_project_arguments, project_and_user
from corpus.matching.settings import METHODS, MatchSettings, stop_words_of
from corpus.matching.word_sets import STOP_WORDS
from corpus.models import JobState
from corpus.services.matching import SCOPES
from corpus.services.matching_estimate import launch_within_cap
from corpus.services.running import run_here


class Command(BaseCommand):
    help = "Match the sentences of a project by the words they share, here and beside any workers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_project_arguments(parser)
        parser.add_argument("--scope", choices=list(SCOPES), default="clusters")
        parser.add_argument(
            "--clusters", choices=CLUSTERS, default="all", help="with_imported: all, and imported pairs too"
        )
        parser.add_argument("--method", choices=METHODS, default="minhash")
        parser.add_argument("--permutations", type=int, default=128, metavar="M", help="of minhash")
        parser.add_argument("--threshold", type=float, default=0.33)
        parser.add_argument("--greedy", action="store_true", help="at most one partner for each sentence")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--stop-words", type=Path, metavar="FILE", help="stop words")
        parser.add_argument("--name", default="")
        parser.add_argument("--confirmed", action="store_true", help="even when very many pairs are expected")

    def handle(self, *args: Any, **options: Any) -> None:
        project, user = project_and_user(options)
        settings = MatchSettings(
            method=options["method"],
            threshold=options["threshold"],
            permutations=options["permutations"],
            greedy=options["greedy"],
            seed=options["seed"],
            stop_words=read_stop_words(options["stop_words"]),
        )
        try:
            extraction = launch_within_cap(
                project=project,
                by=user,
                settings=settings,
                scope=options["scope"],
                clusters=options["clusters"],
                name=options["name"],
                confirmed=options["confirmed"],
            )
        except PublicError as error:
            raise CommandError(str(error)) from error
        run_here(job=extraction.job)
        job = extraction.job
        if job.state != JobState.DONE:
            raise CommandError(job.error or f"{extraction.name} is {job.get_state_display().lower()}.")
        self.stdout.write(
            f"{extraction.name}: {job.counts['pairs_kept']:,} pairs, "
            f"{job.counts['pairs_across_clusters']:,} of them of two clusters, "
            f"{math.ceil(job.seconds or 0):,} seconds."
        )


def read_stop_words(path: Path | None) -> frozenset[str]:
    """The words of a file, or the default ones. Raises CommandError."""
    if path is None:
        return STOP_WORDS
    try:
        return stop_words_of([path.read_text(encoding="utf-8")])
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path} is no readable UTF-8 text.") from error
