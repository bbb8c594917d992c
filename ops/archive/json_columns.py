"""What each JSON column of an archive may hold: its schema, and what reads the value.

An archive may be written on purpose: what a page could not show is refused before it is stored. Every JSON
column of the tables is named here; a test holds this to the models.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from jsonschema_rs import Draft4Validator

from alignment.models import Origin, Strength
from annotation.models import BatchKind, Label
from corpus.specs import LexiconSpec, ProjectHeadlineSpec, ProjectMatchingSpec
from paragold.aligners.registry import DEFAULT_ALIGNER, Recipe
from paragold.events.settings import EventSpec
from paragold.extraction.criteria import Criteria
from paragold.extraction.selection import Selection
from paragold.problems import shortened
from paragold.sampling.strategy import REJECTED, DrawSpec
from paragold.sources.pages.main_text_model import load_main_text_model
from paragold.sources.pages.marking import blocks_from, blocks_sha256

from .tables import Row

Schema = dict[str, Any]

# Draft 4: there 1.0 is no integer, as in Python.
BOOLEAN: Schema = {"type": "boolean"}
WHOLE: Schema = {"type": "integer", "minimum": -(2**53), "maximum": 2**53}
COUNT: Schema = {"type": "integer", "minimum": 0, "maximum": 2**53}
# Far beyond any figure, and safe to multiply.
NUMBER: Schema = {"type": "number", "minimum": -1e15, "maximum": 1e15}
TEXT: Schema = {"type": "string"}


def _list(items: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": items, **more}


def _row(*items: Schema) -> Schema:
    """A list of exactly these."""
    return {"type": "array", "items": list(items), "minItems": len(items), "maxItems": len(items)}


def _object(needed: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """Other keys may be there: nothing reads them."""
    properties = {"type": "object", "properties": {**needed, **(optional or {})}}
    return properties | ({"required": sorted(needed)} if needed else {})


def _map(values: Schema, **more: Any) -> Schema:
    return {"type": "object", "additionalProperties": values, **more}


def _each(schema: Schema, *names: str) -> dict[str, Schema]:
    """The same for several keys."""
    return dict.fromkeys(names, schema)


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _or_empty(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "object", "maxProperties": 0}]}


def _counts(*needed: str) -> Schema:
    return _map(COUNT, **({"required": list(needed)} if needed else {}))


_SHARE = _or_null(NUMBER)
# Of a row that may have been deleted since.
_ID = _or_null(WHOLE)
_INTERVAL = _or_null(_row(NUMBER, NUMBER))
_ESTIMATES = _map(_object({"value": _SHARE, "items": COUNT, "undefined_because": TEXT}))
_STRENGTH: Schema = {"enum": Strength.values}
_LINKS = _list(_row(COUNT, COUNT, _STRENGTH))
_DRAWN_LINKS = _list(_row(COUNT, COUNT, _STRENGTH, {"enum": Origin.values}))
_SAID = {"annotator": TEXT, "comment": TEXT, "flagged": BOOLEAN, "at": TEXT}
_DECIDED = {"adjudicator": TEXT, "comment": TEXT, "at": TEXT}
_GROUPS = _list(_list(TEXT, minItems=1))
_NUMBERED_GROUPS = _list(_list(COUNT, minItems=1))
_RATES = {"precision": _SHARE, "recall": _SHARE, "aer": _SHARE}
_SCORED = _RATES | {"aer_interval": _INTERVAL}
_SCORE = _object(_SCORED)
_COUNTED_SCORE = _object(_SCORED | _each(COUNT, "pairs", "links", "sure"))
_WORDS = ("all", "identical", "non_identical")
_SCORES = _object(_each(_SCORE, *_WORDS))
_COMPARED = _or_null(_object({"best": WHOLE, "others": _map(_or_null(_object({"p": NUMBER})))}))
_MEASURES = _object(
    {
        **_each(COUNT, "true_positive", "false_positive", "false_negative", "true_negative"),
        **_each(NUMBER, "accuracy", "error", "precision", "recall", "f", "majority_error"),
        "intervals": _object(_each(_row(NUMBER, NUMBER), "error", "precision", "recall", "f")),
    }
)
# The error rate of an aligner that was trained on some pairs.
_ALIGNED = _object(
    {"pairs": COUNT, "aer": _SHARE, "interval": {"anyOf": [_row(NUMBER, NUMBER), {"enum": [None, []]}]}},
    {"aligner": TEXT},
)
_ROUND = _object({"round": COUNT, "added": NUMBER, "paraphrases": NUMBER, "measures": _MEASURES})
_STEP = _object(
    _each(NUMBER, "probability", "precision", "recall", "f", "kept_share"),
    {"projected_yield": _or_null(COUNT)},
)
_BIN = _object(_each(NUMBER, "low", "high", "mean_probability", "share_positive") | {"count": COUNT})
_TRAINED = _object(
    {
        **_each(COUNT, "pairs", "paraphrases", "groups", "features"),
        "classes": _list(TEXT),
        "weights": _list(_row(TEXT, NUMBER)),
        "measures": _MEASURES,
        "calibration": _object({"brier": NUMBER, "expected_error": NUMBER, "bins": _list(_BIN)}),
        "thresholds": _list(_STEP),
        "c": NUMBER,
        "errors_by_c": _list(_row(NUMBER, NUMBER)),
        "out_of_fold": _list(_row(COUNT, BOOLEAN, NUMBER)),
        "lexicons": _map(TEXT),
    },
    {
        "curve": _list(_object({"pairs": COUNT}, {"measures": _MEASURES})),
        "ablation": _list(
            {
                "anyOf": [
                    _object(
                        {"name": TEXT, "measures": _MEASURES, "dimensions": NUMBER}, {"aligned": _ALIGNED}
                    ),
                    _object({"name": TEXT, "problem": TEXT}),
                ]
            }
        ),
        "random_folds": _object({}, {"measures": _MEASURES}),
        "bootstrap": _object({"dataset": TEXT, "rounds": _list(_ROUND)}),
        "unrefined": _object({"dataset": TEXT, "gold": TEXT}, _ALIGNED["properties"]),
    },
)
# Its parameters are read by `Recipe.of`.
_RECIPE = _object({"aligner": TEXT})
_BEST = _object(_each(NUMBER, "threshold", "precision", "recall", "f", "row_f"))
_CURVE = _list({"type": "array", "items": NUMBER, "minItems": 8, "maxItems": 8})
_STUDY = _object(
    {
        "quality": _map(
            _object(
                {
                    **_each(_CURVE, "curve", "one_partner"),
                    **_each(_BEST, "best", "best_by_rows", "best_one_partner", "paper_one_partner"),
                }
            )
        ),
        "scatter": _map(
            _object({"points": _list(_row(NUMBER, NUMBER))} | _each(_SHARE, "bias", "deviation", "expected"))
        ),
        "times": _map(_list(_row(COUNT, NUMBER))),
        "key": _object({"pairs": COUNT, "rows": COUNT}),
    }
)
_STRATUM = _object(
    {"stratum": {"type": "string", "not": {"enum": [REJECTED]}}, "drawn": COUNT, "pairs": COUNT}
)
_REJECTED = _object(
    {"stratum": TEXT, "drawn": COUNT, "sentence_pairs": COUNT, "looked_at": COUNT | {"minimum": 1}}
)
_SAMPLED = _object(
    {"clusters": TEXT, "again": BOOLEAN, "signature": TEXT},
    {
        "by": TEXT,
        "allocation": TEXT,
        "per_cluster": _or_null(COUNT),
        "rejected": COUNT,
        "audit": COUNT,
        "run": _or_null(WHOLE),
        "paraphrases_of": TEXT,
        "strata": _list({"anyOf": [_STRATUM, _REJECTED]}),
    },
)
_DRAWN = _object({"by": TEXT, "per_cluster": {}, "rejected": {}})
_SPLIT = _object({"headlines_drawn": COUNT, "clusters_drawn": COUNT})
_PROBLEM = _object(
    {"line": COUNT, "column": _or_null(COUNT), "message": TEXT, "remedy": TEXT}, {"file": TEXT}
) | {"additionalProperties": False}
_SHOWN = _object(
    {"key": TEXT, "title": TEXT, "source": TEXT, "published": TEXT, "sentences": _list(_list(TEXT))}
)
_NEAR = _object(
    {"pairs": COUNT, "clusters": COUNT, "articles": COUNT, "shown": _list(_row(TEXT, TEXT, TEXT, NUMBER))}
)
_OPTIONS = _object(
    {},
    {
        **_each(TEXT, "format", "encoding"),
        "mapping": _map(TEXT),
        "story_model": _or_null(TEXT),
        "events": {"type": "object"},
        "no_main_text": BOOLEAN,
    },
)
_JOBS: Mapping[str, Schema] = {
    "extract": _object({}, {"criteria": {"type": "object"}}),
    "match": _object({"spec": {"type": "object"}}),
    "match-headlines": _object({"spec": {"type": "object"}}),
    "suggest": _object({"batch": _ID, "setting": TEXT}),
    "train-aligner": _object({}, {"recipe": _RECIPE}),
    "align": _object({"trained": _ID}),
    "address-list": _object(
        {}, {"problems": _list(_PROBLEM), **_each(TEXT, "refused", "filename", "encoding")}
    ),
    "study_matching": _object({"methods": _list(TEXT)}),
    "experiment": _object({"aligners": _list(_object({}, {"aligner": TEXT}))}),
}


def _job_parameters(row: Row) -> Schema:
    work = _object({"expected": {"type": "number", "minimum": 0, "maximum": 2**53}, "how": TEXT})
    own = {"units": TEXT, "chunk_seconds": COUNT, "work": work}
    return {"allOf": [_object({}, own), _JOBS.get(row["kind"], {"type": "object"})]}


def _classifier_figures(row: Row) -> Schema:
    return _TRAINED if row["model"] is not None else _or_empty(_object({}, _TRAINED["properties"]))


def _study_figures(row: Row) -> Schema:
    # Its texts are forgotten when all is measured.
    return _STUDY if row["texts"] is None else _object({}, _STUDY["properties"])


def _sampling(row: Row) -> Schema:
    own = _SPLIT if row["kind"] == "split" else _DRAWN
    return _or_empty({"allOf": [_SAMPLED, own]})


SCHEMAS: Mapping[str, Schema | Callable[[Row], Schema]] = {
    "alignment.Alignment.null_a": _list(COUNT),
    "alignment.Alignment.null_b": _list(COUNT),
    "alignment.Evaluation.scores": _object(_each(_COUNTED_SCORE, *_WORDS)),
    "alignment.Experiment.comparisons": _map(_object(_each(_COMPARED, *_WORDS))),
    "alignment.ExperimentCell.counts": _object(_each(_list(_row(*[COUNT] * 4)), *_WORDS)),
    "alignment.ExperimentCell.links": _list({"type": "string", "pattern": r"^(\d+-\d+( \d+-\d+)*)?$"}),
    "alignment.ExperimentCell.scores": _SCORES,
    "alignment.ExperimentRow.parameters": _or_empty(_RECIPE),
    "alignment.Export.manifest": _object(
        {"files": _map(_object({"bytes": COUNT, "sha256": TEXT}))},
        {
            "counts": {"type": "object"},
            "details": _object({}, _each(_object({}, {"gold_set": TEXT}), "judgements", "links")),
        },
    ),
    "alignment.GoldAlignment.adjudication": _or_null(_object(_DECIDED)),
    "alignment.GoldAlignment.links": _LINKS,
    "alignment.GoldAlignment.versions": _list(
        _object(_SAID | {"links": _DRAWN_LINKS, "null_a": _list(COUNT), "null_b": _list(COUNT)})
    ),
    "alignment.GoldAlignmentSet.agreement": _object({"measure": TEXT, "value": _SHARE, "pairs": COUNT}),
    "alignment.GoldAlignmentSet.counts": _counts(
        "items", "not_linked_by_all", "pairs", "sure", "possible_only"
    ),
    "alignment.GoldAlignmentSet.lineage": _object(
        {"batch": TEXT, "pairs": _map(TEXT)},
        {"origins": _counts(), "suggested_by": _counts(), "links": _map(TEXT)},
    ),
    "alignment.SuggestedLinks.links": _list(_row(COUNT, COUNT)),
    "alignment.SuggestedLinks.reasons": _list(TEXT),
    "alignment.TrainedAligner.held_out": _map({"type": "object"}),
    "alignment.TrainedAligner.iterations": _list(
        _object({"model": TEXT, "forward": NUMBER, "backward": NUMBER})
    ),
    "alignment.TrainedAligner.learning_curve": _list(_object({"pairs": COUNT, "scores": _SCORES})),
    "alignment.TrainedAligner.parameters": _RECIPE,
    "annotation.Answer.body": {"type": "object", "minProperties": 1},
    "annotation.Answer.response": _object({"version": COUNT, "done": COUNT, "total": COUNT}),
    "annotation.Batch.sampling": _sampling,
    "annotation.Decision.content": {"anyOf": [{"enum": [None]}, _LINKS, _NUMBERED_GROUPS]},
    "annotation.GoldJudgement.adjudication": _or_null(_object(_DECIDED | {"label": {"enum": Label.values}})),
    "annotation.GoldJudgement.votes": _list(
        _object(
            _SAID | {"label": {"enum": [None, *Label.values]}, "skipped": BOOLEAN}, {"milliseconds": COUNT}
        )
    ),
    "annotation.GoldSet.agreement": _ESTIMATES,
    "annotation.GoldSet.counts": _counts("items", "pairs", "judgements_missing", "waiting_for_adjudicator"),
    "annotation.GoldSubclusterSet.agreement": _object(
        _each(_SHARE, "adjusted_rand", "precision", "recall", "f1")
        | _each(COUNT, "together", "first", "second", "pairs", "clusters")
    ),
    "annotation.GoldSubclusterSet.counts": _counts("items", "clusters"),
    "annotation.GoldSubclusterSet.lineage": _object({"batch": TEXT, "sampling": {"type": "object"}}),
    "annotation.GoldSubclusters.adjudication": _or_null(_object(_DECIDED)),
    "annotation.GoldSubclusters.subclusters": _GROUPS,
    "annotation.GoldSubclusters.versions": _list(_object(_SAID | {"subclusters": _GROUPS})),
    "annotation.SecondPass.after": _or_null(_ESTIMATES),
    "annotation.SecondPass.before": _ESTIMATES,
    "annotation.TrainedClassifier.figures": _classifier_figures,
    "annotation.TrainedClassifier.notes": _list(TEXT),
    "annotation.TrainedClassifier.parameters": _object(
        {"classes": _list(TEXT), "language": TEXT, "with_audit": BOOLEAN},
        {"c": _or_null(NUMBER), "seed": COUNT, "folds": COUNT},
    ),
    "corpus.CorpusImport.counts": _counts(),
    "corpus.CorpusImport.near": _or_empty(_NEAR),
    "corpus.CorpusImport.notes": _list(TEXT),
    "corpus.CorpusImport.options": _OPTIONS,
    "corpus.CorpusImport.problems": _list(_PROBLEM),
    "corpus.CorpusImport.sample": _list(_object({"key": TEXT, "articles": COUNT, "shown": _list(_SHOWN)})),
    "corpus.Dataset.criteria": {"type": "object"},
    "corpus.Dataset.refinement": _or_empty(
        _object({"classifier": TEXT, "sha256": TEXT, "threshold": NUMBER})
    ),
    "corpus.Extraction.criteria": {"type": "object"},
    "jobs.Job.counts": _map(WHOLE),
    "jobs.Job.parameters": _job_parameters,
    "corpus.Lexicon.figures": _or_empty(
        _object({"signatures": _map(TEXT)}, {"coverage": _list(_row(COUNT, NUMBER))})
    ),
    "corpus.Lexicon.parameters": _or_empty(
        _object({"ranks": COUNT, "min_together": COUNT, "min_score": NUMBER}, {"language": TEXT})
    ),
    "corpus.MarkedPage.blocks": _list(_row(TEXT, _list(TEXT), TEXT, COUNT)),
    "corpus.MarkedPage.marks": _list(BOOLEAN),
    "corpus.MatchingStudy.figures": _study_figures,
    "corpus.MatchingStudy.parameters": _object(
        {
            **_each(_list(TEXT), "methods", "stop_words", "files"),
            "seed": WHOLE,
            "key": TEXT,
            "texts": _list(COUNT),
        }
    ),
    "corpus.ProjectPreset.criteria": {"type": "object", "minProperties": 1},
    "corpus.Sentence.starts": _list(COUNT),
    "corpus.TrainedStoryModel.figures": _or_empty(_object(_each(NUMBER, "precision", "recall", "f"))),
    "corpus.TrainedStoryModel.numbers": {"type": "object", "minProperties": 1},
}
"""By `app.Model.field`; a function makes the schema from the other values of the row."""

OF_KIND: Mapping[tuple[str, str], Schema] = {
    ("annotation.Answer.body", BatchKind.JUDGE): _object({"label": {"enum": [None, *Label.values]}}),
    ("annotation.Answer.body", BatchKind.LINK): _object({"submitted": BOOLEAN, "links": _DRAWN_LINKS}),
    ("annotation.Answer.body", BatchKind.SPLIT): {"type": "object"},
    ("annotation.Decision.content", BatchKind.JUDGE): {"enum": [None]},
    ("annotation.Decision.content", BatchKind.LINK): _LINKS,
    ("annotation.Decision.content", BatchKind.SPLIT): _NUMBERED_GROUPS,
}
"""Columns whose values differ by the kind of the batch."""


def _recipe(value: Any, row: Row) -> None:
    if value:
        Recipe.of(value)


def _criteria(value: Any, row: Row) -> None:
    if value:
        Criteria(**value)


def _options(value: Any, row: Row) -> None:
    if "events" in value:
        EventSpec.from_json(value["events"])
    if value.get("story_model"):
        load_main_text_model(value["story_model"])


def _job(value: Any, row: Row) -> None:
    if row["kind"] == "experiment":
        for settings in value["aligners"]:
            own = {name: one for name, one in settings.items() if name != "taught_by"}
            Recipe.of(own | {"aligner": own.get("aligner") or DEFAULT_ALIGNER})
    elif row["kind"] == "extract" and "criteria" in value:
        Criteria(**value["criteria"])
    elif row["kind"] == "match":
        ProjectMatchingSpec.from_json(value["spec"])
    elif row["kind"] == "match-headlines":
        ProjectHeadlineSpec.from_json(value["spec"])
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


def _reasons(value: Any, row: Row) -> None:
    if value and len(value) != len(row["links"]):
        raise ValueError(f"they are {len(value):,}, but the links {len(row['links']):,}")


def _blocks(value: Any, row: Row) -> None:
    if blocks_sha256(blocks_from(value)) != row["sha256"]:
        raise ValueError("their sha256 is not that of the page")


def _marks(value: Any, row: Row) -> None:
    if len(value) != len(row["blocks"]):
        raise ValueError(f"they are {len(value):,}, but the blocks {len(row['blocks']):,}")


READ_BY: Mapping[str, Callable[[Any, Row], object]] = {
    "alignment.SuggestedLinks.reasons": _reasons,
    "alignment.ExperimentRow.parameters": _recipe,
    "alignment.TrainedAligner.parameters": _recipe,
    "annotation.Batch.sampling": _strategy,
    "corpus.CorpusImport.options": _options,
    "corpus.Dataset.criteria": lambda value, row: Selection.from_settings(value),
    "corpus.Extraction.criteria": _criteria,
    "jobs.Job.parameters": _job,
    "corpus.Lexicon.parameters": _lexicon,
    "corpus.MarkedPage.blocks": _blocks,
    "corpus.MarkedPage.marks": _marks,
    "corpus.ProjectPreset.criteria": _criteria,
    "corpus.Sentence.starts": _starts,
    "corpus.TrainedStoryModel.numbers": lambda value, row: load_main_text_model(json.dumps(value)),
}
"""What reads a value whose schema holds, raising ValueError, TypeError or KeyError for one that cannot be."""


@cache
def _validator(label: str, kind: str = "") -> Draft4Validator:
    """That of a column, or of its values in batches of a kind."""
    schema: Any = OF_KIND[label, kind] if kind else SCHEMAS[label]
    return Draft4Validator(schema)


def check_of_kind(label: str, kind: str, value: Any) -> None:
    """Raise ValueError when a value of the column `app.Model.field` cannot be one in a batch of this kind."""
    _check(label.rpartition(".")[2], _validator(label, kind), value)


def _check(column: str, validator: Draft4Validator, value: Any) -> None:
    error = next(validator.iter_errors(value), None)
    if error is not None:
        place = "".join(f"[{part!r}]" for part in error.instance_path)
        raise ValueError(f"{column}{shortened(place)} cannot be this: {shortened(error.message, 120)}")


def check_json(label: str, value: Any, row: Row) -> None:
    """Raise ValueError, naming the column, when a value cannot be one of the column `app.Model.field`.

    `row` has the other values of its row, by attribute. Only values from JSON may be given.
    """
    column = label.rpartition(".")[2]
    schema = SCHEMAS[label]
    _check(column, Draft4Validator(schema(row)) if callable(schema) else _validator(label), value)
    if value is not None and label in READ_BY:
        try:
            READ_BY[label](value, row)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"{column} cannot be this: {shortened(str(error), 120)}") from error
