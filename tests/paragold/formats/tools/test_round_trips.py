import json
import re
import zipfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from paragold.formats.judgement_files import JUDGEMENT_FORMATS, read_judged_pairs
from paragold.formats.judgement_formats import JudgedPair, Reading
from paragold.formats.link_files import LINK_FORMATS, read_link_files, read_links, write_links, write_pairs
from paragold.problems import FileProblem
from tests.paragold.strategies import corpora

from .examples import JUDGED, LINKS

LINK_TOOLS = [one for one in LINK_FORMATS if one.tool and one.carries_text]
JUDGEMENT_TOOLS = [one for one in JUDGEMENT_FORMATS if one.extension]
STATIC = Path(__file__).parents[4] / "static" / "examples"
every_link_tool = pytest.mark.parametrize("link_format", LINK_TOOLS, ids=lambda one: one.id)
every_judgement_tool = pytest.mark.parametrize("one", JUDGEMENT_TOOLS, ids=lambda one: one.id)
one_folder = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40
)

# Everything that XML can hold; other formats hold more.
TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Cn"], include_characters="\t\n\r"), min_size=1, max_size=8
).filter(str.strip) | st.sampled_from(
    [
        *("  two  spaces ", '"quoted"', "it's", "=SUM(A1)", "'=1", "''+x", "👩\u200d🚒", "e\u0301"),
        "שלום\u202e",
        *("a\r\nb", "]]>", "<seg>&amp;", "\\n", "a, b; c\td", "\ufeffx", "a\u2028b"),
    ]
)


@every_link_tool
@one_folder
@given(pairs=corpora(min_size=1))
def test_links(link_format, pairs, tmp_path):
    path = tmp_path / link_format.file_name("links")
    write_links(path, pairs, link_format.id)
    unknown = Counter()

    assert read_links(path, link_format.id, unknown=unknown) == pairs
    assert read_links(path) == pairs
    assert not unknown
    first = path.read_bytes()
    write_links(path, read_links(path), link_format.id)
    assert path.read_bytes() == first


@st.composite
def judged(draw):
    labels = draw(st.sampled_from([("paraphrase", "not_paraphrase"), ("paraphrase", "partial", "unrelated")]))
    return [
        JudgedPair(
            f"{number} {draw(TEXTS)}".strip(),
            draw(TEXTS),
            draw(TEXTS),
            draw(st.sampled_from(labels)),
            comment=draw(st.just("") | TEXTS),
            flagged=draw(st.booleans()),
        )
        for number in range(draw(st.integers(1, 4)))
    ]


@every_judgement_tool
@one_folder
@given(pairs=judged())
def test_judgements(one, pairs, tmp_path):
    path = tmp_path / one.file_name("pairs")
    write_pairs(path, pairs, one)
    text = path.read_bytes()
    for format_id in (one.id, "auto"):
        found = read_judged_pairs(path, Reading(format=format_id))
        assert (found.problems, found.unknown, found.format) == ([], Counter(), one.id)
        assert [replace(pair, line=0) for pair in found.pairs] == pairs
    write_pairs(path, found.pairs, one)
    assert path.read_bytes() == text


@every_judgement_tool
def test_a_skipped_pair_is_skipped_again_or_left_out_and_counted(one, tmp_path):
    path = tmp_path / one.file_name("pairs")
    write_pairs(path, [replace(JUDGED[0], label=None), JUDGED[2]], one)
    found = read_judged_pairs(path, Reading())
    if one.id == "doccano":
        assert found.unknown == {"example without a label, left out": 1}
    else:
        assert (found.pairs[0].label, found.unknown) == (None, Counter())
    assert found.pairs[-1].label == "not_paraphrase"


