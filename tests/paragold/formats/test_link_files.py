from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from paragold.formats.link_files import LINK_FORMATS, PairWriter, read_links, write_links
from paragold.formats.link_formats import PHARAOH_FROM_1
from paragold.metrics.links import LinkedPair, Links
from paragold.problems import FileProblem

TOKENS = [(("a", "b"), ("b", "a", "c")), (("d",), ("d",)), (("e",), ("f",))]
LINKS = [Links.of([(0, 1)], [(1, 0), (1, 2)]), Links.of([(0, 0)]), Links.of()]
PAIRS = [
    LinkedPair(str(number), *tokens, links)
    for number, (tokens, links) in enumerate(zip(TOKENS, LINKS, strict=True), start=1)
]

every_format = pytest.mark.parametrize("link_format", LINK_FORMATS, ids=lambda one: one.id)


def pairs_for(link_format):
    """The pairs with links of the strengths that the format knows."""
    if not link_format.one_strength:
        return PAIRS
    return [replace(pair, links=Links.of(pair.links.possible)) for pair in PAIRS]


@every_format
def test_pairs_written_in_parts_are_read_back(link_format, tmp_path):
    pairs = pairs_for(link_format)
    path = tmp_path / link_format.file_name("links")
    writer = PairWriter(path, link_format)
    writer.add(pairs[:2])
    writer.add(pairs[2:])
    writer.close()

    assert read_links(path, link_format.id, tokens=TOKENS) == pairs
    assert all(pair.line > 0 for pair in read_links(path, link_format.id, tokens=TOKENS))
    if link_format.carries_text:
        assert read_links(path) == pairs
    else:
        with pytest.raises(FileProblem, match="contains no text"):
            read_links(path, link_format.id)


@pytest.mark.parametrize(
    "link_format", [one for one in LINK_FORMATS if one is not PHARAOH_FROM_1], ids=lambda one: one.id
)
def test_a_format_is_known_by_what_the_file_holds(link_format, tmp_path):
    pairs = pairs_for(link_format)
    others = [one.file_name("links") for one in LINK_FORMATS if one is not link_format]
    for name in ("links", "links.txt", *others):
        write_links(tmp_path / name, pairs, link_format.id)
        assert read_links(tmp_path / name, tokens=TOKENS) == pairs


EXPECTED = [(("A", "dam"), ("The", "dam"), Links.of([(1, 1)], [(0, 0)]))]
CHOSEN = {"source": "first", "target": "second", "sure": "drawn", "possible": "maybe"}
JSON = {"first": ["A", "dam"], "second": ["The", "dam"], "drawn": [[1, 1]], "maybe": [[0, 0]]}


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("id,sentence1,sentence2,links,possible\n1,A dam,The dam,1-1,0-0\n", {"id": "id"}),
        ("first\tsecond\tdrawn\tmaybe\nA dam\tThe dam\t1-1\t0-0\n", CHOSEN),
        ("A dam;The dam;1-1;0-0\n", {"source": "1", "target": "2", "sure": "3", "possible": "4"}),
        (json.dumps(JSON) + "\n", CHOSEN),
    ],
)
def test_columns_are_chosen(tmp_path, text, columns):
    (tmp_path / "links").write_text(text)
    read = read_links(tmp_path / "links", columns=columns)
    assert [(pair.source, pair.target, pair.links) for pair in read] == EXPECTED


TEXT = [(("the", "dog", "barks"), ("a", "dog", "barks")), (("it", "rains"), ("rain", "falls"))]
DRAWN = [Links.of([(0, 0), (1, 1)], [(2, 2)]), Links.of([(0, 1)])]


@pytest.mark.parametrize(
    ("format_id", "text", "unread"),
    [
        ("pharaoh", "0-0 1-1 2?2\t-45.2\t-75.6\n0-1 ||| -4.5e-2\n", {"score": 3}),
        ("pharaoh_1", "1-1 2-2 3p3\n1-2\n", {}),
        ("naacl", "1 1 1 S 1.0\n1 2 2\n1 3 3 P 0.7\n2 1 2 1.0\n", {"confidence": 3}),
    ],
)
def test_links_of_other_programs(tmp_path, format_id, text, unread):
    path = tmp_path / "links"
    path.write_text(text)
    unknown: Counter[str] = Counter()
    assert [pair.links for pair in read_links(path, format_id, tokens=TEXT, unknown=unknown)] == DRAWN
    assert unknown == unread
