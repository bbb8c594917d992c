"""Import a file into a project, or only check it: `manage.py import KIND FILE --project SLUG`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from corpus.services.importing import import_here, import_kinds
from jobs.management.project_argument import ProjectCommand, add_project_arguments, project_and_user
from paragold.cli.arguments import add_arguments, add_repeated, spec_from
from paragold.formats.tables import choice_from_words
from paragold.problems import FileProblem
from paragold.sources.main_text_model import read_main_text_model

ENDS = {
    "imported": "Imported{}.",
    "checked": "Valid; nothing was written.",
    "unchanged": "Nothing changed: all of it was imported before.",
}


class Command(ProjectCommand):
    help = "Import a file into a project, all of it or nothing. `import KIND --help` lists the options."
    requires_system_checks = ()
    after_error = "Nothing was written."

    def add_arguments(self, parser: ArgumentParser) -> None:
        kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
        for kind in import_kinds().values():
            own = kinds.add_parser(kind.id, help=kind.lede, description=kind.lede)
            own.add_argument("file", type=Path, help=kind.parts["file"][1].replace("%", "%%"))
            for part, (_, about) in kind.parts.items():
                if part != "file":
                    own.add_argument(f"--{part}", type=Path, help=about)
            add_arguments(own, kind.spec, kind.leave_out, {"file_format": "--format"})
            add_repeated(
                own,
                "--map",
                "FIELD=COLUMN",
                "of a table or JSON Lines: which column holds what, a number where there is no header; may "
                f"be repeated: {', '.join(kind.columns)} (default: by the usual names)",
            )
            if kind.grows_corpus:
                own.add_argument(
                    "--main-text-model",
                    "--story-model",
                    dest="story_model",
                    type=Path,
                    help="find the main text of pages with this model (default: trafilatura)",
                )
            own.add_argument("--check", action="store_true", help="validate only, write nothing")
            add_project_arguments(own, required=False)

    def handle(self, *args: Any, **options: Any) -> None:
        kind = import_kinds()[options["kind"]]
        project, user = project_and_user(options) if options["project"] else (None, None)
        if project is None and not (options["check"] and kind.grows_corpus):
            raise CommandError("Name the project with --project SLUG, or check articles with --check.")
        paths = {part: options[part] for part in kind.parts if options[part] is not None}
        path: Path = paths["file"]
        if not path.exists():
            raise CommandError(f"{path}: there is no such file or folder.")
        spec = spec_from(kind.spec, options)
        reading = kind.options(spec, choice_from_words(options["map"]), project)
        if model := options.get("story_model"):
            reading["story_model"] = read_main_text_model(model).to_json()
        source = import_here(
            project=project,
            by=user,
            paths=paths,
            filename=path.name,
            options=reading,
            check_only=options["check"],
        )
        if source.refused:
            problems = [FileProblem(**problem) for problem in source.problems]
            self.stderr.write(str(FileProblem.of(problems, file=str(path))))
            raise CommandError(f"{path}: refused; nothing was written.")
        for note in source.notes:
            self.stdout.write(f"Note: {note}")
        for name, count in source.counts.items():
            self.stdout.write(f"{count:>12,}  {name.replace('_', ' ')}")
        made = ", ".join(str(row) for row in kind.made(source).values())
        self.stdout.write(ENDS[source.state].format(f" into {made}" if made else ""))
