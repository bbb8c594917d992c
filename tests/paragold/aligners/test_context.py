import numpy as np
import pytest

from paragold.aligners.best import BestAligner
from paragold.aligners.context import CONTEXT_NAMES, context_evidence
from paragold.metrics.links import LinkedPair, Links
from tests.paragold.text.tiny_encoder import write_encoder, write_multilingual_encoder

VECTORS = {
    "a": [1, 0, 0], "b": [0, 1, 0], "c": [0.6, 0.8, 0], "d": [0, 0, 1], "e": [0, 0.6, 0.8],
}  # fmt: skip


class Given:
    """An encoder whose vectors are VECTORS."""

    def vectors(self, sentences):
        return [
            np.array([VECTORS[word] for word in own], dtype=np.float32).reshape(-1, 3) for own in sentences
        ]


def test_similarities_margins_and_nearest_words_by_hand():
    (values, may_be_linked), (empty, nothing) = context_evidence(Given(), [("ab", "cde"), ("", "a")])
    by_name = dict(zip(CONTEXT_NAMES, values, strict=True))
    assert by_name["context, similarity"] == pytest.approx(np.array([[0.6, 0, 0], [0.8, 0, 0.6]]))
    row = np.array([[0.6, -0.6, -0.6], [0.2, -0.8, -0.2]])
    column = np.array([[-0.2, 0, -0.6], [0.2, 0, 0.6]])
    assert by_name["context, lower margin"] == pytest.approx(np.minimum(row, column))
    assert by_name["context, higher margin"] == pytest.approx(np.maximum(row, column))
    assert by_name["context, mutual nearest"].tolist() == [[0, 0, 0], [1, 0, 0]]
    assert by_name["context, nearest of one"].tolist() == [[1, 1, 0], [0, 1, 1]]
    assert by_name["context, similarity of neighbours"] == pytest.approx(np.array([[0, 0.3, 0], [0, 0.3, 0]]))
    # a and b together are as near to c as 1.4 / sqrt 2.
    assert by_name["context, two words as one"][0, 0] == pytest.approx(1.4 / 2**0.5 - 0.6, abs=1e-4)
    assert may_be_linked.tolist() == [[True, False, False], [True, False, True]]
    assert empty.shape == (len(CONTEXT_NAMES), 0, 1) and nothing.shape == (0, 1)


def test_best_learns_from_an_encoder_and_says_which(tmp_path, monkeypatch):
    folder = write_encoder(tmp_path / "tiny")
    words = ("the", "dam", "broke", "early", "river", "a")
    rng = np.random.default_rng(0)
    gold = []
    for number in range(12):
        source = tuple(rng.permutation(words)[:4].tolist())
        target = tuple(rng.permutation(source).tolist())
        sure = frozenset((i, target.index(word)) for i, word in enumerate(source) if word != "the")
        gold.append(LinkedPair(str(number), source, target, Links(sure, sure)))
    with_encoder = BestAligner(encoder=str(folder)).fit([], gold=gold)
    monkeypatch.setenv("PARAGOLD_ENCODER", str(folder))
    by_default = BestAligner(encoder="default").fit([], gold=gold)
    assert with_encoder.own_signature() == by_default.own_signature()
    assert "+encoder-" in with_encoder.own_signature()
    plain = BestAligner().fit([], gold=gold)
    assert "encoder" not in plain.own_signature()
    assert with_encoder.explanations(*gold[0].tokens)
    monkeypatch.delenv("PARAGOLD_ENCODER")
    with pytest.raises(ValueError, match="PARAGOLD_ENCODER names no folder"):
        BestAligner(encoder="default").fit([], gold=gold)


@pytest.mark.parametrize("two_languages", [False, True])
def test_best_learns_from_a_multilingual_encoder(tmp_path, two_languages):
    folder = write_multilingual_encoder(tmp_path / "multilingual")
    words = {"La": "De", "digue": "dijk", "cédé": "brak", "tôt": "!"}
    if not two_languages:
        words = {"La": "la", "Digue": "digue", "cédé": "cédé", "rivière": "tôt"}
    rng, gold = np.random.default_rng(0), []
    for number in range(12):
        source = tuple(rng.permutation(list(words)).tolist())
        target = tuple(rng.permutation([words[word] for word in source]).tolist())
        links = Links.of((i, target.index(words[word])) for i, word in enumerate(source))
        gold.append(LinkedPair(str(number), source, target, links))
    settings = BestAligner().settings_for("fr", "nl" if two_languages else "")
    aligner = BestAligner(**{**settings, "encoder": str(folder)}).fit([], gold=gold)
    sources = {name for link in aligner.explanations(*gold[0].tokens) for name, _ in link.sources}
    assert "words in context" in sources and not aligner.start
    drawn = set(aligner.align(*gold[0].tokens))
    assert drawn & gold[0].links.sure if two_languages else drawn == gold[0].links.sure
