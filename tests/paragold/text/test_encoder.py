"""The encoder: equal to the formulas in plain float64, whatever else is computed beside a sentence."""

from math import sqrt

import numpy as np
import pytest
from scipy.special import erf

from paragold.text import encoder_kernels as kernels
from paragold.text.encoder import Encoder
from tests.paragold.text.tiny_encoder import HEADS, LONGEST, write_encoder, write_multilingual_encoder

SENTENCES = [["the", "dam", "broke"], ["dams"], ["the", "broken", "dam", "broke", "early"], ["x"] * 30, []]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_encoder(tmp_path_factory.mktemp("encoders") / "tiny")


def plain_states(weights, ids, layers):
    """The states of a sentence, by the formulas of Vaswani et al. (2017) and Devlin et al. (2019)."""
    w = {name: value.astype(float) for name, value in weights.items()}

    def norm(x, name):
        x = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-12)
        return x * w[f"{name}.weight"] + w[f"{name}.bias"]

    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(x + w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for layer in range(layers):
        at = f"encoder.layer.{layer}."

        def linear(name, x, at=at):
            return x @ w[f"{at}{name}.weight"].T + w[f"{at}{name}.bias"]

        heads = []
        for own in np.split(np.arange(x.shape[1]), HEADS):
            q, k, v = (linear(f"attention.self.{name}", x)[:, own] for name in ("query", "key", "value"))
            scores = np.exp(q @ k.T / sqrt(len(own)))
            heads.append(scores / scores.sum(1, keepdims=True) @ v)
        x = norm(x + linear("attention.output.dense", np.hstack(heads)), f"{at}attention.output.LayerNorm")
        hidden = linear("intermediate.dense", x)
        hidden = hidden * (1 + erf(hidden / sqrt(2))) / 2
        x = norm(x + linear("output.dense", hidden), f"{at}output.LayerNorm")
    return x


@pytest.mark.parametrize("layers", [1, 2])
def test_words_are_the_means_of_their_pieces_after_the_layers(folder, layers):
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    encoder = Encoder(folder, layers)
    vectors = encoder.vectors(SENTENCES)
    tokeniser, weights = (
        Tokenizer.from_file(str(folder / "tokenizer.json")),
        load_file(folder / "model.safetensors"),
    )
    for words, got in zip(SENTENCES[:3], vectors, strict=False):
        pieces = tokeniser.encode(words, is_pretokenized=True)
        states = plain_states(weights, pieces.ids, layers)
        means = [
            states[[place for place, of in enumerate(pieces.word_ids) if of == word]].mean(0)
            for word in range(len(words))
        ]
        assert got == pytest.approx(np.array([mean / np.linalg.norm(mean) for mean in means]), abs=1e-5)
    assert vectors[-1].shape == (0, 16)
    assert [len(own) for own in encoder.vectors(SENTENCES)] == [3, 1, 5, 30, 0]
    # Words beyond the longest sentence have no vector.
    assert np.linalg.norm(vectors[3], axis=1).tolist() == pytest.approx(
        [1.0] * (LONGEST - 1) + [0.0] * (31 - LONGEST)
    )


def test_steps_between_products_are_those_of_the_formulas():
    rng = np.random.default_rng(0)
    rows, bias, weight = rng.normal(0, 4, (3, 48)), rng.normal(size=48), rng.normal(size=48)
    in_place = rows.astype(np.float32)
    kernels.gelu(in_place, bias.astype(np.float32))
    values = rows + bias
    assert in_place == pytest.approx(values * (1 + erf(values / sqrt(2))) / 2, abs=3e-6)
    in_place = rows.astype(np.float32)
    kernels.normalise(in_place, weight.astype(np.float32), bias.astype(np.float32), np.float32(1e-12))
    normal = (rows - rows.mean(1, keepdims=True)) / rows.std(1, keepdims=True)
    assert in_place == pytest.approx(normal * weight + bias, abs=1e-5)


def test_neighbours_and_the_memory_of_sentences_change_nothing(folder):
    together = Encoder(folder).vectors(SENTENCES)
    encoder = Encoder(folder)
    for sentence, own in zip(SENTENCES, together, strict=True):
        assert encoder.vectors([sentence])[0] == pytest.approx(own, abs=1e-6)
    again = encoder.vectors(SENTENCES)
    assert all((one == other).all() for one, other in zip(again, encoder.vectors(SENTENCES), strict=True))
    assert encoder.signature.startswith("encoder-") and encoder.signature.endswith("-layer-2")


def test_a_multilingual_encoder_keeps_case_and_accents(folder, tmp_path):
    encoder = Encoder(write_multilingual_encoder(tmp_path / "multilingual"), 1, 2)

    def vectors(*words):
        return encoder.of_layers([words])[0]

    assert not np.allclose(vectors("La"), vectors("la"))
    assert not np.allclose(vectors("cédé"), vectors("cede"))
    # Words that it does not know are all the same piece; signs of Chinese are one piece each.
    assert np.allclose(vectors("LA"), vectors("tot"))
    water = vectors("水坝")
    assert water.shape == (2, 1, 16) and not np.allclose(water, vectors("坝水"))
    assert np.allclose(Encoder(folder).vectors([["The"]])[0], Encoder(folder).vectors([["the"]])[0])
