"""Ids inside JSON and texts: they are renumbered in an archive, as foreign keys are.

Every JSON field is named here, so that a new one cannot be forgotten: a test holds this to the models.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from alignment.services.trained_aligners.stored import PREFIX

Renumber = Callable[[str, int], int | None]
"""(model label, id) -> the id it has on the other side, None for a row that is gone."""
Row = Mapping[str, Any]
"""The values of a row by attribute, at least those of ROW_ATTRIBUTES that its model has."""
ROW_ATTRIBUTES = ("gold_set_id",)

JOB_OBJECTS: Mapping[str, str] = MappingProxyType(
    {
        "dataset": "corpus.Dataset",
        "batch": "annotation.Batch",
        "classifier": "annotation.TrainedClassifier",
        "trained": "alignment.TrainedAligner",
        "export": "alignment.Export",
        "gold_set": "annotation.GoldSet",
        "gold_links": "alignment.GoldAlignmentSet",
        "taught_by": "alignment.GoldAlignmentSet",
        "fetch": "corpus.Fetch",
        "last_sentence": "corpus.Sentence",
    }
)
"""Parameters of jobs, and of the aligners of an experiment's job, that are ids."""


def _job(value: Any, renumber: Renumber, row: Row) -> Any:
    changed = _with_objects(value, renumber)
    if isinstance(changed.get("setting"), str):
        changed["setting"] = _setting(changed["setting"], renumber, row)
    if isinstance(changed.get("aligners"), list):
        changed["aligners"] = [_with_objects(one, renumber) for one in changed["aligners"]]
    return changed


def _with_objects(value: dict[str, Any], renumber: Renumber) -> dict[str, Any]:
    return {
        name: renumber(JOB_OBJECTS[name], one) if name in JOB_OBJECTS and type(one) is int else one
        for name, one in value.items()
    }


def _sampling(value: Any, renumber: Renumber, row: Row) -> Any:
    if type(value.get("run")) is int:
        return value | {"run": renumber("annotation.ClassifierRun", value["run"])}
    return value


def _comparisons(value: Any, renumber: Renumber, row: Row) -> Any:
    return {str(renumber("alignment.GoldAlignmentSet", int(key))): one for key, one in value.items()}


def _setting(value: Any, renumber: Renumber, row: Row) -> Any:
    """`trained:7` names a trained aligner; all other settings name none."""
    prefix, colon, number = str(value).partition(":")
    if prefix != PREFIX or not number.isdecimal():
        return value
    # Suggestions of two aligners that are gone stay apart.
    new = renumber("alignment.TrainedAligner", int(number)) or f"gone-{number}"
    return f"{prefix}{colon}{new}"


def _figures(value: Any, renumber: Renumber, row: Row) -> Any:
    """A classifier names the items of its gold set, or the lines of the file that it was trained on."""
    if row["gold_set_id"] is None or "out_of_fold" not in value:
        return value
    rows = [[renumber("annotation.Item", item), *rest] for item, *rest in value["out_of_fold"]]
    return value | {"out_of_fold": rows}


WITH_IDS: Mapping[str, Callable[[Any, Renumber, Row], Any]] = MappingProxyType(
    {
        "jobs.Job.parameters": _job,
        "annotation.Batch.sampling": _sampling,
        "annotation.Batch.suggester": _setting,
        "alignment.Experiment.comparisons": _comparisons,
        "alignment.SuggestedLinks.setting": _setting,
        "annotation.TrainedClassifier.figures": _figures,
    }
)
"""Fields that hold ids, and how they are renumbered."""

WITHOUT_IDS = frozenset(
    {
        "alignment.Alignment.null_a", "alignment.Alignment.null_b",
        "alignment.Evaluation.scores",
        "alignment.ExperimentCell.counts", "alignment.ExperimentCell.links",
        "alignment.ExperimentCell.scores",
        "alignment.ExperimentRow.parameters",
        "alignment.Export.manifest",
        "alignment.GoldAlignment.adjudication", "alignment.GoldAlignment.links",
        "alignment.GoldAlignment.versions",
        "alignment.GoldAlignmentSet.agreement", "alignment.GoldAlignmentSet.counts",
        "alignment.GoldAlignmentSet.lineage",
        "alignment.LinkAdjudication.links",
        "alignment.SuggestedLinks.links", "alignment.SuggestedLinks.reasons",
        "alignment.TrainedAligner.held_out", "alignment.TrainedAligner.iterations",
        "alignment.TrainedAligner.learning_curve", "alignment.TrainedAligner.parameters",
        "annotation.Answer.body", "annotation.Answer.response",
        "annotation.GoldJudgement.adjudication", "annotation.GoldJudgement.votes",
        "annotation.GoldSet.agreement", "annotation.GoldSet.counts",
        "annotation.GoldSubclusterSet.agreement", "annotation.GoldSubclusterSet.counts",
        "annotation.GoldSubclusterSet.lineage",
        "annotation.GoldSubclusters.adjudication", "annotation.GoldSubclusters.subclusters",
        "annotation.GoldSubclusters.versions",
        "annotation.SecondPass.after", "annotation.SecondPass.before",
        "annotation.SubclusterDecision.subclusters",
        "annotation.TrainedClassifier.notes",
        "annotation.TrainedClassifier.parameters",
        "corpus.CorpusImport.counts", "corpus.CorpusImport.near", "corpus.CorpusImport.notes",
        "corpus.CorpusImport.options", "corpus.CorpusImport.problems", "corpus.CorpusImport.sample",
        "corpus.Dataset.criteria", "corpus.Dataset.refinement",
        "corpus.Extraction.criteria",
        "jobs.Job.counts",
        "corpus.Lexicon.figures", "corpus.Lexicon.parameters",
        "corpus.MarkedPage.blocks", "corpus.MarkedPage.marks",
        "corpus.MatchingStudy.figures", "corpus.MatchingStudy.parameters",
        "corpus.ProjectPreset.criteria",
        "corpus.Sentence.starts",
        "corpus.TrainedStoryModel.figures", "corpus.TrainedStoryModel.numbers",
    }
)  # fmt: skip
"""JSON fields that hold none."""


def renumbered(label: str, value: Any, renumber: Renumber, row: Row) -> Any:
    """The value of a field, named `app.Model.field`, with its ids as on the other side."""
    change = WITH_IDS.get(label)
    return value if change is None or value is None else change(value, renumber, row)
