"""The file of gold sub-clusters."""

from __future__ import annotations

import pytest

from paragold.formats.judgements.subclusters_jsonl import dumps, loads
from paragold.problems import FileProblem

LINES = (
    '{"cluster_id": "dam", "subclusters": [["a", "c"], ["b", "d", "e"]]}\n'
    '{"cluster_id": "zoë", "subclusters": []}\n'
)


def test_what_is_written_is_read() -> None:
    clusters = {"dam": [["a", "c"], ["b", "d", "e"]], "zoë": []}
    assert dumps(clusters.items()) == LINES
    assert loads(LINES) == clusters


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[]", "not an object"),
        ('{"subclusters": []}', "cluster_id is missing"),
        ('{"cluster_id": "a", "subclusters": ["b"]}', "subclusters 1 is not a list"),
        ('{"cluster_id": "a", "subclusters": [[]]}', "subclusters 1 is not a list with an element"),
        ('{"cluster_id": "a", "subclusters": [[1, 2]]}', "subclusters 1 1 is not a string"),
        ('{"cluster_id": "a", "subclusters": [["b"], ["b", "c"]]}', "the id 'b' occurs twice"),
        ('{"cluster_id": "a", "subclusters": [], "none": []}', "none is not a field of this format"),
        (
            '{"cluster_id": "a", "subclusters": []}\n{"cluster_id": "a", "subclusters": []}',
            "line 2: the cluster",
        ),
    ],
)
def test_errors_name_the_line_and_the_fault(line: str, message: str) -> None:
    with pytest.raises(FileProblem) as error:
        loads(line)
    assert message in str(error.value)
    assert str(error.value).startswith("line ")
