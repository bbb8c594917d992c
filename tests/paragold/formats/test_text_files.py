import gzip
import zlib

import numpy as np
import pyarrow as pa
import pytest

from paragold import limits
from paragold.formats.judgement_files import read_judged_pairs
from paragold.formats.judgement_formats import Reading
from paragold.formats.labelled_pairs import read_pairs
from paragold.formats.model_files import content_hash, load, save
from paragold.formats.tables import TableRows
from paragold.formats.text_files import (
    TextLines,
    read_text,
    readable_again,
    text_head,
    whole_file,
    write_text,
)
from paragold.problems import FileProblem
from projects.parsing.process import limited


@pytest.mark.parametrize(
    ("data", "line", "message"), [(b"a\nb\ncaf\xe9\n", 3, "byte 0xE9"), (b"PK\x03\x04\0", 0, "a zip archive")]
)
def test_what_is_not_text_is_refused_by_line(tmp_path, data, line, message):
    path = tmp_path / "file.tsv"
    path.write_bytes(data)
    with pytest.raises(FileProblem) as caught:
        read_text(path)
    assert (caught.value.file, caught.value.line) == (str(path), line)
    assert message in str(caught.value)


def test_files_are_seen_when_complete_and_models_come_back(tmp_path):
    path = tmp_path / "a.txt"
    write_text(path, "old")
    with whole_file(path) as first, whole_file(path) as second:
        first.write(b"1")
        second.write(b"2")
        assert path.read_text() == "old"
    assert path.read_text() == "1"
    assert list(tmp_path.iterdir()) == [path]
    digest = save(tmp_path / "model.npz", NUMBERS, DESCRIPTION)
    numbers, description = load(tmp_path / "model.npz")
    assert description == DESCRIPTION
    assert {name: (a.dtype, a.tolist()) for name, a in numbers.items()} == {
        name: (a.dtype, a.tolist()) for name, a in NUMBERS.items()
    }
    assert digest == content_hash(NUMBERS, DESCRIPTION) == content_hash(numbers, description)
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", "model.npz"}


def zst(data):
    """Packed by Zstandard in two frames."""
    half = len(data) // 2
    return b"".join(pa.Codec("zstd").compress(part, asbytes=True) for part in (data[:half], data[half:]))


PACKED = {".gz": lambda data: gzip.compress(data[:5]) + gzip.compress(data[5:]), ".zst": zst}
LINES = "".join(f"1\tThe dam broke {number} times.\tÉ {number}\n" for number in range(3000))


@pytest.mark.parametrize("ending", PACKED)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_packed_files_are_read_whatever_their_names(tmp_path, ending, encoding):
    path = tmp_path / "pairs.tsv"
    path.write_bytes(PACKED[ending](LINES.encode(encoding)))
    assert read_text(path) == LINES
    assert text_head(path, "utf-8") == (LINES, True)
    assert [f"{text}\n" for _, text in TextLines(path, "utf-8", [])] == LINES.splitlines(keepends=True)
    assert len(read_judged_pairs(path, Reading()).pairs) == 3000
    (tmp_path / "table.csv").write_bytes(PACKED[ending]("id,text\n1,É\n".encode(encoding)))
    assert list(TableRows(tmp_path / "table.csv", [])) == [(2, ["1", "É"])]


@pytest.mark.parametrize("ending", PACKED)
def test_files_that_are_called_so_are_packed_the_same_into_the_same_bytes(tmp_path, ending):
    path, again = tmp_path / f"pairs.tsv{ending}", tmp_path / f"again{ending.upper()}"
    write_text(path, LINES)
    write_text(again, LINES)
    assert read_text(path) == LINES
    assert path.read_bytes() == again.read_bytes() != LINES.encode()
    with readable_again(path) as plain:
        assert (plain.name, plain.read_text("utf-8")) == ("pairs.tsv", LINES)


@pytest.mark.parametrize("ending", PACKED)
@pytest.mark.parametrize("read", [read_text, lambda path: list(read_pairs(path))])
def test_packed_files_that_are_cut_off_or_too_large_are_refused(tmp_path, monkeypatch, ending, read):
    path = tmp_path / "pairs.tsv"
    whole = PACKED[ending](LINES.encode())
    path.write_bytes(whole[:-3])
    with pytest.raises(FileProblem, match=r"pairs.tsv: The \w+ file is damaged or cut off"):
        read(path)
    monkeypatch.setattr(limits, "UNPACKED_BYTES", 1000)
    path.write_bytes(whole)
    with pytest.raises(FileProblem, match=r"pairs.tsv: The \w+ file holds more than"):
        read(path)


def test_a_small_upload_that_unpacks_to_gigabytes_is_refused(tmp_path):
    zeros = zlib.compressobj(9, wbits=31)
    # Blocks that do not refer to each other: the second is written as often as it takes.
    first, again = (zeros.compress(bytes(1 << 20)) + zeros.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    (tmp_path / "pairs.tsv").write_bytes(first + again * 1024 + zeros.flush())
    with pytest.raises(FileProblem, match="The gzip file holds more than 1,024 MB"):
        limited(read_pairs, tmp_path / "pairs.tsv")


NUMBERS = {"weights": np.array([1.5, -2.0]), "counts": np.arange(6, dtype=np.int32).reshape(2, 3)}
DESCRIPTION = {"kind": "trial", "names": ["ä", "b"]}
