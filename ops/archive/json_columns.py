"""What each JSON column of an archive may hold: its shape, and what reads the value.

An archive may be written on purpose: what a page could not show is refused before it is stored. Every JSON
column of the tables is named here; a test holds this to the models.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from types import FunctionType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from django.db.models import TextChoices
from jsonschema_rs import Draft4Validator

from alignment.models import Origin, Strength
from alignment.services.experiments import GOLD_KEYS
from annotation.models import BatchKind, Label
from annotation.specs import TrainingSpec
from corpus.specs import ProjectHeadlineSpec, ProjectMatchingSpec
from paragold.agreement.estimates import Estimate
from paragold.aligners.method import Iteration, Transfer
from paragold.aligners.registry import DEFAULT_ALIGNER, Recipe
from paragold.classification.lexicon_settings import LexiconSpec
from paragold.classification.measures import Calibration, Measures, Threshold
from paragold.events.settings import EventSpec
from paragold.extraction.criteria import Criteria
from paragold.extraction.selection import Selection
from paragold.matching.settings import MatchingSpec
from paragold.metrics.error_kinds import KINDS, KindCounts
from paragold.metrics.error_rate import Comparison
from paragold.problems import shortened
from paragold.sampling.strategy import REJECTED, DrawSpec
from paragold.sources.pages.main_text_model import load_main_text_model

from .tables import Row

Shape = Any
"""A type (int: a count; a dataclass: what `asdict` makes of it; list[X], dict[str, X], tuples and X | None),
choices, [items], (each, of, these), {"name other optional?": shape}, a Schema."""


class Schema(dict[str, Any]):
    """A JSON schema by draft 4: there 1.0 is no integer, as in Python."""


_TYPES: Mapping[type, Schema] = {
    type(None): Schema(type="null"),
    bool: Schema(type="boolean"),
    int: Schema(type="integer", minimum=0, maximum=2**53),
    # Far beyond any figure, and safe to multiply.
    float: Schema(type="number", minimum=-1e15, maximum=1e15),
    str: Schema(type="string"),
    dict: Schema(type="object"),
}


def schema_of(shape: Shape) -> Schema:
    """The JSON schema of a shape."""
    if isinstance(shape, Schema):
        return shape
    parts = get_args(shape)
    if isinstance(shape, UnionType):
        return _any_of(*parts)
    if parts and get_origin(shape) is dict:
        return _map(parts[1])
    if parts:
        return schema_of(parts if get_origin(shape) is tuple and ... not in parts else [parts[0]])
    if is_dataclass(shape):
        return schema_of(get_type_hints(shape))
    if isinstance(shape, list):
        return Schema(type="array", items=schema_of(shape[0]))
    if isinstance(shape, tuple):
        items = [schema_of(one) for one in shape]
        return Schema(type="array", items=items, minItems=len(items), maxItems=len(items))
    if isinstance(shape, dict):
        named = {name: one for names, one in shape.items() for name in names.split()}
        required = sorted(name for name in named if not name.endswith("?"))
        # Other keys may be there: nothing reads them.
        properties = {name.rstrip("?"): schema_of(one) for name, one in named.items()}
        return Schema(type="object", properties=properties, **({"required": required} if required else {}))
    return _one_of(*shape.values) if issubclass(shape, TextChoices) else _TYPES[shape]


def _any_of(*shapes: Shape) -> Schema:
    return Schema(anyOf=[schema_of(one) for one in shapes])


def _all_of(*shapes: Shape) -> Schema:
    return Schema(allOf=[schema_of(one) for one in shapes])


def _or_null(shape: Shape) -> Schema:
    return _any_of(shape, type(None))


def _one_of(*values: Any) -> Schema:
    return Schema(enum=list(values))


def _map(values: Shape, *required: str) -> Schema:
    """An object with any keys, whose values are all alike."""
    needed = {"required": list(required)} if required else {}
    return Schema(type="object", additionalProperties=schema_of(values), **needed)


def _some(items: Shape) -> Schema:
    """A list of at least one."""
    return Schema(schema_of([items]), minItems=1)


def _or_empty(shape: Shape) -> Schema:
    return _any_of(shape, Schema(type="object", maxProperties=0))


_FILLED = Schema(type="object", minProperties=1)
_WHOLE = Schema(type="integer", minimum=-(2**53), maximum=2**53)
# The id of a row that may have been deleted since.
_ID = _or_null(_WHOLE)
_SHARE = float | None
_INTERVAL = (float, float)
_ESTIMATES = _map(Estimate)
_LINK_AGREEMENT = {"measure": str, "value": _SHARE, "pairs": int}
_LINKS = [(int, int, Strength)]
_DRAWN_LINKS = [(int, int, Strength, Origin)]
_LINKS_OF_ANSWER = {"links": _DRAWN_LINKS, "null_a null_b": [int]}
_SAID = {"annotator comment at": str, "flagged": bool}
_DECIDED = {"adjudicator comment at": str}
_GROUPS = [_some(str)]
_NUMBERED_GROUPS = [_some(int)]
_SCORE = {"precision recall aer": _SHARE, "aer_interval": _or_null(_INTERVAL)}
_SCORES = {"all identical non_identical": _SCORE}
_COMPARED = _or_null({"best": _WHOLE, "others": _map(_or_null(Comparison)), "better?": _map([_WHOLE])})
_KIND_OF_ERROR = _all_of(KindCounts, {"kind": _one_of(*KINDS), "label": str})
_MEASURES = _all_of(Measures, {"intervals": {"error precision recall f": _INTERVAL}})
# The error rate of an aligner that was trained on some pairs.
_ALIGNED = {"pairs": int, "aer": _SHARE, "interval": _any_of(_INTERVAL, _one_of(None, [])), "aligner?": str}
_VARIANT = {"name": str, "measures": _MEASURES, "dimensions": float, "aligned?": _ALIGNED}
_ROUND = {"round": int, "added paraphrases": float, "measures": _MEASURES}
_REPORT = {
    "curve?": [{"pairs": int, "measures?": _MEASURES}],
    "ablation?": [_any_of(_VARIANT, {"name problem": str})],
    "random_folds?": {"measures?": _MEASURES},
    "bootstrap?": {"dataset": str, "rounds": [_ROUND]},
    "unrefined?": {"dataset gold": str, **_ALIGNED},
}
_TRAINED = {
    "pairs paraphrases groups features word_pairs": int,
    "classes": [str],
    "weights": [(str, float)],
    "measures": _MEASURES,
    "calibration": Calibration,
    "thresholds": [Threshold],
    "c": float,
    "errors_by_c": [(float, float)],
    "out_of_fold": [(int, bool, float)],
    "lexicons": _map(str),
    **_REPORT,
}
# Its parameters are read by `Recipe.of`.
_RECIPE = {"aligner": str}
_STRATUM = {"stratum": Schema({"type": "string", "not": _one_of(REJECTED)}), "drawn pairs": int}
_LOOKED_AT = Schema(_TYPES[int], minimum=1)
_REJECTED = {"stratum": str, "drawn sentence_pairs": int, "looked_at": _LOOKED_AT}
_SAMPLED = {
    "clusters signature": str,
    "again": bool,
    "by? allocation? paraphrases_of?": str,
    "per_cluster?": int | None,
    "rejected? audit?": int,
    "run?": _ID,
    "strata?": [_any_of(_STRATUM, _REJECTED)],
}
_SHOWN = {"key title source published": str, "sentences": [[str]]}
_PROBLEM = Schema(
    schema_of({"line": int, "column": int | None, "message remedy file?": str}),
    additionalProperties=False,
)
_WORK = {"expected": Schema(_TYPES[float], minimum=0), "how": str}
_JOBS: Mapping[str, Shape] = {
    "extract": {"criteria?": dict},
    "match": {"spec": dict},
    "match-headlines": {"spec": dict, "groups_by?": str},
    "match_texts": {"spec": dict},
    "suggest": {"batch": _ID, "setting": str},
    "train-aligner": {"recipe?": _RECIPE},
    "align": {"trained": _ID},
    "address-list": {"problems?": [_PROBLEM], "refused? filename? encoding?": str},
    "experiment": {"aligners": [{"aligner?": str}]},
}


def _optional(shape: Mapping[str, Shape]) -> Schema:
    """The same, with nothing that must be there."""
    schema = schema_of(shape)
    del schema["required"]
    return schema


def _job_parameters(row: Row) -> Shape:
    own = {"units?": str, "chunk_seconds?": int, "work?": _WORK}
    return _all_of(own, _JOBS.get(row["kind"], dict))


def _sampling(row: Row) -> Shape:
    split = {"headlines_drawn clusters_drawn": int}
    pairs = {"by": str, "per_cluster rejected": Schema()}
    own = split if row["kind"] == BatchKind.SPLIT else pairs
    return _or_empty(_all_of(_SAMPLED, own))


SCHEMAS: Mapping[str, Shape | Callable[[Row], Shape]] = {
    "alignment.Alignment.null_a": [int],
    "alignment.Alignment.null_b": [int],
    "alignment.Evaluation.scores": {"all identical non_identical": _SCORE | {"pairs links sure": int}},
    "alignment.Experiment.comparisons": _map({"all identical non_identical": _COMPARED}),
    "alignment.ExperimentCell.counts": {"all identical non_identical": [(int, int, int, int)]},
    "alignment.ExperimentCell.errors": [_KIND_OF_ERROR],
    "alignment.ExperimentCell.links": [Schema(type="string", pattern=r"^(\d+-\d+( \d+-\d+)*)?$")],
    "alignment.ExperimentCell.reasons": _map(_map(str)),
    "alignment.ExperimentCell.scores": _SCORES,
    "alignment.ExperimentRow.extraction": dict,
    "alignment.ExperimentRow.parameters": _or_empty(_RECIPE),
    "alignment.ExperimentRow.transfers": [Transfer],
    "alignment.Export.manifest": {
        "files": _map({"bytes": int, "sha256": str}),
        "counts?": dict,
        "details?": {"judgements? links?": {"gold_set?": str}},
    },
    "alignment.GoldAlignment.adjudication": _or_null(_DECIDED),
    "alignment.GoldAlignment.links": _LINKS,
    "alignment.GoldAlignment.versions": [
        _SAID | {"links": _DRAWN_LINKS, "null_a null_b": [int], "suggestions?": str}
    ],
    "alignment.GoldAlignmentSet.agreement": {
        **_LINK_AGREEMENT,
        "first_pass? second_pass?": _LINK_AGREEMENT,
    },
    "alignment.GoldAlignmentSet.counts": _map(
        int, "items", "not_linked_by_all", "pairs", "sure", "possible_only"
    ),
    "alignment.GoldAlignmentSet.lineage": {
        "batch": str,
        "pairs links?": _map(str),
        "origins? suggested_by? conditions?": _map(int),
    },
    "alignment.SuggestedLinks.links": [(int, int)],
    "alignment.SuggestedLinks.reasons": [str],
    "alignment.TrainedAligner.held_out": _map(dict),
    "alignment.TrainedAligner.iterations": [Iteration],
    "alignment.TrainedAligner.learning_curve": [{"pairs": int, "scores": _SCORES}],
    "alignment.TrainedAligner.parameters": _RECIPE,
    "alignment.TrainedAligner.transfers": [Transfer],
    "annotation.Answer.body": _FILLED,
    "annotation.Answer.response": {"version done total": int},
    "annotation.Batch.sampling": _sampling,
    "annotation.Decision.content": _or_null(_any_of(_LINKS, _NUMBERED_GROUPS)),
    "annotation.GoldJudgement.adjudication": _or_null(_DECIDED | {"label": Label}),
    "annotation.GoldJudgement.votes": [
        _SAID | {"label": _or_null(Label), "skipped": bool, "milliseconds?": int}
    ],
    "annotation.GoldSet.agreement": Schema(
        schema_of({"first_pass? second_pass?": _ESTIMATES}),
        additionalProperties=schema_of(Estimate),
    ),
    "annotation.GoldSet.counts": _map(int, "items", "pairs", "judgements_missing", "waiting_for_adjudicator"),
    "annotation.GoldSubclusterSet.agreement": {
        "adjusted_rand precision recall f1": _SHARE,
        "together first second pairs clusters": int,
    },
    "annotation.GoldSubclusterSet.counts": _map(int, "items", "clusters"),
    "annotation.GoldSubclusterSet.lineage": {"batch": str, "sampling": dict},
    "annotation.GoldSubclusters.adjudication": _or_null(_DECIDED),
    "annotation.GoldSubclusters.subclusters": _GROUPS,
    "annotation.GoldSubclusters.versions": [_SAID | {"subclusters": _GROUPS}],
    "annotation.SecondLook.links": _or_null(
        {"first": _LINKS_OF_ANSWER, "draft": _or_null(_LINKS_OF_ANSWER), "disputed": [(int, int)]}
    ),
    "annotation.SecondPass.after": _or_null(_ESTIMATES),
    "annotation.SecondPass.before": _ESTIMATES,
    "annotation.TrainedClassifier.figures": lambda row: (
        _TRAINED if row["model"] is not None else _optional(_TRAINED)
    ),
    "annotation.TrainedClassifier.notes": [str],
    "annotation.TrainedClassifier.parameters": {
        "spec": dict,
        "language": str,
        "folds": int,
    },
    "corpus.CorpusImport.counts": _map(int),
    "corpus.CorpusImport.near": _or_empty(
        {"pairs clusters articles": int, "shown": [(str, str, str, float)]}
    ),
    "corpus.CorpusImport.notes": [str],
    "corpus.CorpusImport.options": {
        "format? encoding?": str,
        "mapping?": _map(str),
        "story_model?": str | None,
        "segmenter?": str,
        "events?": dict,
    },
    "corpus.CorpusImport.problems": [_PROBLEM],
    "corpus.CorpusImport.sample": [{"key": str, "articles": int, "shown": [_SHOWN]}],
    "corpus.Dataset.criteria": dict,
    "corpus.Dataset.refinement": _or_empty({"classifier sha256": str, "threshold": _SHARE}),
    "corpus.Extraction.criteria": dict,
    "jobs.Job.counts": _map(_WHOLE),
    "jobs.Job.parameters": _job_parameters,
    "corpus.Lexicon.figures": _or_empty({"signatures": _map(str), "coverage?": [(int, float)]}),
    "corpus.Lexicon.parameters": _or_empty(
        {
            "ranks min_together": int,
            "min_score discount": float,
            "ranking": str,
            "without_function_words": bool,
            "language?": str,
        }
    ),
    "corpus.ProjectPreset.criteria": _FILLED,
    "corpus.Sentence.starts": [int],
}
"""By `app.Model.field`; a function makes the shape from the other values of the row."""

DESCRIPTION = Draft4Validator(
    schema_of(
        {
            "archive_version": Schema(),
            "project": {"slug": str, "created_by": Schema(_TYPES[str], minLength=1, maxLength=150)},
            "tables": _map({"rows": int, "sha256": str}),
            "files": _map({"sha256": str}),
        }
    )
)
"""Of `archive.json`."""

OF_KIND: Mapping[tuple[str, str], Shape] = {
    ("annotation.Answer.body", BatchKind.JUDGE): {"label": _or_null(Label)},
    ("annotation.Answer.body", BatchKind.LINK): {"submitted": bool, "links": _DRAWN_LINKS},
    ("annotation.Answer.body", BatchKind.SPLIT): dict,
    ("annotation.Decision.content", BatchKind.JUDGE): type(None),
    ("annotation.Decision.content", BatchKind.LINK): _LINKS,
    ("annotation.Decision.content", BatchKind.SPLIT): _NUMBERED_GROUPS,
}
"""Columns whose values differ by the kind of the batch."""


def _options(value: Any, row: Row) -> None:
    if "events" in value:
        EventSpec.from_json(value["events"])
    if value.get("story_model"):
        load_main_text_model(value["story_model"])


def _recipe(value: Any, row: Row) -> None:
    if value:
        Recipe.of(value)


def _job(value: Any, row: Row) -> None:
    if row["kind"] == "experiment":
        for settings in value["aligners"]:
            own = {name: one for name, one in settings.items() if name not in GOLD_KEYS}
            _recipe(own | {"aligner": own.get("aligner") or DEFAULT_ALIGNER}, row)
    elif row["kind"] == "extract" and "criteria" in value:
        Criteria(**value["criteria"])
    elif row["kind"] == "match":
        ProjectMatchingSpec.from_json(value["spec"])
    elif row["kind"] == "match-headlines":
        ProjectHeadlineSpec.from_json(value["spec"])
    elif row["kind"] == "match_texts":
        MatchingSpec.from_json(value["spec"])
    elif row["kind"] == "train-aligner" and "recipe" in value:
        Recipe.of(value["recipe"])


def _lexicon(value: Any, row: Row) -> None:
    LexiconSpec(kind=row["kind"], **{name: one for name, one in value.items() if name != "language"})


def _strategy(value: Any, row: Row) -> None:
    if value and row["kind"] == BatchKind.JUDGE:
        known = {name: one for name, one in value.items() if name in DrawSpec.model_fields}
        settings = DrawSpec.from_json(known).settings()
        if missing := sorted(settings.keys() - value.keys()):
            raise ValueError(f"{', '.join(missing)} missing")


def _starts(value: Any, row: Row) -> None:
    text, tokens = row["text"], row["tokens"].split(" ")
    if len(value) != len(tokens) or not all(map(text.startswith, tokens, value)):
        raise ValueError("they are not where the tokens are in the text")


def _as_many(value: Any, row: Row, column: str) -> None:
    if len(value) != len(row[column]):
        raise ValueError(f"they are {len(value):,}, but the {column} {len(row[column]):,}")


def _reasons(value: Any, row: Row) -> None:
    if value:
        _as_many(value, row, "links")


READ_BY: Mapping[str, Callable[[Any, Row], object]] = {
    "alignment.SuggestedLinks.reasons": _reasons,
    "alignment.ExperimentRow.parameters": _recipe,
    "alignment.TrainedAligner.parameters": lambda value, row: value and Recipe.of(value),
    "annotation.Batch.sampling": _strategy,
    "annotation.TrainedClassifier.parameters": lambda value, row: TrainingSpec.stored(value["spec"]),
    "corpus.CorpusImport.options": _options,
    "corpus.Dataset.criteria": lambda value, row: Selection.from_settings(value),
    "corpus.Extraction.criteria": lambda value, row: value and Criteria(**value),
    "jobs.Job.parameters": _job,
    "corpus.Lexicon.parameters": _lexicon,
    "corpus.ProjectPreset.criteria": lambda value, row: value and Criteria(**value),
    "corpus.Sentence.starts": _starts,
}
"""What reads a value whose schema holds, raising ValueError, TypeError or KeyError for one that cannot be."""


@cache
def _validator(label: str, kind: str = "") -> Draft4Validator:
    """The validator of a column, or of its values in batches of a kind."""
    return Draft4Validator(schema_of(OF_KIND[label, kind] if kind else SCHEMAS[label]))


def check_of_kind(label: str, kind: str, value: Any) -> None:
    """Raise ValueError when a value of the column `app.Model.field` cannot be one in a batch of this kind."""
    check(label.rpartition(".")[2], _validator(label, kind), value)


def check(column: str, validator: Draft4Validator, value: Any) -> None:
    """Raise ValueError, naming the place within the column, for a value of another shape."""
    error = next(validator.iter_errors(value), None)
    if error is not None:
        place = "".join(f"[{part!r}]" for part in error.instance_path)
        raise ValueError(f"{column}{shortened(place)} cannot be this: {shortened(error.message, 120)}")


def check_json(label: str, value: Any, row: Row) -> None:
    """Raise ValueError, naming the column, when a value cannot be one of the column `app.Model.field`.

    `row` has the other values of its row, by attribute. Only values from JSON may be given.
    """
    column = label.rpartition(".")[2]
    shape = SCHEMAS[label]
    by_row = isinstance(shape, FunctionType)
    check(column, Draft4Validator(schema_of(shape(row))) if by_row else _validator(label), value)
    if value is not None and label in READ_BY:
        try:
            READ_BY[label](value, row)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"{column} cannot be this: {shortened(str(error), 120)}") from error
