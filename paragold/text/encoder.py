"""Words in context from a small BERT-like encoder in a folder, with numpy on the processor.

A folder holds `model.safetensors`, `tokenizer.json` and `config.json` of a BERT model such as MiniLM, BERT,
mBERT or LaBSE (Devlin et al. 2019, "BERT: Pre-training of deep bidirectional transformers"). Only the first
layers are computed: what words mean in their sentence is clearest there, the last layers serve the task that
the encoder was trained for (docs/aligners.md has the figures). Nothing is fetched at run time.
"""

from __future__ import annotations

import json
from collections import OrderedDict, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from paragold.arrays import Float32s
from paragold.formats.publishing import sha256_of
from paragold.problems import FileProblem

LAYER = 3
ABOUT = "paragold.json"
"""What `paragold get-encoder` says of where an encoder comes from: title, licence, from, sha256."""
FILES = ("model.safetensors", "tokenizer.json", "config.json")
EXTRA = "pip install safetensors tokenizers"
_BATCH = 16
"""Sentences of one length that are computed together; more do not fit into the cache of a core."""
_CACHED_SENTENCES = 2_000


class Encoder:
    """The first layers of an encoder, as vectors of words.

    folder : where its files are. signature : the beginning of the SHA-256 of its weights, and its layer.
    Raises FileProblem for a folder without the files or with those of another kind of model, and ValueError
    where the packages of the extra `encoder` are missing.
    """

    def __init__(self, folder: Path, layer: int = LAYER) -> None:
        try:
            from safetensors import safe_open
            from tokenizers import Tokenizer
        except ImportError as error:
            raise ValueError(f"An encoder needs the packages safetensors and tokenizers: {EXTRA}") from error

        for name in FILES:
            if not (folder / name).is_file():
                remedy = "Name a folder that `paragold get-encoder` wrote, or one with these files."
                raise FileProblem(f"The folder of the encoder has no {name}.", remedy, file=str(folder))
        try:
            config = json.loads((folder / "config.json").read_text("utf-8"))
            self._tokeniser = Tokenizer.from_file(str(folder / "tokenizer.json"))
            used = ["embeddings.", *(f"encoder.layer.{number}." for number in range(layer))]
            with safe_open(folder / "model.safetensors", framework="np") as file:
                # mBERT and LaBSE may have their names behind a prefix.
                names = {name.removeprefix("bert."): name for name in file.keys()}  # noqa: SIM118 - no mapping
                self._weights = {
                    short: file.get_tensor(name)
                    for short, name in names.items()
                    if short.startswith(tuple(used))
                }
            self._layers = [self._layer(number) for number in range(min(layer, config["num_hidden_layers"]))]
            self._heads = int(config["num_attention_heads"])
            self._epsilon = float(config["layer_norm_eps"])
            self._places = self._weights["embeddings.position_embeddings.weight"]
        except Exception as error:  # tokenizers raises Exception itself
            remedy = "It must be a BERT model: MiniLM, BERT, mBERT or LaBSE."
            raise FileProblem(f"The encoder cannot be read ({error}).", remedy, file=str(folder)) from error
        self._tokeniser.no_padding()
        self._tokeniser.no_truncation()
        self.folder = folder
        digest = sha256_of(folder / FILES[0])
        self.signature = f"encoder-{digest[:16]}-layer-{len(self._layers)}"
        self._known: OrderedDict[tuple[str, ...], Float32s] = OrderedDict()

    def _layer(self, number: int) -> Mapping[str, Any]:
        """The weights of a layer by the ends of their names, transposed for products from the right."""
        start = f"encoder.layer.{number}."
        own = {
            name.removeprefix(start): value for name, value in self._weights.items() if name.startswith(start)
        }
        return {
            name: np.ascontiguousarray(value.T) if value.ndim == 2 else value for name, value in own.items()
        }

    def vectors(self, sentences: Sequence[Sequence[str]]) -> list[Float32s]:
        """Of each sentence the vectors of its words, (words, size), each of length 1.

        A word's is the mean of its pieces'; that of a word without pieces, or beyond the encoder's longest
        sentence (512 pieces, mostly), is 0.
        """
        keys = [tuple(sentence) for sentence in sentences]
        wanted = {key for key in keys if key and key not in self._known}
        computed = dict(self._computed(sorted(wanted)))
        result = [
            np.zeros((0, self._places.shape[1]), dtype=np.float32)
            if not key
            else computed[key] if key in computed else self._known[key]
            for key in keys
        ]  # fmt: skip
        for key, value in computed.items():
            self._known[key] = value
        while len(self._known) > _CACHED_SENTENCES:
            self._known.popitem(last=False)
        return result

    def _computed(self, sentences: Sequence[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], Float32s]]:
        """Sentences of equal length together: nothing is padded, so neighbours change nothing."""
        by_length: defaultdict[int, list[int]] = defaultdict(list)
        encodings = self._tokeniser.encode_batch([list(words) for words in sentences], is_pretokenized=True)
        longest = len(self._places)
        for number, encoding in enumerate(encodings):
            by_length[min(len(encoding.ids), longest)].append(number)
        for length, numbers in by_length.items():
            for start in range(0, len(numbers), _BATCH):
                some = numbers[start : start + _BATCH]
                states = self._states(np.array([encodings[n].ids[:length] for n in some]))
                for n, own in zip(some, states, strict=True):
                    yield sentences[n], _of_words(own, encodings[n].word_ids[:length], len(sentences[n]))

    def _states(self, ids: Any) -> Float32s:
        """(sentences, pieces, size): what the last of the layers has of each piece."""
        count, length = ids.shape
        words = self._weights["embeddings.word_embeddings.weight"]
        kind = self._weights["embeddings.token_type_embeddings.weight"][0]
        states = self._normalised(
            words[ids] + self._places[:length] + kind, self._weights, "embeddings.LayerNorm"
        )
        size = states.shape[-1] // self._heads
        for own in self._layers:
            query, key, value = (
                _linear(states, own, f"attention.self.{name}")
                .reshape(count, length, self._heads, size)
                .transpose(0, 2, 1, 3)
                for name in ("query", "key", "value")
            )
            scores = query @ key.transpose(0, 1, 3, 2)
            scores /= sqrt(size)
            scores -= scores.max(axis=-1, keepdims=True)
            np.exp(scores, out=scores)
            scores /= scores.sum(axis=-1, keepdims=True)
            mixed = (scores @ value).transpose(0, 2, 1, 3).reshape(count, length, -1)
            mixed = states + _linear(mixed, own, "attention.output.dense")
            states = self._normalised(mixed, own, "attention.output.LayerNorm")
            hidden = _gelu(_linear(states, own, "intermediate.dense"))
            states = self._normalised(states + _linear(hidden, own, "output.dense"), own, "output.LayerNorm")
        return np.asarray(states, dtype=np.float32)

    def _normalised(self, states: Any, weights: Mapping[str, Any], name: str) -> Any:
        states -= states.mean(axis=-1, keepdims=True)
        states /= np.sqrt(np.square(states).mean(axis=-1, keepdims=True) + np.float32(self._epsilon))
        states *= weights[f"{name}.weight"]
        states += weights[f"{name}.bias"]
        return states


