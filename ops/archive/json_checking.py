"""Whether a value from an archive can be one of its JSON column: by the schema, and by what reads it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from jsonschema_rs import Draft4Validator

from annotation.models import BatchKind
from corpus.specs import LexiconSpec, ProjectHeadlineSpec, ProjectMatchingSpec
from paragold.aligners.registry import Recipe
from paragold.events.settings import EventSpec
from paragold.extraction.criteria import Criteria
from paragold.extraction.selection import Selection
from paragold.sampling.strategy import DrawSpec
from paragold.sources.pages.main_text_model import load_main_text_model
from paragold.sources.pages.marking import blocks_from, blocks_sha256
from paragold.text.quoting import shortened

from .json_columns import ANSWERS, SCHEMAS, Row


def _criteria(value: Any, row: Row) -> None:
    if value:
        Criteria(**value)


def _options(value: Any, row: Row) -> None:
    if "events" in value:
        EventSpec.from_json(value["events"])
    if value.get("story_model"):
        load_main_text_model(value["story_model"])


def _job(value: Any, row: Row) -> None:
    if row["kind"] == "extract" and "criteria" in value:
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
    "alignment.TrainedAligner.parameters": lambda value, row: Recipe.of(value),
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
def _validator(label: str) -> Draft4Validator:
    return _compiled(SCHEMAS[label])


def _compiled(schema: Any) -> Draft4Validator:
    return Draft4Validator(schema)


@cache
def _answer_validator(kind: str) -> Draft4Validator:
    return _compiled(ANSWERS[kind])


def check_answer(kind: str, body: Any) -> None:
    """Raise ValueError when an answer's body is not one of a batch of this kind."""
    _check("body", _answer_validator(kind), body)


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
    _check(column, _compiled(schema(row)) if callable(schema) else _validator(label), value)
    if value is not None and label in READ_BY:
        try:
            READ_BY[label](value, row)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"{column} cannot be this: {shortened(str(error), 120)}") from error
