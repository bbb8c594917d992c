"""Pages fall into blocks at the tags that part paragraphs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragold.problems import FileProblem
from paragold.sources.blocks import blocks_of


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (
            "Loose <h1>Title</h1> after<p>One <b>bold</b>\n word.</p><div>Two<ul><li>a<li>b</ul>three",
            ["Loose", "Title", "after", "One bold word.", "Two", "a", "b", "three"],
        ),
        # Two line breaks part a block, and one does not.
        ("<td>First<br>line.<br> <br/>Second.<BR>", ["First line.", "Second."]),
        ("<title>t</title></head><style>a{}</style><script>b()</script><p>* * *</p><p>c</p>", ["c"]),
        ("<div>" * 1500 + "deep" + "</div>" * 1500 + "<p>end</p>", ["deep", "end"]),
    ],
)
def test_texts_of_blocks(page: str, expected: list[str]) -> None:
    assert [block.text for block in blocks_of(page)] == expected


def test_tags_around_and_share_of_links() -> None:
    (block,) = blocks_of("<main><article><div><p>four <a href=x>word</a></p></div></article></main>")
    assert (block.tag, block.inside) == ("p", ("html", "body", "main", "article", "div"))
    assert block.link_density == pytest.approx(0.5)


def test_absurd_and_empty_pages_are_refused() -> None:
    with pytest.raises(FileProblem, match="nested thousands deep"):
        blocks_of("<div>" * 5000 + "deep")
    with pytest.raises(FileProblem, match="empty"):
        blocks_of("   ")


@given(st.text(alphabet="<>/=\"'&; \nabpdivr!-é\u2028", max_size=200))
def test_anything_is_read_or_refused(page: str) -> None:
    try:
        blocks = blocks_of(page)
    except FileProblem:
        return
    assert all(block.text == " ".join(block.text.split()) for block in blocks)
    assert all(0 <= block.link_density <= 1 for block in blocks)
