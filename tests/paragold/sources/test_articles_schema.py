import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator, meta

from .lines import read_bytes

FORMATS = Path(__file__).resolve().parents[3] / "docs" / "formats"
SCHEMA = json.loads((FORMATS / "articles.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)

CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
STRINGS = st.text(CHARACTERS, max_size=60)
CONTENT = STRINGS.filter(str.strip)
KEYS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=20).filter(
    lambda key: key == key.strip()
)
PUBLISHED = st.one_of(
    st.dates().map(str), st.datetimes().map(str), st.datetimes().map(lambda time: f"{time.isoformat()}Z")
)
OPTIONAL: dict[str, st.SearchStrategy[Any]] = {
    "source": st.none() | STRINGS,
    "url": st.none() | STRINGS,
    "published": st.none() | st.just("") | PUBLISHED,
    "title": st.none() | STRINGS,
}
EXTRA = st.dictionaries(
    KEYS.map(lambda key: f"x-{key}"), st.none() | st.booleans() | STRINGS | st.integers(-9, 9), max_size=2
)


@st.composite
def articles(draw: st.DrawFn, key: str) -> dict[str, Any]:
    content = draw(
        st.one_of(
            st.fixed_dictionaries({"text": CONTENT}, optional={"tokenised": st.just(False)}),
            st.fixed_dictionaries({"paragraphs": st.lists(STRINGS, max_size=3)}).filter(
                lambda value: any(map(str.strip, value["paragraphs"]))
            ),
            st.fixed_dictionaries(
                {"sentences": st.lists(STRINGS, min_size=1, max_size=4)},
                optional={"tokenised": st.booleans()},
            ).filter(lambda value: any(map(str.strip, value["sentences"]))),
        )
    )
    return draw(EXTRA) | {"id": key} | draw(st.fixed_dictionaries({}, optional=OPTIONAL)) | content


@st.composite
def lines(draw: st.DrawFn) -> dict[str, Any]:
    key = draw(KEYS)
    if draw(st.booleans()):
        return {"cluster_id": key} | draw(articles(draw(KEYS)))
    value: dict[str, Any] = {"cluster_id": key} | draw(EXTRA)
    if draw(st.booleans()):
        value["tokenised"] = draw(st.booleans())
    value["articles"] = [
        draw(articles(each)) for each in draw(st.lists(KEYS, min_size=1, max_size=4, unique=True))
    ]
    if value.get("tokenised"):
        for article in value["articles"]:
            if "sentences" not in article:
                article["tokenised"] = False
    return value


def problems(value: Any) -> list[str]:
    _, reader = read_bytes(json.dumps(value, ensure_ascii=False).encode())
    return [problem.message for problem in reader.problems]


def test_the_schema_is_a_schema() -> None:
    meta.validate(SCHEMA)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(lines())
def test_what_the_schema_allows_is_read(value: dict[str, Any]) -> None:
    VALIDATOR.validate(value)
    assert problems(value) == []


def test_the_examples_of_the_documentation_are_valid() -> None:
    page = (FORMATS / "articles.md").read_text(encoding="utf-8")
    examples = [line for line in page.splitlines() if line.startswith("{")]
    assert len(examples) >= 4
    for line in examples:
        VALIDATOR.validate(json.loads(line))
    clusters, reader = read_bytes("\n".join(examples).encode())
    assert reader.problems == []
    assert len(clusters) >= 3


A = {"id": "a", "text": "A."}


@pytest.mark.parametrize(
    "value",
    [
        [],
        "text",
        {},
        {"cluster_id": "c"},
        {"cluster_id": "", "articles": [A]},
        {"cluster_id": 7, "articles": [A]},
        {"cluster_id": " c", "articles": [A]},
        {"cluster_id": "c\n", "articles": [A]},
        {"cluster_id": "a\tb", "articles": [A]},
        {"cluster_id": "c" * 201, "articles": [A]},
        {"cluster_id": "c", "articles": []},
        {"cluster_id": "c", "articles": A},
        {"cluster_id": "c", "articles": ["A."]},
        {"cluster_id": "c", "articles": [A], "tokenised": "true"},
        {"cluster_id": "c", "articles": [A], "tokenised": True},
        {"cluster_id": "c", "text": "A."},
        {"cluster_id": "c", "id": "a"},
        {"cluster_id": "c", "id": None, "text": "A."},
        {"cluster_id": "c", "id": "a", "text": ""},
        {"cluster_id": "c", "id": "a", "text": " \u00a0\n"},
        {"cluster_id": "c", "id": "a", "text": "\0"},
        {"cluster_id": "c", "id": "a", "text": None},
        {"cluster_id": "c", "id": "a", "text": "A.", "sentences": ["A."]},
        {"cluster_id": "c", "id": "a", "text": "A.", "tokenised": True},
        {"cluster_id": "c", "id": "a", "paragraphs": []},
        {"cluster_id": "c", "id": "a", "paragraphs": [""]},
        {"cluster_id": "c", "id": "a", "paragraphs": ["A.", 1]},
        {"cluster_id": "c", "id": "a", "paragraphs": "A."},
        {"cluster_id": "c", "id": "a", "sentences": []},
        {"cluster_id": "c", "id": "a", "sentences": [" "]},
        {"cluster_id": "c", "id": "a", "sentences": ["A.", 1]},
        {"cluster_id": "c", "id": "a", "sentences": [["A", "."]]},
        {"cluster_id": "c", "id": "a", "sentences": ["A." + " " * 100_000]},
        {"cluster_id": "c", "id": "a", "text": "A.", "title": 1},
        {"cluster_id": "c", "id": "a", "text": "A.", "title": "t" * 1_001},
        {"cluster_id": "c", "id": "a", "text": "A.", "source": "s" * 201},
        {"cluster_id": "c", "id": "a", "text": "A.", "url": "u" * 2_001},
        {"cluster_id": "c", "id": "a", "text": "A.", "published": "31 August 2004"},
        {"cluster_id": "c", "id": "a", "text": "A.", "published": "2004-08"},
    ],
)
def test_what_the_schema_refuses_is_refused(value: Any) -> None:
    assert not VALIDATOR.is_valid(value)
    assert problems(value)
