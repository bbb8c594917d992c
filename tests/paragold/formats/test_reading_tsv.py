"""The published tab-separated files, read as the card says, by pandas, polars and this program."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from paragold.formats.judgements import labelled_pairs
from paragold.formats.judgements.labelled_pairs import TextPair, dumps, read_pairs
from paragold.formats.pairs import files
from paragold.formats.pairs.card import READING_TSV
from paragold.formats.pairs.files import PairRow

TEXTS = [
    *('"The storm hit.', 'hurt."', '"Both ends"', 'an "inner" one', '"', '""', "'", '" "'),
    *("NA", "null", "None", "nan", "N/A", "-", "1.0", "007", "1e5", "True", "2004-08-31"),
    *("# no comment", "a \\ back", "\\N", "=1+1", "a, b; c", "caf\u00e9 \U0001f600", "\ufeffmark"),
    *(" leading", "trailing ", "two  spaces", "non\u00a0breaking", "a\u200bb", "\u3000wide"),
    *("tab\there", "line\nbreak", "carriage\rreturn", "both\r\n", "next\u0085line", "para\u2029graph"),
]


def rows() -> list[PairRow]:
    pairs = zip(TEXTS, reversed(TEXTS), strict=True)
    return [
        PairRow(f"{n}", f"c{n}", f"a{n}", 0, f"b{n}", 1, 4, 3, 3, 1, a, b, a, b)
        for n, (a, b) in enumerate(pairs)
    ]


@pytest.fixture(params=["dataset", "msr"])
def published(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, list[tuple[str, str]], str, str]:
    """A file, its texts, and the names of their columns."""
    one_line = files.one_line if request.param == "dataset" else labelled_pairs.one_line
    texts = [(one_line(a), one_line(b)) for a, b in zip(TEXTS, reversed(TEXTS), strict=True)]
    if request.param == "dataset":
        with files.PairFiles(tmp_path, "pairs", ["tsv"]) as written:
            written.add(rows())
        return tmp_path / "pairs.tsv", texts, "text_a", "text_b"
    pairs = [TextPair(a, b, True, "", ("x", "y"), n) for n, (a, b) in enumerate(texts)]
    (tmp_path / "msr.tsv").write_text(dumps(pairs), encoding="utf-8", newline="")
    return tmp_path / "msr.tsv", texts, "#1 String", "#2 String"


def called(library: str, path: Path) -> Any:
    """The result of the call that the card gives for a library."""
    names: dict[str, Any] = {}
    code = re.search(rf"^((?:import \w+\n)*){library}\.read_csv\([^`]*?\)$", READING_TSV, re.M)
    assert code
    text = (
        code[0].replace("FILE.tsv", str(path)).replace(f"{library}.read_csv", f"table = {library}.read_csv")
    )
    exec(text, names)
    return names["table"]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_libraries_and_this_program_read_the_texts(
    published: tuple[Path, list[tuple[str, str]], str, str], library: str
) -> None:
    path, texts, first, second = published
    assert [(pair.first, pair.second) for pair in read_pairs(path)] == texts
    pytest.importorskip(library)
    table = called(library, path)
    assert list(zip(table[first], table[second], strict=True)) == texts
