"""Import a file of judged pairs as the judgements of an annotator, or as a gold set."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.services.judgement_import import check_judgements, import_judgements
from jobs.management.project_argument import ProjectCommand
from paragold.cli.arguments import add_columns
from paragold.formats.judgement_files import JUDGEMENT_FORMATS
from paragold.formats.judgement_formats import AUTO, PAIR_COLUMNS, Reading
from paragold.formats.tables import choice_from_words
from paragold.problems import FileProblem
from projects.errors import PublicError


class Command(ProjectCommand):
    help = "Import a file of judged pairs: all of it, or nothing. Without --annotator it becomes a gold set."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path)
        super().add_arguments(parser)
        parser.add_argument("--name", required=True, help="the batch, with --annotator; else the gold set")
        parser.add_argument("--annotator", metavar="USER", help="the annotator")
        parser.add_argument("--format", choices=[AUTO, *JUDGEMENT_FORMATS.ids()], default=AUTO)
        add_columns(parser, PAIR_COLUMNS)
        parser.add_argument("--threshold", type=float, help="minimum similarity of a paraphrase")
        parser.add_argument(
            "--partial-threshold", type=float, help="minimum similarity of a partial one, else unrelated"
        )
        parser.add_argument(
            "--judge",
            default="",
            metavar="NAME",
            help="whose labels are read, if the file has several people's: a name in it (pairs.jsonl: a "
            "pseudonym; Label Studio: number or e-mail address)",
        )
        parser.add_argument(
            "--keep-contradictions",
            action="store_true",
            help="freeze gold labels although the same two sentences have different ones",
        )
        parser.add_argument("--encoding", default="utf-8")
        parser.add_argument("--check", action="store_true", help="validate only; nothing is written")

    def run(self, options: dict[str, Any]) -> None:
        path = options["path"]
        source = {"path": path, "filename": path.name, "encoding": options["encoding"]}
        names = ("format", "threshold", "partial_threshold", "judge")
        try:
            columns = choice_from_words(options["map"])
            reading = Reading(columns=columns, **{name: options[name] for name in names})
            if options["check"]:
                report = check_judgements(reading=reading, **source)
            else:
                report = import_judgements(
                    project=self.project, by=self.user, name=options["name"], annotator=options["annotator"],
                    reading=reading, keep_contradictions=options["keep_contradictions"], **source,
                )  # fmt: skip
        except (PublicError, ValueError) as error:
            raise CommandError(f"{error} Nothing was written.") from error
        if report.problems:
            self.stderr.write(str(FileProblem.of(report.problems, file=str(path))))
            raise CommandError(f"{len(report.problems)} problems; nothing was written.")
        labels = ", ".join(f"{count:,} {label}" for label, count in report.labels.items())
        self.stdout.write(f"{path.name}: {report.pairs:,} pairs ({report.format}): {labels}.")
        if report.unknown:
            self.stdout.write(f"Not read: {report.not_read}.")
        if report.contradictions:
            self.stdout.write(report.contradictions)
        if report.status == "checked":
            self.stdout.write("Valid. Nothing was written.")
        elif report.status == "unchanged":
            self.stdout.write("Nothing changed: all of it was imported before.")
        elif report.gold_set is not None:
            self.stdout.write(f"Frozen as {report.gold_set}.")
        else:
            self.stdout.write(f"Imported into {report.batch} for {options['annotator']}.")
