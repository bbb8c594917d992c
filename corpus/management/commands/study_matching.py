"""Score exact Jaccard and MinHash on texts with an answer key: from file to files, without a database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from corpus.services.matching_studies import NOT_OF_A_STUDY
from corpus.views.matching_studies import HEAD, best_rows, figures_of, spread_rows
from paragold.cli.arguments import add_arguments, spec_from
from paragold.formats.tables import csv_lines
from paragold.matching import study
from paragold.matching.files import places_of, read_answer_key, read_paragraphs
from paragold.matching.settings import MatchingSpec
from paragold.matching.study import AnswerKey
from paragold.matching.word_sets import content_words
from paragold.problems import FileProblem
from paragold.spec import SpecError
from projects.management.bounded import BoundedCommand
from projects.views.figures import svg_text


class Command(BoundedCommand):
    help = "Score matching against an answer key by threshold: curves, scatter, time against n; CSV and SVG."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="TSV", help="one file, or two to compare")
        parser.add_argument("--key", type=Path, required=True, metavar="TSV", help="ids TAB ids")
        parser.add_argument(
            "--permutations", type=int, nargs="+", default=list(study.PERMUTATIONS), metavar="M"
        )
        add_arguments(parser, MatchingSpec, leave_out=NOT_OF_A_STUDY)
        parser.add_argument("--output", type=Path, required=True, metavar="FOLDER")

    def handle(self, *args: Any, **options: Any) -> None:
        paths: list[Path] = options["files"]
        if len(paths) > 2:
            raise CommandError("Give one file, or two.")
        if min(options["permutations"]) < 1:
            raise CommandError("There must be at least one permutation.")
        try:
            spec = spec_from(MatchingSpec, {name: options[name] for name in ("seed", "stop_words")})
            files = [read_paragraphs(path) for path in paths]
            places = places_of(paths, files)
            rows = read_answer_key(options["key"], places)
        except (FileProblem, SpecError) as error:
            raise CommandError(str(error)) from error
        split = len(files[0]) if len(files) > 1 else 0
        key = AnswerKey.from_rows(([places[one] for one in [*a, *b]] for a, b in rows), split)
        words = [content_words(paragraph.text, spec.stop_words) for file in files for paragraph in file]
        figures = self.figures(study.StudyTexts(words, split), key, spec.seed, options["permutations"])
        try:
            write(options["output"], figures)
        except OSError as error:
            raise CommandError(f"{error.filename} cannot be written ({error.strerror}).") from error
        for row in (HEAD, *best_rows(figures)):
            self.stdout.write("\t".join(row))
        self.stdout.write("\t".join(("Estimates", "pairs", "bias", "deviation", "expected")))
        for row in spread_rows(figures):
            self.stdout.write("\t".join(row))

    def figures(
        self, texts: study.StudyTexts, key: AnswerKey, seed: int, chosen: list[int]
    ) -> dict[str, Any]:
        permutations = sorted(set(chosen))
        methods = [study.EXACT, *map(str, permutations)]
        return {
            "quality": {method: study.quality(texts, key, method, seed=seed) for method in methods},
            "scatter": {str(m): study.scatter(texts, m, seed=seed) for m in permutations},
            "times": {method: study.times(texts, method, seed=seed) for method in methods},
        }


def write(folder: Path, figures: dict[str, Any]) -> None:
    """The tables as CSV and the plots as SVG. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in study.tables(figures).items():
        (folder / f"{name}.csv").write_text(csv_lines(rows), encoding="utf-8", newline="")
    for name, figure in figures_of(figures).items():
        (folder / f"{name}.svg").write_text(svg_text(figure), "utf-8")
