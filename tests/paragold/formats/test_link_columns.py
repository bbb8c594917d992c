"""Links in tables and JSON Lines whose columns are called otherwise."""

import json

import pytest

from paragold.formats.link_files import read_links
from paragold.metrics.links import Links
from paragold.problems import FileProblem

EXPECTED = [(("A", "dam"), ("The", "dam"), Links.of([(1, 1)], [(0, 0)]))]
CHOSEN = {"source": "first", "target": "second", "sure": "drawn", "possible": "maybe"}
JSON = {"first": ["A", "dam"], "second": ["The", "dam"], "drawn": [[1, 1]], "maybe": [[0, 0]]}


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("id,sentence1,sentence2,links,possible\n1,A dam,The dam,1-1,0-0\n", {"id": "id"}),
        ("sep=;\nid;source;target;sure;possible\n1;A dam;The dam;1-1;0-0\n", {}),
        ("first\tsecond\tdrawn\tmaybe\nA dam\tThe dam\t1-1\t0-0\n", CHOSEN),
        ("A dam;The dam;1-1;0-0\n", {"source": "1", "target": "2", "sure": "3", "possible": "4"}),
        (json.dumps(JSON) + "\n", CHOSEN),
    ],
)
def test_columns_are_chosen(tmp_path, text, columns):
    (tmp_path / "links").write_text(text)
    read = read_links(tmp_path / "links", columns=columns)
    assert [(pair.source, pair.target, pair.links) for pair in read] == EXPECTED


def test_a_column_that_is_missing_is_named(tmp_path):
    (tmp_path / "links").write_text("first,second,drawn\nA dam,The dam,1-1\n")
    with pytest.raises(FileProblem, match=r"line 1: The column target is missing\. Choose it"):
        read_links(tmp_path / "links", columns={"source": "first"})
    with pytest.raises(FileProblem, match="There is no column 'third'"):
        read_links(tmp_path / "links", columns={"source": "third"})
