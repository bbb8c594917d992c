"""Links as outside aligners and their gold have them: from 1, with scores, `p` for POSSIBLE."""

from __future__ import annotations

import logging
from collections import Counter

import pytest

from paragold.aligners.pair_files import read_training_pairs
from paragold.formats.link_files import read_link_files, read_links, write_links
from paragold.metrics.links import LinkedPair, Links
from paragold.problems import FileProblem

TEXT = [
    (("the", "dog", "barks"), ("a", "dog", "barks")),
    (("it", "rains"), ("rain", "falls")),
]
DRAWN = [Links.of([(0, 0), (1, 1)], [(2, 2)]), Links.of([(0, 1)])]


@pytest.mark.parametrize(
    ("format_id", "text", "unread"),
    [
        ("pharaoh", "0-0 1-1 2p2\n0-1\n", {}),
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


def test_links_from_1_are_written_and_read_back(tmp_path):
    pairs = [
        LinkedPair(str(n), *text, links) for n, (text, links) in enumerate(zip(TEXT, DRAWN, strict=True), 1)
    ]
    write_links(tmp_path / "links", pairs, "pharaoh_1")
    assert (tmp_path / "links").read_text() == "1-1 2-2 3?3\n1-2\n"
    assert read_links(tmp_path / "links", "pharaoh_1", tokens=TEXT) == pairs


def test_a_file_that_seems_to_count_from_1_is_named(tmp_path, caplog):
    long = [(tuple("abcdef"), tuple("abcdef"))]
    for name, text in (("links", "1-1 2-2 3-3 4-4\n"), ("a", "a b c d e f\n"), ("b", "a b c d e f\n")):
        (tmp_path / name).write_text(text)
    remark = "Where the file counts from 1, choose the format pharaoh_1."
    with caplog.at_level(logging.WARNING):
        read_links(tmp_path / "links", tokens=long)
    assert remark in caplog.text
    sides = {"source": tmp_path / "a", "target": tmp_path / "b"}
    names = {"file": "links", "source": "a", "target": "b"}
    assert remark in read_link_files(tmp_path / "links", **sides, names=names).contradictions
    assert not read_link_files(tmp_path / "links", "pharaoh_1", **sides, names=names).contradictions


def test_index_0_is_none_from_1(tmp_path):
    (tmp_path / "links").write_text("0-1\n1-1\n")
    with pytest.raises(FileProblem, match="line 1: '0-1' has index 0"):
        read_links(tmp_path / "links", "pharaoh_1", tokens=TEXT)


def test_pairs_as_fast_align_has_them(tmp_path):
    (tmp_path / "pairs").write_text("the dog barks ||| a dog barks\n")
    assert read_training_pairs(tmp_path / "pairs") == [(["the", "dog", "barks"], ["a", "dog", "barks"])]
