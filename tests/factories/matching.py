"""Studies of matching for tests."""

from __future__ import annotations

from corpus.models import MatchingStudy
from paragold.matching.study import EXACT, AnswerKey, StudyTexts, quality, scatter
from projects.models import Project

from .corpus import JobFactory


def matching_study(project: Project) -> MatchingStudy:
    """A finished study of two texts with 16 permutations; its times are made up."""
    texts, key = StudyTexts([["one", "two"], ["two", "one"]], 1), AnswerKey.from_rows([[0, 1]], 1)
    methods = [EXACT, "16"]
    figures = {
        "quality": {method: quality(texts, key, method, seed=1) for method in methods},
        "scatter": {"16": scatter(texts, 16, seed=1)},
        "times": {method: [[1, 0.001], [2, 0.002]] for method in methods},
        "key": {"pairs": 1, "rows": 1},
    }
    return MatchingStudy.objects.create(
        project=project,
        job=JobFactory(project=project, kind="study_matching"),
        name="two texts",
        parameters={
            "methods": methods, "seed": 1, "stop_words": [], "files": ["a.tsv", "b.tsv"], "key": "key.tsv",
            "texts": [1, 1],
        },
        figures=figures,
        signature="study of a test",
    )  # fmt: skip