def test_files_of_a_zip_are_read_in_order_and_others_named(tmp_path):
    path = tmp_path / "annotators.zip"
    other = replace(LINKS[2], key=LINKS[0].key)
    with zipfile.ZipFile(path, "w") as archive:
        for name, pairs in (("b/one.json", [other, LINKS[1]]), ("a/one.json", LINKS[:1])):
            write_links(tmp_path / "one", pairs, "label_studio")
            archive.write(tmp_path / "one", name)
        archive.writestr("project.xml", "<x/>")
        archive.writestr("page.png", b"\x89PNG\r\n\x1a\n\xff")
    unknown = Counter()
    pairs = read_links(path, unknown=unknown)
    assert pairs == [LINKS[0], replace(other, key=f"b/one/{other.key}"), LINKS[1]]
    assert unknown == {"file *.xml": 1, "file *.png": 1}
    assert read_link_files(path, names={"file": "zip"}).format == "label_studio"
    with pytest.raises(FileProblem, match=r"annotators\.zip: The archive has no file of links"):
        read_links(path, "doccano")


def label_studio(data, *results):
    return json.dumps([{"id": 1, "data": data, "annotations": [{"result": list(results)}]}])


def region(start, end, name="a", **value):
    value = {"start": start, "end": end, "labels": ["word"], **value}
    return {"id": f"{name}{start}", "type": "labels", "to_name": name, "value": value}


TWO = {"a": "ab c", "b": "d"}
SPAN = {"id": 0, "label": "word", "start_offset": 0, "end_offset": 1}


@pytest.mark.parametrize(
    ("format_id", "text", "message"),
    [
        ("label_studio", "[\n{", r"line 2: is not JSON"),
        ("label_studio", label_studio({"a": "x"}), r"line 1: The task has no texts a and b"),
        ("label_studio", label_studio(TWO, region(0, 1)), "only a part of the word 'ab'.* Mark whole words"),
        ("label_studio", label_studio(TWO, region(0, 2, text="x")), "The region 'x' is not at 0 to 2 of a"),
        ("doccano", "\n" + json.dumps({"text": "a\nb", "entities": [SPAN], "relations": [
            {"from_id": 0, "to_id": 7, "type": "SURE"}]}), "line 2: relations 1: from_id or to_id"),
        ("table", "id,source,target\n", "line 1: The column sure is missing. .* The columns are: id, sou"),
    ],
)  # fmt: skip
def test_bad_links_are_refused(format_id, text, message, tmp_path):
    path = tmp_path / "links"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileProblem, match=message):
        read_links(path, format_id)


@pytest.mark.parametrize(
    ("format_id", "text", "line", "message"),
    [
        ("label_studio", label_studio({"a": "x", "b": "y"}), 1, "The annotation has 0 choices called label"),
        ("doccano", '{"text": "a\\nb", "label": ["paraphrase", "x"]}', 1, "The example has 2 labels"),
        ("table", "a,b,label\n\nx,y,maybe\n", 3, "The label is 'maybe'"),
    ],
)
def test_bad_judgements_are_refused_by_line(format_id, text, line, message, tmp_path):
    path = tmp_path / "pairs"
    path.write_text(text, encoding="utf-8")
    [problem] = read_judged_pairs(path, Reading(format=format_id)).problems
    assert re.search(re.escape(message), problem.message), problem
    assert (problem.line, bool(problem.remedy)) == (line, True)


def test_the_examples_of_the_import_pages_are_read():
    found = read_judged_pairs(STATIC / "judgements.csv", Reading())
    assert (found.format, found.problems, found.unknown) == ("table", [], Counter())
    assert [pair.label for pair in found.pairs] == ["paraphrase", "not_paraphrase"]
    assert (found.pairs[1].comment, found.pairs[1].flagged) == ("Different facts.", True)
    unknown = Counter()
    links = read_links(STATIC / "links.csv", unknown=unknown)
    assert ([pair.key for pair in links], unknown) == (["1", "2"], Counter())
    for pair in links:
        for a, b in pair.links.sure:
            assert pair.source[a] and pair.target[b]


FILES = Path(__file__).parent


def read(name, **options):
    unknown = Counter()
    return read_links(FILES / name, unknown=unknown, **options), dict(unknown)


