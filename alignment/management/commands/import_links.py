"""Import a file of word links as what an annotator submitted, as gold or as suggestions."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from alignment.services.link_import import LinkFiles, import_links
from jobs.management.project_argument import ProjectCommand
from paragold.cli.arguments import add_columns
from paragold.formats.link_files import LINK_FORMATS
from paragold.formats.link_formats import LINK_COLUMNS
from paragold.formats.tables import choice_from_words


class Command(ProjectCommand):
    help = (
        "Import a file of word links as what an annotator submitted, as gold, or as suggestions that "
        "annotators accept or correct: all of it, or nothing. "
        "The first file makes the linking batch, further ones add annotators to it."
    )

    after_error = "Nothing was written."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path)
        super().add_arguments(parser)
        parser.add_argument(
            "--batch", "--name", required=True, metavar="NAME", help="the batch to make or to add to"
        )
        whose = parser.add_mutually_exclusive_group(required=True)
        whose.add_argument("--annotator", metavar="USER", help="the annotator")
        whose.add_argument("--as-gold", action="store_true", help="the links are final: freeze them as gold")
        whose.add_argument(
            "--as-suggestions",
            nargs="*",
            metavar="USER",
            help="annotators are to accept or correct the links (of Label Studio: the predictions) of this "
            "batch; for a new batch, name those who link its pairs",
        )
        parser.add_argument(
            "--format", choices=LINK_FORMATS.ids(), help="default: recognised from the content"
        )
        parser.add_argument(
            "--judge",
            default="",
            metavar="NAME",
            help="whose links are read, if the file has several people's",
        )
        add_columns(parser, LINK_COLUMNS)
        parser.add_argument("--encoding", default="utf-8", help="encoding of all files")
        parser.add_argument("--source", type=Path, help="source sentences, for formats without text")
        parser.add_argument("--target", type=Path, help="target sentences, likewise")
        parser.add_argument("--check", action="store_true", help="validate only; nothing is written")

    def run(self, options: dict[str, Any]) -> None:
        imported = import_links(
            project=self.project,
            by=self.user,
            files=LinkFiles(
                file=options["path"],
                source=options["source"],
                target=options["target"],
                format_name=options["format"],
                encoding=options["encoding"],
                judge=options["judge"],
                columns=choice_from_words(options["map"]),
            ),
            batch_name=options["batch"],
            annotator=options["annotator"],
            suggest_to=options["as_suggestions"],
            check=options["check"],
        )
        whose = f"for {options['annotator']}" if options["annotator"] else "as gold"
        if options["as_suggestions"] is not None:
            whose = "as suggestions"
        if imported.status == "unchanged":
            self.stdout.write(f"Nothing changed: these links were imported before {whose}.")
            return
        done = "can be imported" if imported.status == "checked" else "imported"
        self.stdout.write(
            f"{len(imported.pairs):,} pairs with {imported.sure:,} sure and {imported.possible_only:,} "
            f"possible links {done} into {imported.batch.name} {whose}."
        )
        if imported.contradictions:
            self.stdout.write(imported.contradictions)
        if imported.unknown:
            self.stdout.write(f"Not read: {imported.not_read}.")
