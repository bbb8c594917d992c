import numpy as np
import pytest

from paragold.aligners.model_files import ModelFileError, content_hash, load, save

NUMBERS = {"weights": np.array([1.5, -2.0]), "counts": np.arange(6, dtype=np.int32).reshape(2, 3)}
DESCRIPTION = {"kind": "trial", "names": ["ä", "b"]}


def test_there_and_back(tmp_path):
    digest = save(tmp_path / "model.npz", NUMBERS, DESCRIPTION)
    numbers, description = load(tmp_path / "model.npz")
    assert description == DESCRIPTION
    assert {name: (a.dtype, a.tolist()) for name, a in numbers.items()} == {
        name: (a.dtype, a.tolist()) for name, a in NUMBERS.items()
    }
    assert digest == content_hash(NUMBERS, DESCRIPTION) == content_hash(numbers, description)
    assert [path.name for path in tmp_path.iterdir()] == ["model.npz"]


def test_the_hash_tells_values_types_and_descriptions_apart():
    changed = [
        ({**NUMBERS, "weights": np.array([1.5, -2.1])}, DESCRIPTION),
        ({**NUMBERS, "weights": np.array([1.5, -2.0], dtype=np.float32)}, DESCRIPTION),
        (NUMBERS, {**DESCRIPTION, "kind": "other"}),
    ]
    assert len({content_hash(*contents) for contents in [(NUMBERS, DESCRIPTION), *changed]}) == 4


def test_files_of_another_kind_are_refused(tmp_path):
    (tmp_path / "text").write_text("no model")
    np.savez(tmp_path / "other.npz", weights=NUMBERS["weights"])
    np.savez(tmp_path / "pickled.npz", allow_pickle=True, weights=np.array([{"a": 1}], dtype=object))
    for name in ("text", "other.npz", "pickled.npz", "absent"):
        with pytest.raises(ModelFileError, match="is not a model of Paragold"):
            load(tmp_path / name)


def test_changed_numbers_are_refused(tmp_path):
    save(tmp_path / "model.npz", NUMBERS, DESCRIPTION)
    with np.load(tmp_path / "model.npz") as archive:
        arrays = {name: archive[name] for name in archive.files}
    arrays["weights"] = arrays["weights"] + 1
    np.savez(tmp_path / "model.npz", **arrays)
    with pytest.raises(ModelFileError, match="hash does not fit"):
        load(tmp_path / "model.npz")
