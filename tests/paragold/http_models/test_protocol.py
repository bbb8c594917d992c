"""The documented protocol is the one that is spoken: schema, examples, requests."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator
from pydantic.json_schema import models_json_schema

from paragold.http_models.client import Health, Links, Scores, Session
from tests.model_server import ModelServer

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "models-over-http.md").read_text(encoding="utf-8")
SCHEMA = json.loads((DOCS / "formats/http-model.schema.json").read_text(encoding="utf-8"))
EXAMPLES = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
ANSWERS = (Health, Links, Scores)


def check(message: Any, name: str) -> None:
    Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{name}"}).validate(message)


def test_the_schema_of_answers_is_that_of_the_code() -> None:
    _, expected = models_json_schema([(answer, "validation") for answer in ANSWERS])
    for answer in ANSWERS:
        assert SCHEMA["$defs"][answer.__name__] == expected["$defs"][answer.__name__]


@pytest.mark.parametrize(
    ("example", "name"), list(zip(EXAMPLES, ("Health", "Request", "Links", "Scores"), strict=True))
)
def test_examples_of_the_documentation(example: Any, name: str) -> None:
    check(example, name)
    for answer in ANSWERS:
        if answer.__name__ == name:
            assert answer.model_validate_json(json.dumps(example)).model_dump(mode="json") == example


def test_what_is_sent_has_the_schema(server: ModelServer) -> None:
    session = Session(server.model())
    session.score([(["é", "\ud800"], ["a"])] * 2 + [([], ["b"])])
    session.align([(["a"], ["a"])])
    bodies = [body for path, body in server.asked if path != "/health"]
    assert len(bodies) == 2
    for body in bodies:
        check(body, "Request")
