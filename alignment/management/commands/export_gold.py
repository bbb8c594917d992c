"""Export gold sets of a project as files."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any, cast

from django.core.management.base import CommandError

from alignment.services.exporting import write_gold
from alignment.specs import GoldExportSpec
from jobs.management.project_argument import ProjectCommand
from paragold.cli.arguments import add_arguments, spec_from


class Command(ProjectCommand):
    help = "Write a gold set, a set of gold links or both of that name into a folder, with a manifest."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--gold", required=True, metavar="NAME", help="name; its latest version is taken")
        parser.add_argument(
            "--version-of-gold", type=int, metavar="N", help="another version than the latest"
        )
        add_arguments(parser, GoldExportSpec)
        parser.add_argument("--output", type=Path, required=True, metavar="DIR")

    def run(self, options: dict[str, Any]) -> None:
        named = {"name": options["gold"]}
        if options["version_of_gold"] is not None:
            named["version"] = options["version_of_gold"]
        gold_set = self.project.gold_sets.filter(**named).order_by("-version").first()
        gold_links = self.project.gold_alignment_sets.filter(**named).order_by("-version").first()
        if gold_set is None and gold_links is None:
            names = {*self.project.gold_sets.values_list("name", flat=True)}
            names |= {*self.project.gold_alignment_sets.values_list("name", flat=True)}
            raise CommandError(
                f"No gold set {options['gold']!r} in {self.project.slug}. Available: "
                f"{', '.join(sorted(names)) or 'none yet'}."
            )
        description = write_gold(
            options["output"],
            gold_set=gold_set,
            gold_links=gold_links,
            spec=spec_from(GoldExportSpec, options),
        )
        held_out = cast(dict[str, Any], description["details"])["held_out"]
        if held_out["pairs"]:
            where = "all in test" if held_out["split"] else "for testing only"
            self.stderr.write(f"{held_out['pairs']:,} pairs are of held-out clusters: {where}.")
        for name in [*cast(dict[str, Any], description["files"]), "manifest.json"]:
            path = options["output"] / name
            self.stdout.write(f"{path.stat().st_size:>12,}  {path}")
