"""Sentence pairs as numbers, and which words occur together in them: the places of the translation
probabilities.
"""

from __future__ import annotations

import tempfile
import weakref
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from paragold.arrays import Bytes, Int32s, Integers
from paragold.parallel import compiled, each


class _Numbers(dict[str, int]):
    """A word that is asked for with [] and not known gets the next free number."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


class Vocabulary:
    """Words, lower-cased, and their numbers from 0 in the order in which they were first seen."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self.numbers = _Numbers()
        for word in words:
            self.numbers[word]

    def __len__(self) -> int:
        return len(self.numbers)

    def encode(self, tokens: Iterable[str]) -> list[int]:
        """The numbers of the tokens; unseen ones get the next free numbers."""
        return list(map(self.numbers.__getitem__, map(str.lower, tokens)))

    @property
    def words(self) -> list[str]:
        return list(self.numbers)

    def in_order(self) -> Vocabulary:
        """The same words, numbered in alphabetical order."""
        return Vocabulary(sorted(self.numbers))

    def places_in(self, other: Vocabulary) -> Integers:
        """The number of each of its words in another vocabulary; -1 for those it does not have."""
        return np.array([other.numbers.get(word, -1) for word in self.numbers], dtype=np.int64)

    def as_bytes(self) -> Bytes:
        """All words, a line each, in UTF-8."""
        return np.frombuffer("\n".join(self.numbers).encode("utf-8", "surrogatepass"), dtype=np.uint8)

    @classmethod
    def of_bytes(cls, lines: Bytes) -> Vocabulary:
        """The vocabulary that gave `lines`."""
        text = lines.tobytes().decode("utf-8", "surrogatepass")
        return cls(text.split("\n") if text else ())


class Text(NamedTuple):
    """One side of the pairs: word numbers end to end; sentence p is words[starts[p]:starts[p + 1]]."""

    words: Int32s
    starts: Integers

    @classmethod
    def of(cls, sentences: Iterable[Sequence[str]], vocabulary: Vocabulary) -> Text:
        words, starts = array("i"), array("q", [0])
        for sentence in sentences:
            words.extend(vocabulary.encode(sentence))
            starts.append(len(words))
        return cls(np.array(words, dtype=np.int32), np.array(starts, dtype=np.int64))

    def sentence(self, number: int) -> Int32s:
        return self.words[self.starts[number] : self.starts[number + 1]]

    def part(self, start: int, stop: int) -> Text:
        """The sentences start..stop."""
        starts = self.starts[start : stop + 1]
        return Text(self.words[starts[0] : starts[-1]], starts - starts[0])

    @property
    def lengths(self) -> Integers:
        return np.diff(self.starts)


IN_MEMORY = 1 << 24
"""So many numbers are held in memory (4 bytes each); more go to a temporary file."""
_BYTES = 4


