"""The documented protocol is the one that is spoken: schema, examples, reference server."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jsonschema_rs import Draft202012Validator
from pydantic.json_schema import models_json_schema

from paragold.http_models.client import Health, Links, Request, Scores

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "models-over-http.md").read_text(encoding="utf-8")
SCHEMA = DOCS / "formats/http-model.schema.json"
EXAMPLES = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
MESSAGES = (Health, Request, Links, Scores)


def test_the_schema_is_that_of_the_code() -> None:
    _, schema = models_json_schema(
        [(message, "validation") for message in MESSAGES],
        title="Messages of a model over HTTP",
        description="Bodies of GET health, of requests to POST align and POST score, and of their answers.",
    )
    expected = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
    written = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert written == expected, f"Write this into {SCHEMA}:\n{json.dumps(expected, indent=2)}"


@pytest.mark.parametrize(("example", "message"), list(zip(EXAMPLES, MESSAGES, strict=True)))
def test_examples_of_the_documentation(example: dict, message: type) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator({**schema, "$ref": f"#/$defs/{message.__name__}"}).validate(example)
    assert message.model_validate_json(json.dumps(example)).model_dump(mode="json") == example
