import json

import pytest

from paragold.formats.manifest import build_manifest, described_content, dumps, verify

CONTENTS = {"pairs.tsv": b"abc", "links/gold.naacl": b""}
FILES = {name: described_content(content) for name, content in CONTENTS.items()}


def example(files=FILES, kappa=None):
    details = {"agreement": {"kappa": kappa}}
    return build_manifest(files, counts={"pairs": 3}, signatures={"sample": "v1"}, details=details)


def test_files_with_size_and_checksum():
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert example()["files"] == {
        "links/gold.naacl": {"bytes": 0, "sha256": empty},
        "pairs.tsv": {"bytes": 3, "sha256": abc},
    }


def test_json_is_sorted_ends_with_a_line_feed_and_does_not_depend_on_order():
    text = dumps(example())
    assert text.endswith("}\n")
    assert list(json.loads(text)) == ["counts", "details", "files", "manifest_version", "signatures"]
    assert dumps(example(dict(reversed(FILES.items())))) == text
    assert json.loads(text) == example()
    with pytest.raises(ValueError, match="JSON compliant"):
        dumps(example(kappa=float("nan")))


@pytest.mark.parametrize("name", ["", "/etc/passwd", "../pairs.tsv", "a/../../b", "a\\b"])
def test_names_outside_the_data_set_are_refused(name):
    with pytest.raises(ValueError, match="not a path inside the data set"):
        build_manifest({name: {}}, counts={}, signatures={})


def test_verify_finds_what_is_missing_or_changed(tmp_path):
    manifest = example()
    (tmp_path / "links").mkdir()
    for name, content in CONTENTS.items():
        (tmp_path / name).write_bytes(content)
    assert verify(manifest, tmp_path) == []
    (tmp_path / "pairs.tsv").write_bytes(b"abd")
    (tmp_path / "links/gold.naacl").unlink()
    assert verify(manifest, tmp_path) == [
        "links/gold.naacl is missing.",
        "pairs.tsv was changed: its sha256 is not that of the manifest.",
    ]
    with pytest.raises(ValueError, match="no table of files"):
        verify({}, tmp_path)
    assert verify({"files": {"a": 1}}, tmp_path) == ["a has no sha256 in the manifest."]