class Cells:
    """Numbers of 32 bits, written in order and then read a stretch at a time; many lie in a file, which is
    gone when this is let go of."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(IN_MEMORY * _BYTES, prefix="paragold-")  # noqa: SIM115 - open as long as this lives
        weakref.finalize(self, self._file.close)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def append(self, numbers: Int32s) -> None:
        """Write the next numbers. Raises OSError when the disk is full."""
        self._file.write(numbers.data)
        self._size += len(numbers)

    def read(self, start: int, stop: int) -> Int32s:
        """The numbers start:stop; not from several threads at once."""
        self._file.seek(start * _BYTES)
        # Not of bytes that were read: loops are compiled again for numbers that cannot be written.
        numbers = np.empty(stop - start, dtype=np.int32)
        self._file.readinto(numbers.data)
        return numbers


MAX_ENTRIES = 1 << 31
"""From so many on their numbers do not fit in 32 bits with a sign."""
CELLS_AT_ONCE = 1 << 18
"""About so many cells are worked on at a time; a block has one sentence pair at least."""
FOUND_AT_ONCE = 1 << 21
"""About so many cells have their entries looked up at a time: more take memory, fewer time."""
PARTS = 16
"""Pieces of work for the threads; fixed, so that sums do not depend on the number of cores."""


Occurrences = tuple[Integers, Int32s, Integers]
"""(first, sentences, places): word w is in sentences[first[w]:first[w + 1]], at `places` in the text."""
Rows = tuple[int, Integers, Int32s]
"""(start, rows, targets) of some source words: those of start + n are targets[rows[n] - rows[0]:...]."""


@dataclass(frozen=True, slots=True)
class Entries:
    """The pairs (source word, target word) that occur together in some sentence pair, each an entry.

    Entries of a source word follow one another: those of word a are rows[a]:rows[a + 1], by target word.
    Where both sides are one language (`shared`), an entry is a pair of words in either order, and the
    lower number counts as its source word.
    """

    rows: Integers
    """Shape (source words + 1,)."""
    listed: Cells
    """Target word of each entry; see `targets`."""
    shared: bool
    first: Integers
    """Shape (sentence pairs + 1,): pair p of I x J words has the cells first[p]:first[p + 1], by rows."""
    cells: Cells
    """Entry of each cell: e, or -e - 1 where the words are in the other order than in the entry."""

    def __len__(self) -> int:
        return len(self.listed)

    @property
    def targets(self) -> Int32s:
        """Target word of each entry. Of a large corpus they are read from a file each time."""
        return self.listed.read(0, len(self.listed))

    @property
    def sources(self) -> Int32s:
        """Source word of each entry."""
        return np.repeat(np.arange(len(self.rows) - 1, dtype=np.int32), np.diff(self.rows))

    def rows_by_block(self) -> Iterator[Rows]:
        """About CELLS_AT_ONCE entries at a time."""
        rows = self.rows
        for start, stop in cut(rows, 0, len(rows) - 1, CELLS_AT_ONCE):
            yield start, rows[start : stop + 1], self.listed.read(int(rows[start]), int(rows[stop]))

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Ranges of sentence pairs (from, to) with about CELLS_AT_ONCE cells each."""
        yield from cut(self.first, 0, len(self.first) - 1, CELLS_AT_ONCE)


def starts_of(sizes: Integers) -> Integers:
    """Where pieces of these sizes begin, end to end, and where the last one ends."""
    return np.concatenate(([0], np.cumsum(sizes)))


