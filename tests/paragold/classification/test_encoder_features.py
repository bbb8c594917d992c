import numpy as np
import pandas as pd
import pytest

import paragold as pg
from paragold.classification import encoder_features as module
from paragold.classification.classifier import LexiconError
from paragold.classification.encoder_features import ENCODER_NAMES, encoder_features
from paragold.languages import ENGLISH
from tests.paragold.classification.examples import labelled_pairs
from tests.paragold.text.tiny_encoder import write_encoder

VECTORS = {
    "a": [1, 0, 0], "dam": [0, 1, 0], "Dee": [0.8, 0.6, 0], "broke": [0, 0, 1], "dyke": [0, 0.6, 0.8],
    "7": [0, 0, -1],
}  # fmt: skip


class Given:
    """An encoder whose vectors are VECTORS in the inner layer; in the last one all words are alike."""

    signature = "given"

    def of_layers(self, sentences):
        inner = [np.array([VECTORS[word] for word in own], dtype=np.float32) for own in sentences]
        return [np.stack([own, np.full_like(own, 3**-0.5)]) for own in inner]


def test_measures_by_hand(monkeypatch):
    monkeypatch.setattr(module, "_known", type(module._known)())
    texts = [("a dam broke", "a Dee dyke 7"), ("a dam", "a dam")]
    values = encoder_features(Given(), texts, ENGLISH)
    assert tuple(values) == ENCODER_NAMES
    first = {name: own[0] for name, own in values.items()}
    sums = np.array([1, 1, 1]), np.array([1.8, 1.2, -0.2])
    cosine = sums[0] @ sums[1] / np.linalg.norm(sums[0]) / np.linalg.norm(sums[1])
    assert first["sentences_inner"] == pytest.approx(cosine, abs=1e-4)
    assert first["sentences_last"] == first["words_last_lesser"] == pytest.approx(1, abs=1e-4)
    # dam: 0.6 by Dee and dyke; broke: 0.8 by dyke. Dee: 0.8 by a; dyke: 0.8; 7: 0, or less with broke.
    assert first["words_inner_lesser"] == pytest.approx((1 + 0.8 + 0.8 + 0) / 4)
    assert first["words_inner_greater"] == pytest.approx((1 + 0.6 + 0.8) / 3)
    assert first["content_words_inner_lesser"] == pytest.approx((0.8 + 0.8 + 0) / 3)
    assert first["farthest_word_inner_greater"] == pytest.approx(0.6)
    assert (first["content_unmatched_lesser"], first["content_unmatched_greater"]) == (0, 1)
    assert (first["numbers_differ_lesser"], first["numbers_differ_greater"]) == (0, 1)
    # A name that is near enough to some word is not counted.
    assert first["names_differ_greater"] == 0
    assert values["content_unmatched_greater"][1] == 0 and values["words_inner_lesser"][1] == 1
    swapped = encoder_features(Given(), [(b, a) for a, b in texts], ENGLISH)
    assert all((swapped[name] == own).all() for name, own in values.items())


def test_a_classifier_names_its_encoder_and_needs_it(tmp_path, monkeypatch):
    folder = write_encoder(tmp_path / "tiny")
    pairs = pd.DataFrame(
        [(pair.label, pair.first, pair.second) for pair in labelled_pairs(90)],
        columns=["label", "text_a", "text_b"],
    )
    classifier = pg.ParaphraseClassifier(encoder=str(folder), c=0.01).fit(pairs)
    assert classifier.trained.signatures["encoder"].endswith("-layer-2-2")
    assert "SHA-256" in classifier.trained.training["encoder"]
    reasons = set(classifier.explain(pairs.head(3))["feature"])
    assert {"encoder:sentences_last", "encoder:words_last_lesser * encoder:words_last_lesser"} <= reasons
    plain = pg.ParaphraseClassifier(c=0.01).fit(pairs)
    assert not any("encoder" in name for name in plain.trained.model[0].names)
    classifier.save(path := tmp_path / "model.npz")
    decided = classifier.decide(pairs)
    # The folder may have moved: then the encoder of the installation is used, if it is the same.
    folder.rename(tmp_path / "moved")
    with pytest.raises(LexiconError, match="trained with an encoder"):
        pg.ParaphraseClassifier.load(path).decide(pairs)
    monkeypatch.setenv("PARAGOLD_ENCODER", str(tmp_path / "moved"))
    assert pg.ParaphraseClassifier.load(path).decide(pairs).equals(decided)
    monkeypatch.setenv("PARAGOLD_ENCODER", str(write_encoder(tmp_path / "other", seed=2)))
    with pytest.raises(LexiconError, match="another lexicon encoder"):
        pg.ParaphraseClassifier.load(path).decide(pairs)
