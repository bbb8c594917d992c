from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st

from paragold.metrics.links import ladder_svg
from tests.paragold.strategies import linked_pairs

SVG = "{http://www.w3.org/2000/svg}"
# XML has no control characters; files of links have none in words either.
WORDS = st.text(st.characters(exclude_categories=["Cc", "Cs", "Cn"]), min_size=1)


@given(linked_pairs(words=WORDS))
def test_every_word_and_link_is_there_inside_the_picture(pair):
    root = ElementTree.fromstring(pair._repr_html_())
    words = root.findall(f"{SVG}text")
    assert [len(pair.source), len(pair.target)] == [
        sum(word.get("text-anchor") == end for word in words) for end in ("end", "start")
    ]
    curves = root.findall(f"{SVG}path")
    dashed = [curve for curve in curves if curve.get("stroke-dasharray")]
    assert (len(curves), len(dashed)) == (len(pair.links.possible), len(pair.links.possible_only))
    assert all(0 < float(word.get("y", 0)) < float(root.get("height", 0)) for word in words)


def test_words_are_text_and_not_markup_and_links_outside_are_refused():
    nasty = '<script>alert("1")</script>'
    html = ladder_svg([nasty], ["&amp;"], [(0, 0)])
    assert "<script" not in html
    root = ElementTree.fromstring(html)
    assert [word.text for word in root.findall(f"{SVG}text")] == [nasty, "&amp;"]
    with pytest.raises(IndexError):
        ladder_svg(["a"], ["b"], [(0, 1)])
