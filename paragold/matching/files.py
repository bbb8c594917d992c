"""Texts of one file or two matched into a file of pairs, without a database."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from paragold.extraction.pairs_tsv import UNWRITABLE
from paragold.matching.exact import jaccard_of
from paragold.matching.pairs import ScoredPairs
from paragold.matching.scoring import AnswerKey, Score, best_f, best_row_f, score_curve
from paragold.matching.settings import MatchingSpec, matched
from paragold.matching.word_sets import WordSets, sets_of_files
from paragold.problems import FileProblem
from paragold.sources.answer_key import read_answer_key
from paragold.sources.paragraphs_tsv import Paragraph, read_paragraphs

LOWEST_THRESHOLD_SCORED = 0.1

PAIR_COLUMNS = ("id_a", "id_b", "score", "jaccard", "text_a", "text_b")
CURVE_COLUMNS = ("threshold", "proposed", "right", "precision", "recall", "f", "row_recall", "row_f")


@dataclass(frozen=True, slots=True)
class KeyScores:
    """Scores at the threshold asked for and at every hundredth from 0.1 (or it, when lower) to 1."""

    at_threshold: Score
    curve: tuple[Score, ...]
    pairs: int
    rows: int

    @property
    def best(self) -> Score:
        return best_f(self.curve)

    @property
    def best_by_rows(self) -> Score:
        return best_row_f(self.curve)


@dataclass(frozen=True, slots=True)
class MatchReport:
    """texts: of each file; found: pairs at or above the threshold."""

    texts: tuple[int, ...]
    found: int
    scores: KeyScores | None


def match_files(
    paths: Sequence[Path], settings: MatchingSpec, output: Path, key_path: Path | None = None
) -> MatchReport:
    """Match the texts of one file with each other, or those of two files, and write the pairs.

    Raises FileProblem for unusable files, OSError when writing fails.
    """
    files = [read_paragraphs(path) for path in paths]
    places = places_of(paths, files)
    sets, split = sets_of_files(
        *([paragraph.text for paragraph in paragraphs] for paragraphs in files),
        stop_words=settings.stop_words,
    )
    key = None
    if key_path is not None:
        rows = read_answer_key(key_path, places)
        key = AnswerKey.from_rows(
            ([places[name] for name in [*first, *second]] for first, second in rows), split
        )
    floor = min(settings.threshold, LOWEST_THRESHOLD_SCORED) if key else settings.threshold
    pairs = matched(sets, settings, floor, split)
    found = pairs.at_least(settings.threshold)
    write_pairs(output, found, sets, [paragraph for paragraphs in files for paragraph in paragraphs])
    scores = None
    if key:
        hundredths = [step / 100 for step in range(1, 101) if step / 100 >= floor]
        curve = score_curve(pairs, key, hundredths)
        asked = score_curve(pairs, key, [settings.threshold])[0]
        scores = KeyScores(asked, tuple(curve), len(key.pairs), key.rows)
    return MatchReport(tuple(map(len, files)), len(found), scores)


def write_pairs(path: Path, pairs: ScoredPairs, sets: WordSets, paragraphs: Sequence[Paragraph]) -> None:
    """Pairs as tab-separated lines, by falling score, with their exact Jaccard and their texts."""
    rows = zip(
        pairs.first.tolist(),
        pairs.second.tolist(),
        pairs.scores.tolist(),
        jaccard_of(sets, pairs).tolist(),
        strict=True,
    )
    write_rows(
        path,
        PAIR_COLUMNS,
        (
            (
                paragraphs[first].key,
                paragraphs[second].key,
                f"{score:.6f}",
                f"{jaccard:.6f}",
                paragraphs[first].text,
                paragraphs[second].text,
            )
            for first, second, score, jaccard in rows
        ),
    )


def write_curve(path: Path, curve: Sequence[Score]) -> None:
    """Precision, recall and F by threshold as tab-separated lines."""
    write_rows(
        path,
        CURVE_COLUMNS,
        (
            tuple(
                str(getattr(score, name)) if name in {"proposed", "right"} else f"{getattr(score, name):.4f}"
                for name in CURVE_COLUMNS
            )
            for score in curve
        ),
    )


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Tab-separated lines with a header, complete or not at all. Raises OSError."""
    unfinished = path.with_name(path.name + ".part")
    with unfinished.open("w", encoding="utf-8", newline="\n") as file:
        file.write("\t".join(columns) + "\n")
        for row in rows:
            file.write("\t".join(UNWRITABLE.sub(" ", field) for field in row) + "\n")
    unfinished.replace(path)


def places_of(paths: Sequence[Path], files: Sequence[Sequence[Paragraph]]) -> dict[str, int]:
    """The index of each id. Raises FileProblem when both files have the same."""
    places: dict[str, int] = {}
    for path, paragraphs in zip(paths, files, strict=True):
        problems = [
            FileProblem(
                f"{paths[0]} has the id {paragraph.key!r} too.", "Give it another.", line=paragraph.line
            )
            for paragraph in paragraphs
            if paragraph.key in places
        ]
        if problems:
            raise FileProblem.of(problems, file=str(path))
        for paragraph in paragraphs:
            places[paragraph.key] = len(places)
    return places
