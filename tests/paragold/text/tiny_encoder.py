"""A tiny encoder with random weights, of the shape that BERT models have."""

import json

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

PIECES = ["[UNK]", "[CLS]", "[SEP]", "the", "a", "dam", "##s", "broke", "##n", "early", "x", "river", "!"]
SIZE, HEADS, LAYERS, INNER, LONGEST = 16, 2, 2, 24, 20


MULTILINGUAL = [
    *("[UNK]", "[CLS]", "[SEP]", "La", "la", "Digue", "digue", "##s", "a", "cédé", "cede", "tôt", "De", "de"),
    *("dijk", "brak", "水", "坝", "rivière", "!"),
]
"""Pieces of several languages, cased and with accents, as mBERT and LaBSE have them."""


def write_multilingual_encoder(folder):
    """One that keeps case and accents, its weights named as those of mBERT and LaBSE are."""
    return write_encoder(folder, pieces=MULTILINGUAL, lowercase=False, prefix="bert.")


def write_encoder(folder, seed=1, *, pieces=PIECES, lowercase=True, prefix=""):
    """Write the three files of an encoder into a new folder; returns the folder."""
    rng = np.random.default_rng(seed)

    def random(*shape):
        return rng.normal(0, 0.5, shape).astype(np.float32)

    weights = {
        "embeddings.word_embeddings.weight": random(len(pieces), SIZE),
        "embeddings.position_embeddings.weight": random(LONGEST, SIZE),
        "embeddings.token_type_embeddings.weight": random(2, SIZE),
    }
    linear = {
        "attention.self.query": (SIZE, SIZE), "attention.self.key": (SIZE, SIZE),
        "attention.self.value": (SIZE, SIZE), "attention.output.dense": (SIZE, SIZE),
        "intermediate.dense": (INNER, SIZE), "output.dense": (SIZE, INNER),
    }  # fmt: skip
    norms = ["embeddings.LayerNorm"]
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}."
        for name, shape in linear.items():
            weights |= {f"{at}{name}.weight": random(*shape), f"{at}{name}.bias": random(shape[0])}
        norms += [f"{at}attention.output.LayerNorm", f"{at}output.LayerNorm"]
    for name in norms:
        weights |= {f"{name}.weight": 1 + random(SIZE), f"{name}.bias": random(SIZE)}
    folder.mkdir()
    weights = {f"{prefix}{name}": value for name, value in weights.items()}
    save_file(weights, folder / "model.safetensors")
    config = {"num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "layer_norm_eps": 1e-12}
    (folder / "config.json").write_text(json.dumps(config))
    tokeniser = Tokenizer(WordPiece({piece: n for n, piece in enumerate(pieces)}, unk_token="[UNK]"))
    tokeniser.normalizer = BertNormalizer(lowercase=lowercase)
    tokeniser.pre_tokenizer = BertPreTokenizer()
    tokeniser.post_processor = TemplateProcessing(
        "[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    tokeniser.save(str(folder / "tokenizer.json"))
    return folder
