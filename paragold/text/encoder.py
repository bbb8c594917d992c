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
from functools import cache, lru_cache
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from paragold.arrays import Float32s
from paragold.formats.publishing import sha256_of
from paragold.packages import needed
from paragold.parallel import portions
from paragold.problems import FileProblem
from paragold.text.encoder_files import (
    FILES,
    LANES,
    NO_ENCODER,
    AboutEncoder,
    about,
    folder_of,
)

LAYER = 3
LAST = 1_000
"""A layer that no encoder has: its last one is meant. What a whole sentence means is clearest there."""
_PIECES = 700
"""Pieces of words, in sentences of one length, that are computed together; more do not fit into the cache of
a core."""
_CACHED_SENTENCES = 500
_LARGEST = np.float32(80)


class Encoder:
    """The first layers of an encoder, as vectors of words.

    folder : where its files are. layers : those whose vectors are wanted, ascending.
    signature : the beginning of the SHA-256 of its weights, and its layers.
    described : its name, licence and SHA-256, for people.
    Raises FileProblem for a folder without the files or with those of another kind of model, and
    MissingPackageError without the packages of the extra `encoder`.
    """

    def __init__(self, folder: Path, *layers: int) -> None:
        with needed("encoder"):
            from safetensors import safe_open
            from tokenizers import Tokenizer

        for name in FILES:
            if not (folder / name).is_file():
                remedy = "Name a folder that `paragold get-encoder` wrote, or one with these files."
                raise FileProblem(f"The folder of the encoder has no {name}.", remedy, file=str(folder))
        try:
            config = json.loads((folder / "config.json").read_text("utf-8"))
            self._tokeniser = Tokenizer.from_file(str(folder / "tokenizer.json"))
            with safe_open(folder / "model.safetensors", framework="np") as file:
                # mBERT and LaBSE may have their names behind a prefix.
                names = {name.removeprefix("bert."): name for name in file.keys()}  # noqa: SIM118 - no mapping

                def weights(start: str) -> dict[str, Any]:
                    return {
                        short.removeprefix(start): file.get_tensor(name)
                        for short, name in names.items()
                        if short.startswith(start)
                    }

                self._embeddings = weights("embeddings.")
                self._wanted = [min(layer, config["num_hidden_layers"]) for layer in layers or (LAYER,)]
                heads = self._heads = int(config["num_attention_heads"])
                numbers = range(self._wanted[-1])
                self._layers = [_arranged(weights(f"encoder.layer.{number}."), heads) for number in numbers]
            self._epsilon = np.float32(config["layer_norm_eps"])
            self._places = self._embeddings["position_embeddings.weight"]
            if self._places.shape[1] % LANES:
                raise ValueError(f"its vectors have {self._places.shape[1]} numbers, no multiple of {LANES}")
        except Exception as error:  # tokenizers raises Exception itself
            remedy = "It must be a BERT model: MiniLM, BERT, mBERT or LaBSE."
            raise FileProblem(f"The encoder cannot be read ({error}).", remedy, file=str(folder)) from error
        self._tokeniser.no_padding()
        self._tokeniser.no_truncation()
        self.folder = folder
        digest = sha256_of(folder / FILES[0])
        self.signature = f"encoder-{digest[:16]}-layer-{'-'.join(map(str, self._wanted))}"
        said = about(folder)
        # What is said of other weights does not hold of these.
        said = said if said.sha256 in ("", digest) else AboutEncoder(folder.name)
        words = f"{said.title} (licence: {said.licence or 'not stated'}), SHA-256 {digest}"
        self.described = words.replace("|", "/")
        self._known: OrderedDict[tuple[str, ...], Float32s] = OrderedDict()

    def vectors(self, sentences: Sequence[Sequence[str]]) -> list[Float32s]:
        """Of each sentence the vectors of its words in the first of the layers, (words, size)."""
        return [own[0] for own in self.of_layers(sentences)]

    def of_layers(self, sentences: Sequence[Sequence[str]]) -> list[Float32s]:
        """Of each sentence the vectors of its words in each layer, (layers, words, size), each of length 1.

        A word's is the mean of its pieces'; that of a word without pieces, or beyond the encoder's longest
        sentence (512 pieces, mostly), is 0.
        """
        keys = [tuple(sentence) for sentence in sentences]
        wanted = {key for key in keys if key and key not in self._known}
        computed = dict(self._computed(sorted(wanted)))
        result = [
            np.zeros((len(self._wanted), 0, self._places.shape[1]), dtype=np.float32)
            if not key
            else computed[key] if key in computed else self._known[key]
            for key in keys
        ]  # fmt: skip
        for key, value in computed.items():
            self._known[key] = value
        while len(self._known) > _CACHED_SENTENCES:
            self._known.popitem(last=False)
        return result

    def of_sentences(self, sentences: Sequence[Sequence[str]]) -> Float32s:
        """The mean of each sentence's words in the first of the layers, (n, size); see `means_of_layers`."""
        return np.asarray(self.means_of_layers(sentences)[0])

    def means_of_layers(self, sentences: Sequence[Sequence[str]]) -> Float32s:
        """The means of each sentence's words, (layers, n, size), of length 1; 0 without words.

        The same sentences give the same bits: which are computed together depends on nothing else.
        """
        keys = [tuple(sentence) for sentence in sentences]
        wanted = self._computed(sorted({key for key in keys if key}))
        means = {key: of_sentences(list(own)) for key, own in wanted}
        result = np.zeros((len(self._wanted), len(keys), self._places.shape[1]), dtype=np.float32)
        for place, key in enumerate(keys):
            if key:
                result[:, place] = means[key]
        return result

    def _computed(self, sentences: Sequence[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], Float32s]]:
        """Sentences of equal length together: nothing is padded, so neighbours change nothing.

        Products of matrices take one thread: the same sums on every machine, and less processor time.
        """
        by_length: defaultdict[int, list[int]] = defaultdict(list)
        encodings = self._tokeniser.encode_batch([list(words) for words in sentences], is_pretokenized=True)
        longest = len(self._places)
        for number, encoding in enumerate(encodings):
            by_length[min(len(encoding.ids), longest)].append(number)
        batches = (
            (length, some)
            for length, numbers in by_length.items()
            for some in portions(numbers, max(1, _PIECES // length))
        )
        with one_thread():
            for length, some in batches:
                owners = [encodings[n].word_ids[:length] for n in some]
                marked = all(own[0] is None and own[-1] is None for own in owners)
                asked = slice(1, -1) if marked else slice(None)
                states = self._states(np.array([encodings[n].ids[:length] for n in some]), asked)
                for n, own, of_words in zip(some, states.swapaxes(0, 1), owners, strict=True):
                    rows = [_of_words(layer, of_words[asked], len(sentences[n])) for layer in own]
                    yield sentences[n], np.stack(rows)

    def _states(self, ids: Any, asked: slice) -> Float32s:
        """(layers, sentences, pieces asked for, size): what the layers have of each of these pieces.

        A row for each piece of all sentences; the kernels work on the rows where they are. In the last layer
        only the rows asked for are computed, those of words and not of the marks at either end.
        """
        from paragold.text import encoder_kernels as kernels

        count, length = ids.shape
        states = self._embeddings["word_embeddings.weight"][ids]
        states += self._places[:length] + self._embeddings["token_type_embeddings.weight"][0]
        size = states.shape[-1]
        states = states.reshape(-1, size)
        kernels.normalise(states, *_norm(self._embeddings, "LayerNorm"), self._epsilon)
        shape = count, len(range(length)[asked]), size
        wanted = np.empty((len(self._wanted), *shape), dtype=np.float32)
        for number, own in enumerate(self._layers, start=1):
            projected = states @ own["projections.weight"]
            projected += own["projections.bias"]
            by_head = projected.reshape(count, length, 3, self._heads, -1)
            query, key, value = by_head.transpose(2, 0, 3, 1, 4)
            if number == len(self._layers):
                query = query[:, :, asked]
                states = states.reshape(count, length, size)[:, asked].reshape(-1, size)
            shares = query @ key.transpose(0, 1, 3, 2)
            # Far beyond what there is, and within what the exponential can be of.
            np.exp(np.clip(shares, -_LARGEST, _LARGEST, out=shares), out=shares)
            shares /= shares.sum(axis=-1, keepdims=True)
            mixed = (shares @ value).transpose(0, 2, 1, 3).reshape(states.shape)
            kernels.add(
                states, mixed @ own["attention.output.dense.weight"], own["attention.output.dense.bias"]
            )
            kernels.normalise(states, *_norm(own, "attention.output.LayerNorm"), self._epsilon)
            hidden = states @ own["intermediate.dense.weight"]
            kernels.gelu(hidden, own["intermediate.dense.bias"])
            kernels.add(states, hidden @ own["output.dense.weight"], own["output.dense.bias"])
            kernels.normalise(states, *_norm(own, "output.LayerNorm"), self._epsilon)
            for place, layer in enumerate(self._wanted):
                if layer == number:
                    rows = states.reshape(count, -1, size)
                    wanted[place] = rows if number == len(self._layers) else rows[:, asked]
        return wanted


@cache
def _threads() -> ThreadpoolController:
    return ThreadpoolController()


def one_thread() -> Any:
    """A context in which products of matrices take one thread."""
    return _threads().limit(limits=1)


def _arranged(layer: dict[str, Any], heads: int) -> Mapping[str, Float32s]:
    """The weights of a layer, transposed for products from the right.

    "projections" are query, key and value in one; queries are divided by the root of the size of a head.
    """
    size = np.float32(sqrt(layer["attention.self.query.bias"].size // heads))
    for kind in ("weight", "bias"):
        query, key, value = (layer.pop(f"attention.self.{name}.{kind}") for name in ("query", "key", "value"))
        layer[f"projections.{kind}"] = np.concatenate([query / size, key, value])
    return {name: np.ascontiguousarray(value.T) for name, value in layer.items()}


def _norm(weights: Mapping[str, Any], name: str) -> tuple[Float32s, Float32s]:
    return weights[f"{name}.weight"], weights[f"{name}.bias"]


def _of_words(states: Float32s, word_ids: Sequence[int | None], words: int) -> Float32s:
    """The mean of each word's pieces, of length 1. The pieces of a word follow one another."""
    owners = np.array([-1 if word is None else word for word in word_ids])
    places = np.flatnonzero(owners >= 0)
    owners = owners[places]
    starts = np.flatnonzero(np.diff(owners, prepend=-1))
    vectors = np.zeros((words, states.shape[1]), dtype=np.float32)
    if len(starts):
        sums = np.add.reduceat(states[places], starts)
        sums /= np.sqrt(np.einsum("ij,ij->i", sums, sums))[:, None]
        vectors[owners[starts]] = sums
    return vectors


def of_sentences(words: Sequence[Float32s]) -> Float32s:
    """The mean of the vectors of each sentence's words, (n, size), each of length 1, or 0 without words."""
    sums = np.stack([own.sum(axis=0) for own in words])
    lengths = np.sqrt(np.einsum("ij,ij->i", sums, sums))
    return np.asarray(sums / np.maximum(lengths, np.float32(1e-9))[:, None])


def open_encoder(named: str, *layers: int) -> Encoder:
    """The encoder of a folder, or of the installation where that is `default`; read once.

    Errors are those of Encoder; ValueError where the installation has none.
    """
    folder = folder_of(named)
    if not folder:
        raise ValueError(NO_ENCODER)
    return _opened(folder, *layers)


@lru_cache(maxsize=2)
def _opened(folder: str, *layers: int) -> Encoder:
    return Encoder(Path(folder).expanduser(), *layers)
