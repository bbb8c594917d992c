"""Read a paraphrase lexicon or word vectors from a file into a project."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from corpus.models import UPLOADED
from corpus.services.lexicon_files import launch_import
from corpus.services.uploads import keep_upload
from jobs.management.project_argument import ProjectCommand, run_to_end

PIECE = 8 << 20


class Command(ProjectCommand):
    help = "Import a paraphrase lexicon or word vectors into a project, as evidence of its aligners."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--kind", required=True, choices=UPLOADED)
        parser.add_argument("--file", required=True, type=Path)
        parser.add_argument("--name", default="", help="default: that of the kind, next version")

    def run(self, options: dict[str, Any]) -> None:
        path: Path = options["file"]
        with path.open("rb") as file:
            upload = keep_upload(
                pieces=iter(lambda: file.read(PIECE), b""),
                size=path.stat().st_size,
                filename=path.name,
                encoding="utf-8",
                project=self.project,
                user=self.user,
            )
        lexicon = launch_import(
            project=self.project,
            by=self.user,
            kind=options["kind"],
            name=options["name"] or options["kind"],
            upload=upload,
        )
        run_to_end(lexicon.job)
        lexicon.refresh_from_db()
        self.stdout.write(f"{lexicon.in_words}, sha256 {lexicon.sha256}")
