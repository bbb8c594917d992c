"""What holds for every registered format of word links."""

from dataclasses import replace
from pathlib import Path

import pytest

from paragold.formats.link_files import LINK_FORMATS, PairWriter, read_links, write_links
from paragold.formats.link_formats import PHARAOH_FROM_1
from paragold.metrics.links import LinkedPair, Links
from paragold.problems import FileProblem

DOCS = Path(__file__).parents[3] / "docs" / "formats" / "links.md"
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


@every_format
def test_a_format_is_documented(link_format):
    [row] = [
        line.split("|")
        for line in DOCS.read_text(encoding="utf-8").splitlines()
        if line.startswith(f"| `{link_format.id}` |")
    ]

    assert f"`{link_format.extensions[0]}`" in row[2]
    assert row[4].strip() == ("yes" if link_format.carries_text else "no")


def test_an_unknown_format_and_another_text_are_refused(tmp_path):
    (tmp_path / "links").write_text("nothing known\n")
    with pytest.raises(FileProblem, match=r"links: The format is not known\. Choose one of pharaoh, "):
        read_links(tmp_path / "links")
    path = tmp_path / "links.jsonl"
    write_links(path, PAIRS, "jsonl")

    with pytest.raises(FileProblem, match="3 pairs, but the text has 2"):
        read_links(path, tokens=TOKENS[:2])
    with pytest.raises(FileProblem, match=r"line 2: the tokens of pair 2 \(id 2\) differ from the text"):
        read_links(path, tokens=[TOKENS[0], (("x",), ("d",)), TOKENS[2]])