def _linear(states: Any, weights: Mapping[str, Any], name: str) -> Any:
    flat = states.reshape(-1, states.shape[-1]) @ weights[f"{name}.weight"]
    flat += weights[f"{name}.bias"]
    return flat.reshape(*states.shape[:-1], -1)


_ERF = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
_ERF_POLE = 0.3275911


def _gelu(values: Any) -> Any:
    """Gaussian error linear units (Hendrycks & Gimpel 2016), x Phi(x).

    The error function is that of Abramowitz & Stegun (1964), 7.1.26, exact to 1.5e-7 as float32 is: in numpy
    it takes a fifth of the time of scipy's.
    """
    size = np.abs(values)
    size *= np.float32(sqrt(0.5))
    share = 1 / (1 + np.float32(_ERF_POLE) * size)
    tail = np.float32(_ERF[-1]) * share
    for factor in _ERF[-2::-1]:
        tail += np.float32(factor)
        tail *= share
    size *= size
    np.negative(size, out=size)
    tail *= np.exp(size, out=size)  # 1 - erf(|x| / sqrt 2)
    tail *= np.float32(0.5)
    # x (1 - tail) where x is positive, x tail where it is negative.
    return np.maximum(values, 0) - np.abs(values) * tail


def _of_words(states: Float32s, word_ids: Sequence[int | None], words: int) -> Float32s:
    """The mean of each word's pieces, of length 1."""
    places = np.array([place for place, word in enumerate(word_ids) if word is not None], dtype=np.int64)
    owners = np.array([word for word in word_ids if word is not None], dtype=np.int64)
    sums = np.zeros((words, states.shape[1]), dtype=np.float32)
    np.add.at(sums, owners, states[places])
    sums /= np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), np.float32(1e-9))
    return sums


@lru_cache(maxsize=2)
def open_encoder(folder: str) -> Encoder:
    """The encoder of a folder, read once. Errors are those of Encoder."""
    return Encoder(Path(folder).expanduser())
