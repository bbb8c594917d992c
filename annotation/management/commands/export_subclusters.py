"""Export gold sub-clusters of a project as a file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.services.subclusters.gold import gold_jsonl
from jobs.management.project_argument import add_project_arguments, project_and_user


class Command(BaseCommand):
    help = "Write a gold set of sub-clusters as JSON Lines, one cluster a line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_project_arguments(parser)
        parser.add_argument("--gold", required=True, metavar="NAME", help="name; its latest version is taken")
        parser.add_argument(
            "--version-of-gold", type=int, metavar="N", help="another version than the latest"
        )
        parser.add_argument("--output", type=Path, required=True, metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        project, _ = project_and_user(options)
        wanted = {"name": options["gold"]}
        if options["version_of_gold"] is not None:
            wanted["version"] = options["version_of_gold"]
        gold_set = project.gold_subcluster_sets.filter(**wanted).order_by("-version").first()
        if gold_set is None:
            sets = project.gold_subcluster_sets.order_by("name", "version")
            raise CommandError(
                f"No gold sub-clusters {options['gold']!r} of that version in {project.slug}. "
                f"There are: {', '.join(map(str, sets)) or 'none yet'}."
            )
        try:
            options["output"].write_text(gold_jsonl(gold_set), encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{options['output']} cannot be written: {error.strerror}.") from error
        counts = gold_set.counts
        self.stdout.write(
            f"{gold_set}: {counts['clusters']} clusters, {counts['subclusters']} sub-clusters, "
            f"{counts['grouped']} of {counts['headlines']} headlines in them. {gold_set.signature}"
        )
