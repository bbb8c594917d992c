"""Import articles into a project, or only check a file."""

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from corpus.models import CorpusImport
from corpus.services.importing import check_corpus, import_corpus
from jobs.management.project_argument import ProjectCommand, add_project_arguments, project_and_user
from paragold.cli.arguments import spec_from
from paragold.cli.articles import add_event_arguments
from paragold.events.settings import EventSpec
from paragold.formats.tables import choice_from_words
from paragold.problems import PROBLEMS_SHOWN, FileProblem, bounded, further, located
from paragold.sources.article_sources import ARTICLE_SOURCES, SourceOptions, format_of
from paragold.sources.articles import FIELDS
from paragold.sources.main_text_model import read_main_text_model
from paragold.text.segmenters import RULES, SEGMENTERS


class Command(ProjectCommand):
    help = (
        "Import articles (docs/formats/articles.md) from a JSONL file, a CSV or TSV, headlines in clusters, "
        "a zip archive or a folder of saved pages and texts: all of it, or nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path)
        parser.add_argument("--check", action="store_true", help="validate only, write nothing")
        parser.add_argument("--format", choices=["auto", *ARTICLE_SOURCES.ids()], default="auto")
        parser.add_argument(
            "--map",
            action="append",
            default=[],
            metavar="FIELD=NAME",
            help=f"of a table or of JSON Lines; may be repeated: {', '.join(FIELDS)} (default: usual names)",
        )
        parser.add_argument(
            "--main-text-model",
            "--story-model",
            dest="story_model",
            type=Path,
            help="find the main text of pages with this model (default: trafilatura)",
        )
        parser.add_argument(
            "--encoding", default="utf-8", help="encoding of the file, such as utf-16-le (default utf-8)"
        )
        parser.add_argument(
            "--segmenter",
            choices=SEGMENTERS.ids(),
            default=RULES.id,
            help="what splits texts into sentences (default rules)",
        )
        parser.add_argument(
            "--find-clusters",
            action="store_true",
            help="group dated articles into clusters (docs/events.md) with:",
        )
        add_event_arguments(parser, leave_out=["language"])
        add_project_arguments(parser, required=False)

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["path"]
        if not path.exists():
            raise CommandError(f"{path}: there is no such file or folder.")
        project, user = project_and_user(options) if options["project"] else (None, None)
        chosen = self.chosen(path, options, project.language if project else EventSpec().language)
        if options["check"]:
            source = check_corpus(path=path, filename=path.name, options=chosen, project=project)
        elif project is None:
            raise CommandError("Name the project with --project SLUG, or check the file with --check.")
        else:
            source = import_corpus(project=project, by=user, path=path, filename=path.name, options=chosen)
        if source.problems:
            self.stderr.write(describe(path, [FileProblem(**problem) for problem in source.problems]))
        if source.refused:
            raise CommandError(f"{path}: refused; nothing was written.")
        self.write_report(source)

    def chosen(self, path: Path, options: dict[str, Any], language: str) -> SourceOptions:
        """How to read the path."""
        name = format_of(path) if options["format"] == "auto" else options["format"]
        model: Path | None = options["story_model"]
        try:
            with located(file=str(path)):
                mapping = choice_from_words(options["map"])
            story_model = read_main_text_model(model) if model else None
        except (FileProblem, OSError) as error:
            raise CommandError(str(error)) from error
        return SourceOptions(
            format=name,
            encoding=options["encoding"],
            mapping=mapping,
            story_model=story_model,
            events=spec_from(EventSpec, options, language=language) if options["find_clusters"] else None,
            segmenter=options["segmenter"],
        )

    def write_report(self, source: CorpusImport) -> None:
        for note in source.notes:
            self.stdout.write(f"Note: {note}")
        for name, count in source.counts.items():
            self.stdout.write(f"{count:>12,}  {name.replace('_', ' ')}")
        endings = {
            "imported": "Imported.",
            "checked": "Valid; nothing was written.",
            "unchanged": "Nothing changed: all of these articles are already in the corpus.",
        }
        self.stdout.write(endings[source.state])


def describe(path: Path, problems: Sequence[FileProblem]) -> str:
    """The first problems, each as `file:line:column: what. What to do.`, and the number of the others."""
    lines = [_described(path, problem) for problem in problems[:PROBLEMS_SHOWN]]
    if len(problems) > PROBLEMS_SHOWN:
        lines.append(further(len(problems) - PROBLEMS_SHOWN))
    return "\n".join(lines)


def _described(path: Path, problem: FileProblem) -> str:
    place = str(path / problem.file) if problem.file else str(path)
    if problem.line:
        place += f":{problem.line}"
        if problem.column is not None:
            place += f":{problem.column}"
    return bounded(f"{place}: {problem.message} {problem.remedy}")
