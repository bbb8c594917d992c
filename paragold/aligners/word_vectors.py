"""Word vectors: read from files, or learned from sentences by counting which words occur near each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import svds
from threadpoolctl import threadpool_limits

from paragold.aligners.cooccurrences import Vocabulary
from paragold.aligners.method import Pair
from paragold.aligners.word_evidence import WordEvidence, WordVectors, read_phrase_pairs, scaled
from paragold.aligners.word_sources import DISTRIBUTION, VECTORS
from paragold.formats.manifest import sha256_of
from paragold.problems import FileProblem, located

MOST_WORDS = 50_000
"""The first words of a file are kept besides those of the training text."""
LONGEST_LINE = 1_000_000
LONGEST_SHOWN_WORD = 1_000
MOST_DIMENSIONS = 10_000
_FORMATS = "Give vectors as word2vec text or binary, as GloVe's text, or as a folder of model2vec."
_ROWS_AT_ONCE = 10_000
_Row = tuple[bytes, Callable[[], NDArray[np.float32]]]
"""A word, and what reads its numbers."""
DIMENSIONS, WINDOW, MIN_COUNT = 100, 3, 3
SMOOTHING = 0.75


class Distribution(WordVectors):
    """Vectors of the words of the training text, learned when they are first asked for."""

    def __init__(self, sentences: Iterable[Sequence[str]]) -> None:
        super().__init__(DISTRIBUTION, (), np.zeros((0, 1)))
        self._sentences = sentences

    @cached_property
    def table(self) -> tuple[Vocabulary, NDArray[np.float16]]:
        words, vectors = learned_vectors(self._sentences)
        return Vocabulary(words), scaled(vectors)


def learned_vectors(sentences: Iterable[Sequence[str]]) -> tuple[list[str], NDArray[np.float32]]:
    """Words in alphabetical order and a vector for each: a truncated SVD of positive pointwise information.

    Words in lower case that occur MIN_COUNT times, each different sentence counted once; contexts are the
    WINDOW words on either side. Shape (words, at most DIMENSIONS); the same sentences in the same order give
    the same vectors.

    References
    ----------
    Levy, O., Goldberg, Y. & Dagan, I. (2015). Improving distributional similarity with lessons learned from
    word embeddings: shares of contexts to the power of 0.75, singular values to that of 0.5.
    """
    different = dict.fromkeys(tuple(token.lower() for token in sentence) for sentence in sentences)
    counts = Counter(word for sentence in different for word in sentence)
    words = sorted(word for word, count in counts.items() if count >= MIN_COUNT)
    size = len(words)
    if size < 3:
        return [], np.zeros((0, 1), dtype=np.float32)
    numbers = {word: number for number, word in enumerate(words)}
    apart = [-1] * WINDOW
    text = np.array(
        [number for one in different for number in (*(numbers.get(word, -1) for word in one), *apart)]
    )
    together = sparse.csr_matrix((size, size))
    for distance in range(1, WINDOW + 1):
        rows, columns = text[:-distance], text[distance:]
        known = (rows >= 0) & (columns >= 0)
        together += sparse.csr_matrix((np.ones(known.sum()), (rows[known], columns[known])), (size, size))
    cells = (together + together.T).tocoo()
    often = np.bincount(cells.row, cells.data, size)
    contexts = often**SMOOTHING
    information = np.log(cells.data * contexts.sum() / (often[cells.row] * contexts[cells.col]))
    positive = information > 0
    places = cells.row[positive], cells.col[positive]
    matrix = sparse.csr_matrix((information[positive], places), (size, size))
    # One thread and one start: sums are taken in one order.
    with threadpool_limits(limits=1):
        left, singular, _ = svds(matrix, k=min(DIMENSIONS, size - 1), v0=np.ones(size))
    return words, (left * np.sqrt(singular)).astype(np.float32)


def read_evidence(files: Mapping[str, Path], pairs: Iterable[Pair]) -> list[WordEvidence]:
    """The evidence of files, by id of the source in WORD_SOURCES, for a training text of these pairs.

    Raises FileProblem for files that are not in their format, OSError for those that cannot be read.
    """
    words = {token.lower() for pair in pairs for sentence in pair for token in sentence} if files else set()
    known: list[WordEvidence] = []
    for source, path in files.items():
        known.append(read_vectors(path, words) if source == VECTORS else read_phrase_pairs(path, source))
        known[-1].file = sha256_of(path) if path.is_file() else ""
    return known


def read_vectors(path: Path, words: Collection[str]) -> WordVectors:
    """The vectors of `words`, in lower case, and of the first MOST_WORDS words of a file.

    Text of word2vec or GloVe, word2vec's binary files, or a folder of model2vec, which has vectors of
    `words` alone. Of words that differ in case the first counts. Raises FileProblem, and OSError for a file
    that cannot be read.
    """
    wanted = set(words)
    with located(file=str(path)):
        if path.is_dir():
            return _of_model2vec(path, sorted(wanted))
        with path.open("rb") as file:
            kept = dict(_rows(file, wanted))
        if not kept:
            raise FileProblem("It has no vectors.", _FORMATS)
    return WordVectors(VECTORS, list(kept), np.stack(list(kept.values())))


def store_vectors(source: Path, target: Path) -> Iterator[tuple[int, int, float]]:
    """Write all vectors of a file in a form from which `stored_vectors` reads single rows.

    That is NumPy's npy: a row of length 1 in 16 bits for each different word in lower case. After the rows
    come the words, a line each. Gives meanwhile, and at the end, the number of words so far, of dimensions,
    and the share of the file that is read, 0 to 1. Raises FileProblem as `read_vectors` does; folders are
    not read.
    """
    words: list[str] = []
    with located(file=str(source)), source.open("rb") as file, target.open("wb") as stored:
        size, rows = source.stat().st_size, _rows(file, None)
        while block := list(islice(rows, _ROWS_AT_ONCE)):
            vectors = scaled(np.stack([vector for _, vector in block]))
            if not words:
                _write_head(stored, (0, vectors.shape[1]))
            words += (word for word, _ in block)
            stored.write(vectors.tobytes())
            yield len(words), vectors.shape[1], file.tell() / size
        if not words:
            raise FileProblem("It has no vectors.", _FORMATS)
        stored.write("\n".join(words).encode())
        # The head leaves room for any number of rows.
        stored.seek(0)
        _write_head(stored, (len(words), vectors.shape[1]))
    yield len(words), vectors.shape[1], 1.0


def _write_head(file: BinaryIO, shape: tuple[int, int]) -> None:
    description = {"descr": np.dtype(np.float16).str, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, description)


def stored_vectors(path: Path, words: Collection[str]) -> WordVectors:
    """What `read_vectors` gives for the file that `store_vectors` wrote to `path`.

    Only the words and the rows that are kept are read. Raises FileProblem for any other file.
    """
    wanted = set(words)
    try:
        with path.open("rb") as file:
            np.lib.format.read_magic(file)
            (count, size), _, dtype = np.lib.format.read_array_header_1_0(file)
            start, width = file.tell(), 2 * size
            file.seek(start + count * width)
            named = [
                (number, word)
                for number, word in enumerate(line.decode().rstrip("\n") for line in file)
                if number < MOST_WORDS or word in wanted
            ]
            rows = bytearray()
            for number, _ in named:
                file.seek(start + number * width)
                rows += file.read(width)
        if dtype != np.float16 or not named or named[-1][0] >= count:
            raise ValueError("other numbers or words are there than its head says")
        vectors = np.frombuffer(rows, dtype=np.float16).reshape(len(named), size)
    except ValueError as error:
        raise FileProblem(f"The stored vectors are damaged ({error}).", "Upload the file again.") from error
    vocabulary = Vocabulary(word for _, word in named)
    return WordVectors.restore(VECTORS, {"words": vocabulary.as_bytes(), "vectors": vectors}, {})


def _rows(file: BinaryIO, wanted: Collection[str] | None) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """The different words of a file, in lower case, and their vectors: the first MOST_WORDS of them and those
    that are `wanted`, None for all.
    """
    first = file.readline(LONGEST_LINE).split()
    has_header = len(first) == 2 and all(part.isdigit() for part in first)
    size = int(first[1]) if has_header else len(first) - 1
    if not 0 < size <= MOST_DIMENSIONS:
        raise FileProblem("It has no vectors that can be read.", _FORMATS)
    start = file.tell() if has_header else 0
    file.seek(start)
    is_binary = has_header and not _is_text(file.readline(LONGEST_LINE), size)
    file.seek(start)
    rows = _binary_rows(file, int(first[0]), size) if is_binary else _text_rows(file, size, 1 + has_header)
    seen: set[str] = set()
    for name, numbers in rows:
        word = name.decode("utf-8", "replace").lower()
        if word not in seen and (wanted is None or len(seen) < MOST_WORDS or word in wanted):
            seen.add(word)
            yield word, numbers()


def _text_rows(file: BinaryIO, size: int, line: int) -> Iterator[_Row]:
    """A word and its numbers a line, the first of which has this number."""
    for number, text in enumerate(iter(lambda: file.readline(LONGEST_LINE), b""), start=line):
        word, *parts = text.rstrip().rsplit(b" ", size)
        if len(parts) != size:
            raise FileProblem(f"A word and {len(parts)} numbers instead of {size}.", _FORMATS, line=number)
        yield word, partial(_numbers, word, parts, number)


def _is_text(line: bytes, size: int) -> bool:
    parts = line.rstrip().rsplit(b" ", size)[1:]
    try:
        return len([float(part) for part in parts]) == size
    except ValueError:
        return False


def _numbers(word: bytes, parts: Sequence[bytes], line: int) -> NDArray[np.float32]:
    values: list[float] = []
    try:
        values.extend(map(float, parts))
    except ValueError as error:
        column = 2 + len(b" ".join((word, *parts[: len(values)])).decode("utf-8", "replace"))
        problem = f"It has something else than numbers ({error})."
        raise FileProblem(problem, _FORMATS, column, line) from error
    return _finite(np.array(values, dtype=np.float32), line)


def _finite(vector: NDArray[np.float32], place: int) -> NDArray[np.float32]:
    if not np.isfinite(vector).all():
        raise FileProblem(f"The vector of word {place} has numbers that are not finite.", _FORMATS)
    return vector


def _binary_rows(file: BinaryIO, count: int, size: int) -> Iterator[_Row]:
    """word2vec's binary file: each word, a space and its numbers in 32 bits, the lowest byte first."""
    for number in range(1, count + 1):
        word = bytearray()
        while (letter := file.read(1)) not in (b" ", b""):
            word += letter
            if len(word) > LONGEST_SHOWN_WORD:
                raise FileProblem(f"Word {number} is too long.", _FORMATS)
        data = file.read(4 * size)
        if len(data) < 4 * size:
            raise FileProblem(f"It ends at word {number} of {count}.", "Copy the whole file again.")
        name = bytes(word).lstrip(b"\n")
        if b"\n" in name:
            raise FileProblem(f"Word {number} has a line break.", _FORMATS)
        yield name, partial(_finite, np.frombuffer(data, dtype="<f4"), number)


def _of_model2vec(path: Path, words: Sequence[str]) -> WordVectors:
    """The vectors that a model of model2vec (safetensors) in a folder gives to these words."""
    try:
        from model2vec import StaticModel
    except ImportError as error:
        raise FileProblem("Folders are read by model2vec.", "pip install model2vec") from error
    try:
        model = StaticModel.from_pretrained(str(path))
    # It raises whatever its parts raise: tokenizers, safetensors, json.
    except Exception as error:
        raise FileProblem(f"model2vec cannot read it ({error}).", _FORMATS) from error
    return WordVectors(VECTORS, words, model.encode(list(words)))
