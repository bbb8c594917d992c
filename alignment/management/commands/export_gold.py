"""Export gold sets of a project as files."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any, cast

from django.core.management.base import BaseCommand, CommandError

from alignment.management.export_arguments import add_card_arguments, card_options
from alignment.services.exporting import ExportOptions, write_gold
from alignment.services.gold_files import formats
from alignment.services.gold_links import STRENGTHS
from jobs.management.project_argument import add_project_arguments, project_and_user
from projects.errors import PublicError


class Command(BaseCommand):
    help = "Write a gold set, a gold alignment set or both of that name into a folder, with a manifest."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_project_arguments(parser)
        parser.add_argument("--gold", required=True, metavar="NAME", help="name; its latest version is taken")
        parser.add_argument(
            "--version-of-gold", type=int, metavar="N", help="another version than the latest"
        )
        parser.add_argument("--format", choices=list(formats()), default="all", help="default all")
        parser.add_argument(
            "--approved-only",
            action="store_true",
            help="leave out pairs on which annotators differ and no adjudicator decided",
        )
        parser.add_argument(
            "--strengths",
            choices=tuple(STRENGTHS),
            default="as_drawn",
            help="all_sure writes POSSIBLE links as SURE ones (default as_drawn)",
        )
        add_card_arguments(parser)
        parser.add_argument("--output", type=Path, required=True, metavar="DIR")

    def handle(self, *args: Any, **options: Any) -> None:
        project, _ = project_and_user(options)
        wanted = {"name": options["gold"]}
        if options["version_of_gold"] is not None:
            wanted["version"] = options["version_of_gold"]
        gold_set = project.gold_sets.filter(**wanted).order_by("-version").first()
        gold_links = project.gold_alignment_sets.filter(**wanted).order_by("-version").first()
        if gold_set is None and gold_links is None:
            names = {*project.gold_sets.values_list("name", flat=True)}
            names |= {*project.gold_alignment_sets.values_list("name", flat=True)}
            raise CommandError(
                f"No gold set {options['gold']!r} in {project.slug}. "
                f"There are: {', '.join(sorted(names)) or 'none yet'}."
            )
        try:
            description = write_gold(
                options["output"],
                gold_set=gold_set,
                gold_links=gold_links,
                options=ExportOptions(
                    wanted=options["format"],
                    strengths=options["strengths"],
                    approved_only=options["approved_only"],
                    **card_options(options),
                ),
            )
        except PublicError as error:
            raise CommandError(str(error)) from error
        for name in [*cast(dict[str, Any], description["files"]), "manifest.json"]:
            path = options["output"] / name
            self.stdout.write(f"{path.stat().st_size:>12,}  {path}")