@pytest.mark.parametrize(
    ("name", "unknown"),
    [
        ("label-studio-links.json", {"annotation that is not the ground truth": 1}),
        ("doccano-links.jsonl", {}),
    ],
)
def test_links_exported_by_the_tools_are_those_that_were_imported(name, unknown, tmp_path):
    pairs, not_read = read(name)

    assert pairs == LINKS
    assert not_read == unknown
    format_id = name.partition("-links")[0].replace("-", "_")
    write_links(tmp_path / name, pairs, format_id)
    assert read_links(tmp_path / name) == LINKS


@pytest.mark.parametrize("name", ["label-studio-pairs.json", "doccano-pairs.jsonl"])
def test_judgements_exported_by_the_tools_are_those_that_were_imported(name, tmp_path):
    found = read_judged_pairs(FILES / name, Reading())
    assert (found.problems, found.unknown) == ([], Counter())
    expected = list(JUDGED)
    if found.format == "doccano":
        expected[2] = replace(expected[2], comment="written in doccano")
    assert [replace(pair, line=0) for pair in found.pairs] == expected

    one = JUDGEMENT_FORMATS.get(found.format)
    write_pairs(tmp_path / name, found.pairs, one)
    again = read_judged_pairs(tmp_path / name, Reading())
    assert [replace(pair, line=0) for pair in again.pairs] == expected


WORDS = [region(0, 1), region(0, 1, "b")]
DRAWN = {"result": [*WORDS, {"type": "relation", "from_id": "a0", "to_id": "b0", "labels": ["SURE"]}]}


def predicted(*models, annotations):
    given = [{"model_version": model, "score": 0.5} | DRAWN for model in models]
    answers = {"annotations": [{"result": WORDS}] if annotations else [], "predictions": given}
    return json.dumps([{"data": {"a": "x", "b": "x"}} | answers])


@pytest.mark.parametrize(
    ("text", "options", "links", "unread"),
    [
        (predicted("m1", annotations=False), {}, 1, {"score of a prediction": 1}),
        (predicted("m1", annotations=True), {}, 0, {"predictions": 1}),
        (predicted("m1", annotations=True), {"predictions": True}, 1, {"annotations": 1}),
        (predicted("m1", "m2", annotations=False), {"judge": "m2"}, 1, {}),
        (predicted("m1", "m2", annotations=False), {}, "answers of 2 models: m1 and m2", {}),
    ],
)
def test_predictions_are_read_by_choice(tmp_path, caplog, text, options, links, unread):
    path = tmp_path / "tasks.json"
    path.write_text(text)
    unknown = Counter()
    if isinstance(links, str):
        with pytest.raises(FileProblem, match=links):
            read_links(path, unknown=unknown, **options)
        return
    [pair] = read_links(path, unknown=unknown, **options)
    assert len(pair.links.sure) == links
    assert unread.items() <= unknown.items()
    assert ("the predictions are read" in caplog.text) == (bool(links) and "predictions" not in options)


def tasks(start, end, text):
    """A task whose first text begins with a character of two UTF-16 units, and a link of its words."""
    regions = [region(start, end, text=text), region(0, 5, "b", text="storm")]
    relation = {"type": "relation", "from_id": regions[0]["id"], "to_id": "b0", "labels": ["SURE"]}
    return label_studio({"a": "\N{GRINNING FACE} storm hits", "b": "storm strikes"}, *regions, relation)


@pytest.mark.parametrize(
    ("start", "end", "read"), [(2, 7, True), (3, 8, True), (4, 9, False), (-3, 2, False)]
)
def test_places_count_characters_or_utf_16_and_others_are_refused(tmp_path, start, end, read):
    (tmp_path / "links.json").write_text(tasks(start, end, "storm"))
    if read:
        assert [pair.links.sure for pair in read_links(tmp_path / "links.json")] == [{(1, 0)}]
        return
    with pytest.raises(FileProblem, match=f"The region 'storm' is not at {start} to {end} of a"):
        read_links(tmp_path / "links.json")
