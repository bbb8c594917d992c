"""Build a lexicon of word pairs from a dataset of a project."""

import json
from argparse import ArgumentParser
from typing import Any

from corpus.models import LexiconEntry
from corpus.services.lexicons import launch_lexicon
from jobs.management.project_argument import ProjectCommand, row_named, run_to_end
from paragold.classification.settings import LexiconSpec
from paragold.cli.arguments import add_arguments, spec_from

SHOWN = 10


class Command(ProjectCommand):
    help = "Build a lexicon of word pairs from a dataset of a project, as a job."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--dataset", required=True, metavar="NAME")
        add_arguments(parser, LexiconSpec)
        parser.add_argument("--name", default="", help="default: that of the kind, next version")
        parser.add_argument("--wait", action="store_true", help="also run the job here until it ends")
        parser.add_argument(
            "--json", action="store_true", help="with --wait: print size and coverage as JSON"
        )

    def run(self, options: dict[str, Any]) -> None:
        lexicon = launch_lexicon(
            project=self.project,
            by=self.user,
            name=options["name"] or options["kind"],
            dataset=row_named(self.project.datasets.all(), options["dataset"]),
            spec=spec_from(LexiconSpec, options),
        )
        if not options["wait"]:
            self.stdout.write(f"Job {lexicon.job.pk}: {lexicon.job.title}. See the lexicon's page.")
            return
        run_to_end(lexicon.job)
        lexicon.refresh_from_db()
        if options["json"]:
            report = {"lexicon": str(lexicon), "size": lexicon.size, "signature": lexicon.signature}
            self.stdout.write(json.dumps(report | lexicon.figures, indent=2))
            return
        self.stdout.write(f"{lexicon}: {lexicon.size:,} word pairs.")
        for entry in lexicon.entries.order_by("rank")[:SHOWN]:
            self.stdout.write(
                f"{entry.rank:>6}  {entry.first} | {entry.second}  {entry.score:.1f}, {_times(entry)}"
            )


def _times(entry: LexiconEntry) -> str:
    linked = "" if entry.linked is None else f"linked {entry.linked} of "
    return f"{linked}{entry.together} times"
