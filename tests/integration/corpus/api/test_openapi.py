"""docs/openapi.yaml is what the code says, and the code says it of every endpoint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import URLPattern, URLResolver, get_resolver

import config.api
from tests.integration.permissions.people import People

DOCS = Path(__file__).resolve().parents[4] / "docs"
COMMAND = "python manage.py spectacular --validate --fail-on-warn --file docs/openapi.yaml"


def generated(folder: Path) -> str:
    path = folder / "openapi.yaml"
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(path))
    return path.read_text()


def test_the_description_is_up_to_date(tmp_path: Path) -> None:
    same = generated(tmp_path) == (DOCS / "openapi.yaml").read_text()
    assert same, f"docs/openapi.yaml is out of date; run `{COMMAND}`"


def test_every_endpoint_is_documented(tmp_path: Path) -> None:
    def routes(patterns: list[Any], prefix: str = "") -> list[str]:
        found = []
        for pattern in patterns:
            here = prefix + str(pattern.pattern)
            found += routes(pattern.url_patterns, here) if isinstance(pattern, URLResolver) else [here]
        return found

    text = generated(tmp_path)
    guide = (DOCS / "api.md").read_text()
    for route in routes(config.api.urlpatterns):
        if route == "schema/":
            continue
        address = (
            route.replace("<slug:slug>", "{slug}")
            .replace("<int:pk>", "{id}")
            .replace("<str:token>", "{token}")
        )
        assert f"  /api/v1/{address}:\n" in text
        assert f"`{address}`" in guide, f"docs/api.md says nothing of {address}"


def test_whoever_is_logged_in_can_fetch_it(people: People) -> None:
    answer = people.client("viewer").get("/api/v1/schema/")
    assert answer.status_code == 200
    assert answer.content.decode().startswith("openapi: 3.")
    assert people.client("anonymous").get("/api/v1/schema/").status_code == 401


@pytest.mark.parametrize("pattern", [p for p in get_resolver().url_patterns if isinstance(p, URLPattern)])
def test_the_api_lies_below_its_version(pattern: URLPattern) -> None:
    assert not str(pattern.name).startswith("api-")