def cut(first: Integers, start: int, stop: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut pieces start..stop, where piece p takes first[p]:first[p + 1], into ranges of about that size."""
    while start < stop:
        end = int(np.searchsorted(first, first[start] + size, side="right")) - 1
        end = min(stop, max(end, start + 1))
        yield start, end
        start = end


def parts(first: Integers, start: int, stop: int) -> list[tuple[int, int]]:
    """Cut a range into about PARTS ranges of equal size; see `cut`."""
    return list(cut(first, start, stop, max(1, int(first[stop] - first[start]) // PARTS + 1)))


def cooccurrences(
    source: Text, target: Text, *, source_words: int, target_words: int, shared: bool = False
) -> Entries:
    """All entries of a corpus. `shared`: both sides are numbered by one vocabulary and are one language.

    Raises ValueError when there are more entries than 31 bits can name, OSError when the disk has no room
    for the cells of a large corpus.
    """
    rows, targets = _targets_of_words(source, target, source_words, target_words, shared)
    if rows[-1] >= MAX_ENTRIES:
        raise ValueError("too many different word pairs to train on; give fewer sentence pairs")
    first = starts_of(source.lengths * target.lengths)
    cells, listed = Cells(), Cells()
    for start, stop in cut(first, 0, len(first) - 1, FOUND_AT_ONCE):
        sides = source.part(start, stop), target.part(start, stop)
        occurring = _occurrences(sides[0], source_words), _occurrences(sides[1], target_words)
        places = first[start : stop + 1] - first[start]
        own = np.empty(places[-1], dtype=np.int32)
        work = occurring[0][0] + occurring[1][0] if shared else occurring[0][0]
        fill = partial(_fill_cells, *sides, *occurring, shared, rows, targets, target_words, places, own)
        each(fill, parts(work, 0, len(work) - 1))
        cells.append(own)
        del own, sides, occurring, fill  # they are large, and the next ones are made before they would go
    listed.append(targets)
    return Entries(rows, listed, shared, first, cells)


def _occurrences(text: Text, words: int) -> Occurrences:
    sentences = np.repeat(np.arange(len(text.lengths), dtype=np.int32), text.lengths)
    places = np.argsort(text.words, kind="stable")
    return starts_of(np.bincount(text.words, minlength=words)), sentences[places], places


def _targets_of_words(
    source: Text, target: Text, source_words: int, target_words: int, shared: bool
) -> tuple[Integers, Int32s]:
    """The target words beside each source word in ascending order, where those of each begin first.

    They are where the product of two matrices, words by sentence pairs and sentence pairs by words, is not 0.
    """
    if shared:
        source, target = _joined(source, target), _joined(target, source)
    by_word, facing = _by_sentence(source, source_words).T.tocsr(), _by_sentence(target, target_words)
    counts, targets = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int32)]
    for start, stop in parts(by_word.indptr.astype(np.int64), 0, source_words):
        beside = by_word[start:stop] @ facing
        beside.sort_indices()
        own = np.repeat(np.arange(start, stop, dtype=np.int32), np.diff(beside.indptr))
        kept = beside.indices >= own if shared else np.ones(len(own), dtype=np.bool_)
        counts.append(np.bincount(own[kept] - start, minlength=stop - start))
        targets.append(beside.indices[kept].astype(np.int32))
    return starts_of(np.concatenate(counts)), np.concatenate(targets)


def _joined(one: Text, other: Text) -> Text:
    """The sentences of both, those of the first one first."""
    starts = np.concatenate((one.starts, other.starts[1:] + len(one.words)))
    return Text(np.concatenate((one.words, other.words)), starts)


def _by_sentence(text: Text, words: int) -> csr_matrix:
    """Which words each sentence has, a row for each sentence."""
    matrix = csr_matrix(
        (np.ones(len(text.words), dtype=np.bool_), text.words, text.starts),
        shape=(len(text.lengths), words),
        copy=True,
    )
    matrix.sum_duplicates()
    return matrix


@compiled
def find_entry(source: int, target: int, rows: Integers, targets: Int32s) -> int:
    """The entry of a source and a target word, or -1."""
    low, high = rows[source], rows[source + 1]
    while low < high:
        middle = (low + high) // 2
        if targets[middle] < target:
            low = middle + 1
        else:
            high = middle
    return low if low < rows[source + 1] and targets[low] == target else -1


@compiled
def find_entries(
    sources: Integers, others: Integers, rows: Integers, targets: Int32s, shared: bool
) -> Integers:
    """The entry of each pair of words, in either order where it is shared; -1 where there is none.

    Words below 0 are unknown and have none.
    """
    places = np.empty(len(sources), dtype=np.int64)
    for number in range(len(sources)):
        source, target = sources[number], others[number]
        if shared and target < source:
            source, target = target, source
        known = source >= 0 and target >= 0
        places[number] = find_entry(source, target, rows, targets) if known else -1
    return places


@compiled
def _fill_cells(
    source: Text,
    target: Text,
    in_source_text: Occurrences,
    in_target_text: Occurrences,
    shared: bool,
    rows: Integers,
    targets: Int32s,
    target_words: int,
    first: Integers,
    cells: Int32s,
    words: tuple[int, int],
) -> None:
    """Fill the cells of the entries of a range of words."""
    in_source, source_pairs, source_places = in_source_text
    in_target, target_pairs, target_places = in_target_text
    # That of each target word beside the word; others were left there by earlier ones.
    entries = np.empty(target_words, dtype=np.int32)
    for word in range(words[0], words[1]):
        sources = range(in_source[word], in_source[word + 1])
        # Words of another language have other numbers.
        others = range(in_target[word], in_target[word + 1]) if shared else range(0)
        if len(sources) > 0 or len(others) > 0:
            for entry in range(rows[word], rows[word + 1]):
                entries[targets[entry]] = entry
        for place in sources:
            pair = source_pairs[place]
            begin, end = target.starts[pair], target.starts[pair + 1]
            cell = first[pair] + (source_places[place] - source.starts[pair]) * (end - begin)
            for at in range(begin, end):
                other = target.words[at]
                if not shared or other >= word:
                    cells[cell] = entries[other]
                cell += 1
        for place in others:
            pair = target_pairs[place]
            cell = first[pair] + target_places[place] - target.starts[pair]
            for at in range(source.starts[pair], source.starts[pair + 1]):
                other = source.words[at]
                if other > word:
                    cells[cell] = -entries[other] - 1
                cell += target.starts[pair + 1] - target.starts[pair]
