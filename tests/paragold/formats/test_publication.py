from dataclasses import replace

import pytest
import yaml

from paragold.formats.publishing import (
    Card,
    build_manifest,
    canonical_licence,
    data_card,
    described_content,
    publication_files,
    verify,
)

COLUMNS = {"id": str, "count": int, "approved": bool}
CARD = Card(
    title='Dämme: "gold" v2',
    language="pt-BR",
    about="Pairs: with a colon # and more.",
    sections=[],
    files={"pairs.parquet": "pairs", "LICENSE": "licence"},
    columns={"id": "the key", "count, approved": "others"},
    pairs=2,
    licence="CC-BY-4.0",
    limits="Few pairs.",
    authors="Müller, Änne\n\nInstitute: Examples\n",
    version="2.0.0",
    date="2026-11-01",
    parquet={"pairs": {"train": "pairs.parquet"}},
    types={"pairs": COLUMNS},
)
SOME = {"pairs.parquet": {"bytes": 1, "sha256": "0" * 64}}


def front_of(card):
    front = yaml.safe_load(data_card(card).split("---\n")[1])
    return front


def test_what_people_wrote_is_valid_yaml_with_a_size_of_the_hub():
    assert front_of(CARD)["pretty_name"] == CARD.title
    assert front_of(CARD)["language"] == ["pt"]
    citation = yaml.safe_load(publication_files(CARD, SOME)["CITATION.cff"])
    assert (citation["title"], citation["abstract"]) == (CARD.title, CARD.about)
    assert citation["authors"] == [
        {"family-names": "Müller", "given-names": "Änne"},
        {"name": "Institute: Examples"},
    ]
    assert {"cff-version", "message", "type", "version", "date-released", "license"} <= citation.keys()
    assert front_of(replace(CARD, licence=""))["size_categories"] == ["n<1K"]
    assert "## Authors\n\nMüller, Änne; Institute: Examples\n" in data_card(CARD)
    sizes = {0: "n<1K", 999: "n<1K", 1_000: "1K<n<10K", 229_000: "100K<n<1M", 10**7: "n>10M", 10**9: "n>10M"}
    for pairs, size in sizes.items():
        assert front_of(replace(CARD, pairs=pairs))["size_categories"] == [size]


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("cc-by-4.0", "CC-BY-4.0"),
        (" odbl-1.0\n", "ODbL-1.0"),
        *((written, None) for written in ("CC BY 4.0", "free", "CC-BY-9.9", "(MIT", "MIT OR")),
    ],
)
def test_a_licence_is_an_spdx_expression(written, canonical):
    if canonical is not None:
        assert canonical_licence(written) == canonical
        return
    with pytest.raises(ValueError, match="is not an SPDX licence"):
        canonical_licence(written)


GIVEN = {"pairs.tsv": b"abc", "links/gold.naacl": b""}
DESCRIBED = {name: described_content(content) for name, content in GIVEN.items()}


def example(files=DESCRIBED, kappa=None):
    details = {"agreement": {"kappa": kappa}}
    return build_manifest(files, counts={"pairs": 3}, signatures={"sample": "v1"}, details=details)


def test_manifests_have_checksums_and_verify_finds_what_is_missing_or_changed(tmp_path):
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert example()["files"] == {
        "links/gold.naacl": {"bytes": 0, "sha256": empty},
        "pairs.tsv": {"bytes": 3, "sha256": abc},
    }
    manifest = example()
    (tmp_path / "links").mkdir()
    for name, content in GIVEN.items():
        (tmp_path / name).write_bytes(content)
    assert verify(manifest, tmp_path) == []
    (tmp_path / "pairs.tsv").write_bytes(b"abd")
    (tmp_path / "links/gold.naacl").unlink()
    assert verify(manifest, tmp_path) == [
        "links/gold.naacl is missing.",
        "pairs.tsv was changed: its sha256 is not that of the manifest.",
    ]


@pytest.mark.parametrize("name", ["", "/etc/passwd", "../pairs.tsv", "a/../../b", "a\\b"])
def test_names_outside_the_data_set_are_refused(name):
    with pytest.raises(ValueError, match="not a path inside the data set"):
        build_manifest({name: {}}, counts={}, signatures={})
