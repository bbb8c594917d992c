"""Files of other annotation tools (README.md says how each was made): what is read, and what is named."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from paragold.formats.judgements.judged_pairs import JUDGEMENT_FORMATS, Reading, read_judged_pairs
from paragold.formats.link_files import read_links, write_links
from paragold.formats.text_files import write_text
from paragold.metrics.links import LinkedPair

from .examples import JUDGED, LINKS

FILES = Path(__file__).parent


def read(name: str, **options: str) -> tuple[list[LinkedPair], dict[str, int]]:
    unknown: Counter[str] = Counter()
    return read_links(FILES / name, unknown=unknown, **options), dict(unknown)


@pytest.mark.parametrize(
    ("name", "unknown"),
    [
        ("label-studio-links.json", {"annotation that is not the ground truth": 1}),
        ("doccano-links.jsonl", {}),
    ],
)
def test_links_exported_by_the_tools_are_those_that_were_imported(
    name: str, unknown: dict[str, int], tmp_path: Path
) -> None:
    pairs, not_read = read(name)

    assert pairs == LINKS
    assert not_read == unknown
    format_id = name.partition("-links")[0].replace("-", "_")
    write_links(tmp_path / name, pairs, format_id)
    assert read_links(tmp_path / name) == LINKS


@pytest.mark.parametrize("name", ["label-studio-pairs.json", "doccano-pairs.jsonl"])
def test_judgements_exported_by_the_tools_are_those_that_were_imported(name: str, tmp_path: Path) -> None:
    found = read_judged_pairs(FILES / name, Reading())
    assert (found.problems, found.unknown) == ([], Counter())
    expected = list(JUDGED)
    if found.format == "doccano":
        expected[2] = replace(expected[2], comment="written in doccano")
    assert [replace(pair, line=0) for pair in found.pairs] == expected

    one = JUDGEMENT_FORMATS.get(found.format)
    write_text(tmp_path / name, one.write(found.pairs, 0) + one.end)
    again = read_judged_pairs(tmp_path / name, Reading())
    assert [replace(pair, line=0) for pair in again.pairs] == expected


def test_label_studio_annotators_are_chosen_by_number(tmp_path: Path) -> None:
    path = FILES / "label-studio-pairs.json"
    assert [pair.label for pair in read_judged_pairs(path, Reading(judge="1")).pairs] == [
        "paraphrase", "not_paraphrase", "not_paraphrase",
    ]  # fmt: skip
    nobody = read_judged_pairs(path, Reading(judge="9"))
    assert nobody.unknown == {"task without an annotation, left out": 3}
    assert "has no pair" in nobody.problems[0].message
