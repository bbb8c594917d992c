"""Files of other annotation tools (README.md says how each was made): what is read, and what is named."""

from __future__ import annotations

import zipfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from paragold.formats.judgements.judged_pairs import JUDGEMENT_FORMATS, Reading, read_judged_pairs
from paragold.formats.links.registry import read_links, write_links
from paragold.formats.text_files import write_text
from paragold.metrics.links import LinkedPair, Links

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
    write_text(tmp_path / name, one.write(found.pairs, 0, "en") + one.end)
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


def test_inception() -> None:
    [pair], unknown = read("inception.tsv")

    assert pair.tokens.source == ("I", "like", "it", "😊", ".")
    assert pair.tokens.target == ("It", "pleases", "me", "a\\b")
    # 1-2[1_0] is a span of two words, 1-1[0_2] ends at one; Doubt has no feature.
    assert pair.links == Links.of([(3, 0), (1, 1), (2, 1), (0, 3)], [(0, 1), (0, 2), (0, 3)])
    assert unknown == {
        "layer de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity": 1,
        "part of a word with annotations": 1,
        "relation label doubtful": 1,
        "relation without a label, read as SURE": 1,
    }


def test_prodigy_links() -> None:
    [pair], unknown = read("prodigy-links.jsonl")

    assert pair.tokens.source == ("I", "like", "it", "😊", ".")
    assert pair.links == Links.of([(4, 3)], [(0, 2), (1, 1), (2, 1)])
    assert unknown == {
        "field meta": 1,
        "relation label COREF": 1,
        "span label PHRASE": 1,
        "task answered with reject, left out": 1,
    }


def test_prodigy_judgements() -> None:
    found = read_judged_pairs(FILES / "prodigy-pairs.jsonl", Reading())

    assert (found.format, found.problems) == ("prodigy", [])
    assert [(pair.a, pair.label) for pair in found.pairs] == [
        ("It rained.", "paraphrase"),
        ("It rained.", "not_paraphrase"),
        ("It 😊 rained.", None),
    ]
    assert found.unknown == {"field meta": 1}


def test_brat(tmp_path: Path) -> None:
    path = tmp_path / "storm.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted((FILES / "brat").iterdir()):
            archive.write(file, f"collection/{file.name}")
        archive.writestr("collection/empty.txt", "a\nb\n")
        archive.writestr("collection/visual.conf", "[labels]\n")
        archive.writestr("collection/notes.md", "x")
    unknown: Counter[str] = Counter()
    [pair] = read_links(path, unknown=unknown)

    assert (pair.key, pair.tokens.target) == ("storm", ("It", "pleases", "me", "."))
    # T2 is two words, T5 is in two pieces.
    assert pair.links == Links.of([(1, 1), (2, 1)], [(0, 0), (0, 2)])
    assert unknown == {
        **{"attribute": 1, "equivalence": 1, "event": 1, "note": 1, "relation label Cause": 1},
        **{"file *.md": 1, "text without annotations, left out": 1},
    }


def test_tmx() -> None:
    found = read_judged_pairs(FILES / "memory.tmx", Reading())

    assert (found.format, found.problems) == ("tmx", [])
    first, second = found.pairs
    assert (first.key, first.a, first.b) == ("0001", "Rain & black clouds 😊.", "It rained.")
    assert (first.label, first.comment) == ("not_paraphrase", "Text of a note at the TU level.")
    assert (second.a, second.b, second.label, second.line) == (' שלום "x" ', "e\u0301", "paraphrase", 16)
    assert found.unknown["prop x-Domain"] == found.unknown["element hi in a segment"] == 1
    assert found.unknown["unit without a label, read as paraphrase"] == 1
    assert found.unknown["attribute usagecount"] == 1
