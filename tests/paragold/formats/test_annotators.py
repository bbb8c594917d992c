import json
from collections import Counter
from functools import partial

import pytest

from paragold.formats.answers import ANNOTATOR_FIELDS
from paragold.formats.judgement_files import read_judged_pairs
from paragold.formats.judgement_formats import Reading
from paragold.formats.link_files import read_links
from paragold.metrics.links import LinkedPair, Links
from paragold.problems import FileProblem
from tests.link_texts import dumps

YES, NO = "paraphrase", "not_paraphrase"


def jsonl(*records):
    return "".join(json.dumps(record) + "\n" for record in records)


def judgement(name, label, field="annotator"):
    return {"id": "1", "a": "A dam broke.", "b": "The dam broke.", "label": label, field: name}


def read(tmp_path, text, judge="", name="file"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_judged_pairs(path, Reading(judge=judge))


@pytest.mark.parametrize("field", [*ANNOTATOR_FIELDS, "Annotator", "WorkerId"])
@pytest.mark.parametrize("ann", ["ann", 7, {"id": 3, "email": "ann"}])
def test_a_person_of_json_lines_is_chosen(field, ann, tmp_path):
    text = jsonl(judgement(ann, YES, field), judgement("ben", NO, field))
    for judge, label in (("7" if ann == 7 else "ann", YES), ("ben", NO)):
        file = read(tmp_path, text, judge)
        assert (file.problems, [pair.label for pair in file.pairs], file.unknown) == ([], [label], {})
    [problem] = read(tmp_path, text).problems
    assert "the answers of 2 people: " in problem.message
    assert "and ben." in problem.message
    [problem] = read(tmp_path, text, "cleo").problems
    assert "no pair by 'cleo'" in problem.message


# Links


def in_format(format_id, key, name, *sure, field="annotator"):
    """A pair as its format writes it, with a field that names a person."""
    text = dumps(format_id, [LinkedPair(key, ("A", "dam"), ("The", "dam"), Links.of(sure))])
    return jsonl(json.loads(text) | ({field: name} if name else {}))


link_jsonl = partial(in_format, "jsonl")
link_doccano = partial(in_format, "doccano", field="_session_id")


@pytest.mark.parametrize("write", [link_jsonl, link_doccano])
def test_a_person_of_links_is_chosen(write, tmp_path):
    path = tmp_path / "links"
    path.write_text(write("1", "ann", (1, 1)) + write("1", "ben"))
    with pytest.raises(FileProblem, match="the answers of 2 people: ann and ben"):
        read_links(path)
    for judge, sure in (("ann", {(1, 1)}), ("ben", set())):
        unknown = Counter()
        assert [pair.links.sure for pair in read_links(path, judge=judge, unknown=unknown)] == [sure]
        assert unknown == {}
    with pytest.raises(FileProblem, match="no pair by 'cleo'"):
        read_links(path, judge="cleo")


# Contradictions


def test_contradicting_labels_are_named_with_their_lines(tmp_path):
    text = "1\tA dam.\tThe dam.\n0\tThe  dam.\tA dam. \n1\tx\ty\n1\tx\ty\n"
    file = read(tmp_path, text)
    assert file.problems == []
    assert file.contradictions == "The same two sentences have different labels: lines 1 and 2."
    first = {"id": "p", "a": "x", "b": "y", "label": YES}
    with_ids = jsonl(first, first | {"id": "q", "label": NO})
    assert "lines 1 and 2 (ids p, q)" in read(tmp_path, with_ids).contradictions
    skipped = jsonl(first, {"id": 2, "a": "x", "b": "y", "skipped": True})
    assert read(tmp_path, skipped).contradictions == ""
