"""Build a lexicon of word pairs from a dataset of a project."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.models import LexiconKind
from corpus.services.lexicons import DEFAULT_RANKS, launch_lexicon
from jobs.management.project_argument import add_project_arguments, project_and_user, row_called, run_to_end
from projects.errors import PublicError

SHOWN = 10


class Command(BaseCommand):
    help = "Build a lexicon of word pairs from a dataset of a project, as a job."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_project_arguments(parser)
        parser.add_argument("--dataset", required=True, metavar="NAME")
        parser.add_argument(
            "--kind", choices=LexiconKind.values, default=LexiconKind.ASSOCIATION, help="default %(default)s"
        )
        parser.add_argument("--name", default="", help="default: that of the kind; it gets its next version")
        parser.add_argument(
            "--ranks", type=int, default=DEFAULT_RANKS, help="word pairs kept at most (default %(default)s)"
        )
        parser.add_argument(
            "--min-together", type=int, default=2, help="sentence pairs they face each other in, at least"
        )
        parser.add_argument("--min-score", type=float, default=0.0, help="of word association, at least")
        parser.add_argument("--wait", action="store_true", help="work on the job here too until it has ended")
        parser.add_argument(
            "--json", action="store_true", help="with --wait: print size and coverage as JSON"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project, user = project_and_user(options)
        asked = ("kind", "ranks", "min_together", "min_score")
        try:
            lexicon = launch_lexicon(
                project=project,
                by=user,
                name=options["name"] or options["kind"],
                dataset=row_called(project.datasets.all(), options["dataset"]),
                **{name: options[name] for name in asked},
            )
        except PublicError as error:
            raise CommandError(str(error)) from error
        if not options["wait"]:
            self.stdout.write(f"Job {lexicon.job.pk}: {lexicon.job.title}. See the lexicon's page.")
            return
        run_to_end(lexicon.job)
        lexicon.refresh_from_db()
        if options["json"]:
            told = {"lexicon": str(lexicon), "size": lexicon.size, "signature": lexicon.signature}
            self.stdout.write(json.dumps(told | lexicon.figures, indent=2))
            return
        self.stdout.write(f"{lexicon}: {lexicon.size:,} word pairs.")
        for entry in lexicon.entries.order_by("rank")[:SHOWN]:
            self.stdout.write(
                f"{entry.rank:>6}  {entry.first} | {entry.second}  {entry.score:.1f}, {entry.together} times"
            )
