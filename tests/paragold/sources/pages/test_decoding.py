import pytest
from hypothesis import given, strategies as st

from paragold.problems import FileProblem
from paragold.sources.main_text_model import blocks_of
from paragold.sources.pages import HEAD_BYTES, declared_encoding, decode_page


@pytest.mark.parametrize(
    ("data", "declared", "text"),
    [
        ("<p>Überfall</p>".encode(), "", "<p>Überfall</p>"),
        (b"\xef\xbb\xbf<p>\xc3\xa9</p>", "", "<p>é</p>"),
        ("<p>é</p>".encode("utf-16-le"), "utf-16-le", "<p>é</p>"),
        (b"\xff\xfe" + "<p>é</p>".encode("utf-16-le"), "", "<p>é</p>"),
        (b'<meta charset="iso-8859-1"><p>\xe9 \x93x\x94', "", '<meta charset="iso-8859-1"><p>é “x”'),
        (b'<?xml version="1.0" encoding="koi8-r"?>\xc1', "", '<?xml version="1.0" encoding="koi8-r"?>а'),
        (b'<META http-equiv=Content-Type content="text/html; charset=windows-1251">\xe0', "", None),
        (b"\xe9", "latin-1", "é"),
    ],
)
def test_declared_encodings(data, declared, text):
    decoded = decode_page(data, declared=declared)
    if text is None:
        assert decoded.endswith("а")
    else:
        assert decoded == text


UTF_8, WINDOWS = "café".encode(), "café".encode("cp1252")
META = b'<meta charset="iso-8859-1">'


@pytest.mark.parametrize(
    "head",
    [
        META,
        b'<meta charset="x-user-defined">',
        b"<meta http-equiv=content-type content=\"text/html;charset='iso-8859-1'\">",
        b"<!-- a --><!DOCTYPE html><html lang=en><head><title>a < b</title>" + META,
        b'<script src="x">"</script>' + META,
        b'<meta charset="klingon">' + META,
        b'<?xml version="1.0" encoding="iso-8859-1"?>',
        b'<?xml version="1.0" encoding="utf-8"?>' + META,
        b"<!-- " + b"a long comment " * 500 + b"-->" + META,
    ],
)
def test_declarations(head):
    assert "café" in decode_page(head + b"<p>" + WINDOWS)


def test_marks_come_before_headers_before_pages_and_other_bytes_are_named():
    mark = b"\xef\xbb\xbf"
    assert "café" in decode_page(mark + META + UTF_8, declared="windows-1251")
    assert "café" in decode_page(META + UTF_8, declared="utf-8")
    with pytest.raises(FileProblem, match=r"Byte 4 \(0xe9\) is not utf-8, the default encoding"):
        decode_page(b"caf \xe9")
    with pytest.raises(FileProblem, match=r"is not utf-8, which the page declares"):
        decode_page(b"\xe9", declared="utf-8")
    with pytest.raises(FileProblem, match="NUL"):
        decode_page(b"<p>a\0b</p>")
    for name in ("klingon", "rot13", "zip"):
        with pytest.raises(FileProblem, match=name):
            decode_page(b"x", declared=name)


def test_the_search_for_a_declaration_is_linear_and_blocks_have_tags_around():
    for piece in (b"<a ", b"<!--", b"<script>", b"<meta charset=", b"< ", b'<a b="', b"<a/b=c", b"<title><"):
        declared_encoding(piece * (HEAD_BYTES // len(piece)))
    (block,) = blocks_of("<main><article><div><p>four <a href=x>word</a></p></div></article></main>")
    assert (block.tag, block.inside) == ("p", ("html", "body", "main", "article", "div"))
    assert block.link_density == pytest.approx(0.5)


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
def test_texts_of_blocks(page, expected):
    assert [block.text for block in blocks_of(page)] == expected


@given(st.text(alphabet="<>/=\"'&; \nabpdivr!-é\u2028", max_size=200))
def test_anything_is_read_or_refused(page):
    try:
        blocks = blocks_of(page)
    except FileProblem:
        return
    assert all(block.text == " ".join(block.text.split()) for block in blocks)
    assert all(0 <= block.link_density <= 1 for block in blocks)
