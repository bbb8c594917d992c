import random
import zipfile
from contextlib import suppress

import pytest

from paragold.problems import FileProblem
from paragold.sources.archives import ArchiveMembers
from paragold.sources.article_sources import SourceOptions, read_articles

STORM = "The storm hit the northern coast on Monday morning and thousands of people fled inland."
PAGE = f"<html><head><title>Storm</title></head><body><article><p>{STORM}</p></article></body></html>"
MHTML = f"""From: <Saved by Blink>
MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; boundary="--M1"

----M1
Content-Type: text/html; charset="windows-1252"
Content-Transfer-Encoding: quoted-printable

{PAGE.replace("=", "=3D").replace("northern", "=E9loign=E9e")}
----M1
Content-Type: image/png

x
----M1--
"""


def read(tmp_path, **files):
    with zipfile.ZipFile(tmp_path / "pages.zip", "w") as archive:
        for name, data in files.items():
            archive.writestr(f"storm/{name.replace('_', '.')}", data)
    reader = read_articles(tmp_path / "pages.zip", SourceOptions())
    return [s.text for _, articles in reader for article in articles for s in article.sentences], reader


@pytest.mark.parametrize("name", ["a_mhtml", "a_MHT"])
def test_a_page_saved_as_one_file(tmp_path, name):
    sentences, reader = read(tmp_path, **{name: MHTML.encode()})
    assert sentences == [STORM.replace("northern", "éloignée")]
    assert not reader.problems


def test_a_page_that_cannot_be_decoded_is_left_out_and_named(tmp_path):
    bad = PAGE.encode().replace(b"inland", b"inland\xff")
    sentences, reader = read(tmp_path, a_html=PAGE.encode(), b_html=bad, c_mhtml=b"no mail")
    assert sentences == [STORM]
    assert not reader.problems
    [note] = [note for note in reader.notes if note.startswith("Left out")]
    assert "2. storm/b.html: Byte" in note and "storm/c.mhtml: The file holds no HTML page." in note


@pytest.mark.parametrize("seed", range(60))
def test_a_damaged_archive_is_refused_or_read_whole(tmp_path, seed):
    path = tmp_path / "pages.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("a", "b", "é"):
            archive.writestr(f"storm/{name}.html", PAGE)
    draw, data = random.Random(seed), bytearray(path.read_bytes())
    place = draw.randrange(len(data) - 8)
    if seed % 2:
        del data[place:]
    else:
        data[place : place + 32] = bytes(byte ^ 0xFF for byte in data[place : place + 32])
    path.write_bytes(data)
    with suppress(FileProblem):
        assert [data for _, data in ArchiveMembers(path)] == [PAGE.encode()] * 3
