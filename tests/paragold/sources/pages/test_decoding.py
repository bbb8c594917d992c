"""A page's text is decoded as the page declares; nothing is guessed."""

from __future__ import annotations

import pytest

from paragold.problems import FileProblem
from paragold.sources.pages.decoding import decode_page


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
def test_declared_encodings(data: bytes, declared: str, text: str | None) -> None:
    decoded = decode_page(data, declared=declared)
    if text is None:
        assert decoded.endswith("а")
    else:
        assert decoded == text


def test_a_byte_that_the_encoding_lacks_is_reported_with_its_offset() -> None:
    with pytest.raises(FileProblem, match=r"Byte 4 \(0xe9\) is not utf-8, the default encoding"):
        decode_page(b"caf \xe9")
    with pytest.raises(FileProblem, match=r"is not utf-8, which the page declares"):
        decode_page(b"\xe9", declared="utf-8")


@pytest.mark.parametrize("name", ["klingon", "rot13", "zip"])
def test_what_is_no_encoding_of_text(name: str) -> None:
    with pytest.raises(FileProblem, match=name):
        decode_page(b"x", declared=name)


def test_nul_is_refused() -> None:
    with pytest.raises(FileProblem, match="NUL"):
        decode_page(b"<p>a\0b</p>")
