import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from jsonschema_rs import Draft202012Validator

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
OPTIONAL = {
    "source": st.none() | STRINGS,
    "url": st.none() | STRINGS,
    "published": st.none() | st.just("") | PUBLISHED,
    "title": st.none() | STRINGS,
    "language": st.none() | STRINGS | st.integers(-9, 9) | st.sampled_from(["en", "nl", "de-AT"]),
}
EXTRA = st.dictionaries(
    KEYS.map(lambda key: f"x-{key}"), st.none() | st.booleans() | STRINGS | st.integers(-9, 9), max_size=2
)


@st.composite
def articles(draw, key):
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
def lines(draw):
    key = draw(KEYS)
    if draw(st.booleans()):
        return {"cluster_id": key} | draw(articles(draw(KEYS)))
    value = {"cluster_id": key} | draw(EXTRA)
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


def problems(value):
    _, reader = read_bytes(json.dumps(value, ensure_ascii=False).encode())
    return [problem.message for problem in reader.problems]


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(lines())
def test_what_the_schema_allows_is_read(value):
    VALIDATOR.validate(value)
    assert problems(value) == []


def test_the_examples_of_the_documentation_are_valid():
    page = (FORMATS / "articles.md").read_text(encoding="utf-8")
    examples = [line for line in page.splitlines() if line.startswith("{")]
    assert len(examples) >= 4
    for line in examples:
        VALIDATOR.validate(json.loads(line))
    clusters, reader = read_bytes("\n".join(examples).encode())
    assert reader.problems == []
    assert len(clusters) >= 3


A = {"id": "a", "text": "A."}


def of_article(**fields):
    return {"cluster_id": "c", "id": "a", **fields}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "not an object"),
        ({}, "cluster_id is missing"),
        ({"cluster_id": "a\tb", "articles": [A]}, "line ends or control characters"),
        ({"cluster_id": "c" * 201, "articles": [A]}, "at most 200 characters"),
        ({"cluster_id": "c", "articles": []}, "No article of the file has a sentence"),
        ({"cluster_id": "c", "articles": ["A."]}, "must be an object"),
        (
            {"cluster_id": "c", "articles": [A], "tokenised": True},
            '"tokenised" is true, but the article has "text"',
        ),
        (of_article(), "it has none of them"),
        (of_article(text=" \u00a0\n"), "No article"),
        (of_article(text="A.", sentences=["A."]), 'it has "text" and "sentences"'),
        (of_article(sentences=["A" + " " * 100_000 + "."]), "has 100,002 characters; the limit is 100,000"),
        (of_article(text="A.", title=True), "title should be a valid string"),
        (of_article(text="A.", url="u" * 2_001), "url should have at most 2000 characters"),
        (of_article(text="A.", published="31 August 2004"), "published: it is not an ISO 8601 date"),
    ],
)
def test_what_the_schema_refuses_is_refused_with_the_reason(value, message):
    assert not VALIDATOR.is_valid(value)
    [problem] = problems(value)
    assert message in problem
