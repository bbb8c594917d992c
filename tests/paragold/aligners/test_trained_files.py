import json

import numpy as np
import pytest

from paragold.aligners.best import best
from paragold.aligners.model_files import ModelFileError, load, save
from paragold.aligners.trained_files import load_aligner, save_aligner
from tests.paragold.aligners.test_best import GOLD, PAIRS


@pytest.mark.parametrize("gold", [(), GOLD])
def test_a_saved_aligner_draws_the_same_links(tmp_path, gold):
    trained = best(wordnet=False).train(PAIRS, gold=gold)
    digest = save_aligner(tmp_path / "best.npz", trained)
    opened = load_aligner(tmp_path / "best.npz")
    assert opened.signature == trained.signature
    assert opened.align_all(PAIRS) == trained.align_all(PAIRS)
    assert opened.model.iterations == trained.model.iterations
    assert save_aligner(tmp_path / "again.npz", opened) == digest


def test_two_vocabularies_and_words_of_any_kind(tmp_path):
    trained = best(language=None).train([(["ein", "文\u2028", "ß"], ["a", "\U0001f600"])])
    save_aligner(tmp_path / "best.npz", trained)
    assert load_aligner(tmp_path / "best.npz").model.source_vocabulary.words == ["ein", "文\u2028", "ß"]


def test_an_aligner_with_other_parts_is_refused(tmp_path):
    save_aligner(tmp_path / "best.npz", best(wordnet=False).train(PAIRS, gold=GOLD))
    numbers, description = load(tmp_path / "best.npz")
    for change, message in (
        ({"kind": "other"}, "is no aligner of this version"),
        ({"relations": "relations:snowball-1.0-english"}, "Install the same stemmer and WordNet"),
        ({"features": ["length"]}, "other features of links"),
        ({"parameters": {"ibm9_iterations": 3}}, "is not a whole aligner"),
    ):
        save(tmp_path / "changed.npz", numbers, json.loads(json.dumps({**description, **change})))
        with pytest.raises(ModelFileError, match=message):
            load_aligner(tmp_path / "changed.npz")
    save(tmp_path / "part.npz", {"keys": np.zeros(0)}, description)
    with pytest.raises(ModelFileError, match="is not a whole aligner"):
        load_aligner(tmp_path / "part.npz")
