import html
import re
from itertools import count

import pytest
import trafilatura
from hypothesis import given, settings, strategies as st
from trafilatura.xml import xmltotxt

from paragold.sources.pages import extract_main_text, paragraphs_of

STORY = "".join(
    f"<p>Paragraph {name} of the story is long enough, and a reader would take it for news of the day.</p>"
    for name in ("one", "two", "three", "four", "five", "six")
)
STORY_WORDS = len(re.sub("<[^>]*>", " ", STORY).split())
TEXT = "*"
INLINE = ("b", "i", "a", "span", "em", "strong", "sub", "del", "ins", "code", "cite", "font")
# Those that trafilatura takes away; it keeps others, and loses what is beside them.
STRIPPED = tuple(tag for tag in INLINE if tag not in ("del", "code"))


def page_of(body):
    """A page of the story and a body in which each `*` is two words of its own."""
    numbers = count(1)
    body = re.sub(r"\*", lambda _: f"word{next(numbers)}x rest{next(numbers)}x", body)
    return f"<html><head><title>Title</title></head><body><article>{STORY}{body}</article></body></html>"


def extracted(page):
    return trafilatura.bare_extraction(page, include_comments=False, include_tables=False).body


def words_of_trafilatura(page):
    """The words of its text without headings and the marks of list items."""
    body = extracted(page)
    for heading in list(body.iter("head")):
        for child in list(heading):
            heading.remove(child)
        heading.text = None
    text = re.sub(r"(?m)^ *(?:-|[0-9]+\\.) ", "", xmltotxt(body, include_formatting=False))
    return [word for word in text.split() if word != "-"]


def check(body, *, lost_by_trafilatura=False):
    """The paragraphs after the story, once they are compared."""
    page = page_of(body)
    paragraphs = extract_main_text(page)["paragraphs"]
    words = " ".join(paragraphs).split()
    seen = re.sub(r"</?(?:" + "|".join(INLINE) + r")(?: [^>]*)?>", "", page)
    known = set(html.unescape(re.sub(r"<[^>]*>", " ", seen)).replace("\xad", "").split())
    assert [word for word in words if word not in known] == []
    if not lost_by_trafilatura:
        # Where trafilatura runs words together, the letters are still the same.
        assert "".join(words) == "".join(words_of_trafilatura(page))
    return [paragraph for paragraph in paragraphs if not paragraph.startswith("Paragraph ")]


# What the pages of the property tests do not have.
SHAPES = {
    "definitions": "<dl><dt>*</dt><dd>*</dd><dt>*</dt><dd><p>*</p><p>*</p></dd></dl>",
    "inline elements": "<p>* <b>*</b> <i>* <a href='x'>*</a></i> <del>*</del> <ins>*</ins> <sub>*</sub>*</p>",
    "a table": "<table><tr><td>*</td><td>*</td></tr></table><p>*</p>",
    "divs in items": "<ul><li><div>*</div><div>* <b>*</b></div>*</li></ul>"
    "<dl><dd><div>*</div><div>*</div></dd></dl>",
    "inline code": "<p>* <code>*</code> *</p>",
    "sections": "<section>*<p>*</p></section><section><p>*</p>*</section>",
    "a figure": "<figure><img src='a.jpg'><figcaption>*</figcaption></figure><p>*</p>",
}  # fmt: skip


@pytest.mark.parametrize("body", SHAPES.values(), ids=SHAPES)
def test_words_are_those_of_trafilatura(body):
    check(body)


@pytest.mark.parametrize(
    ("body", "paragraphs"),
    [
        ("<h2>*<br>*</h2>*<h3>*</h3><p>*</p>", ["word5x rest6x", "word9x rest10x"]),
        (
            "<p>A <b>b</b>c<br>d <i>e</i></p><blockquote><p>*</p>*</blockquote><p>f</p>",
            ["A bc", "d e", "word1x rest2x", "word3x rest4x", "f"],
        ),
        ("<p>She said <q>no <b>one</b> was</q> hurt.</p>", ["She said no one was hurt."]),
        ("<pre><code>a = 1\nb = 2</code></pre>*", ["a = 1 b = 2", "word1x rest2x"]),
        ("<p>Wind&shy;kracht elf&nbsp;meter</p>", ["Windkracht elf meter"]),
    ],
    ids=["headings", "breaks", "quotation", "code", "soft hyphens"],
)
def test_what_ends_a_paragraph(body, paragraphs):
    lost = "<code>" in body or "&shy;" in body
    assert check(body, lost_by_trafilatura=lost)[-len(paragraphs) :] == paragraphs


def inline(children):
    return st.builds(lambda tag, text: f"<{tag}>{text}</{tag}>", st.sampled_from(STRIPPED), children)


PHRASE = st.recursive(st.just(TEXT), inline, max_leaves=3)
PHRASES = st.lists(PHRASE | st.just("<br>"), min_size=1, max_size=4).map(f" {TEXT} ".join)


def blocks(children):
    content = st.lists(children | PHRASES, min_size=1, max_size=3).map(" ".join)
    items = st.lists(content.map("<li>{}</li>".format), min_size=1, max_size=3).map("".join)
    return st.one_of(
        content.map("<div>{}</div>".format),
        content.map("<blockquote>{}</blockquote>".format),
        items.map("<ul>{}</ul>".format),
        items.map("<ol>{}</ol>".format),
    )


BLOCK = st.recursive(PHRASES.map("<p>{}</p>".format) | st.just("<h3>* <b>*</b></h3>"), blocks, max_leaves=6)


PAGES = st.lists(BLOCK | PHRASES, min_size=1, max_size=4).map(" ".join).map(page_of)


@settings(max_examples=80, deadline=None)
@given(PAGES)
def test_paragraphs_of_a_tree_are_the_text_that_trafilatura_writes_of_it(page):
    body = extracted(page)
    assert "".join("".join(paragraphs_of(body)).split()) == "".join(words_of_trafilatura(page))


@settings(max_examples=80, deadline=None)
@given(PAGES)
def test_pages_of_any_shape_have_each_word_once_in_order_and_none_run_together(page):
    words = " ".join(extract_main_text(page)["paragraphs"]).split()
    matches = [re.fullmatch(r"(?:word|rest)([0-9]+)x", word) for word in words[STORY_WORDS:]]
    numbers = [int(match[1]) if match else 0 for match in matches]
    assert numbers == sorted(set(numbers) - {0})
