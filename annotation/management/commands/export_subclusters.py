"""Export gold sub-clusters of a project as a file."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotation.services.gold import gold_jsonl
from jobs.management.project_argument import ProjectCommand, version_named
from paragold.cli.console import add_output
from paragold.formats.text_files import write_text


class Command(ProjectCommand):
    help = "Write a gold set of sub-clusters as JSON Lines, one cluster per line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--gold", required=True, metavar="NAME", help="name; its latest version is taken")
        parser.add_argument(
            "--version-of-gold", type=int, metavar="N", help="another version than the latest"
        )
        add_output(parser, "--output", required=True, metavar="FILE")

    def run(self, options: dict[str, Any]) -> None:
        version = options["version_of_gold"]
        name = options["gold"] if version is None else f"{options['gold']} v{version}"
        gold_set = version_named(self.project.gold_subcluster_sets.all(), name)
        try:
            write_text(options["output"], gold_jsonl(gold_set))
        except BrokenPipeError:
            raise
        except OSError as error:
            raise CommandError(f"{options['output']} cannot be written: {error.strerror}.") from error
        counts = gold_set.counts
        self.stdout.write(
            f"{gold_set}: {counts['clusters']} clusters, {counts['subclusters']} sub-clusters, "
            f"{counts['grouped']} of {counts['headlines']} headlines in them. {gold_set.signature}"
        )
