"""Offsets of regions in Label Studio: code points, or UTF-16 units where the region repeats its text."""

import json

import pytest

from paragold.formats.link_files import read_links
from paragold.problems import FileProblem


def tasks(start, end, text):
    def region(name, start, end, text):
        value = {"start": start, "end": end, "text": text, "labels": ["word"]}
        return {"id": name, "from_name": f"words_{name}", "to_name": name, "type": "labels", "value": value}

    relation = {"type": "relation", "from_id": "a", "to_id": "b", "labels": ["SURE"]}
    result = [region("a", start, end, text), region("b", 0, 5, "storm"), relation]
    data = {"a": "\N{GRINNING FACE} storm hits", "b": "storm strikes"}
    return json.dumps([{"id": 1, "data": data, "annotations": [{"id": 3, "result": result}]}])


@pytest.mark.parametrize(("start", "end"), [(2, 7), (3, 8)])
def test_both_are_read(tmp_path, start, end):
    (tmp_path / "links.json").write_text(tasks(start, end, "storm"))
    [pair] = read_links(tmp_path / "links.json")
    assert pair.links.sure == {(1, 0)}


@pytest.mark.parametrize(("start", "end"), [(4, 9), (-3, 2), (100, 105)])
def test_a_text_that_stands_at_neither_is_refused(tmp_path, start, end):
    (tmp_path / "links.json").write_text(tasks(start, end, "storm"))
    with pytest.raises(FileProblem, match=f"The region 'storm' is not at {start} to {end} of a"):
        read_links(tmp_path / "links.json")
