"""The word pairs of all parts of a text in files, of which a range is in memory at a time.

They are in the order of `WordPairs.keys`, and a range has whole rows: all pairs of some source words. So the
M-step adds in the same order as over all at once, and its numbers are equal to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.cooccurrences import Vocabulary, cut
from paragold.aligners.expectation_maximisation import Estimator, FloatArray, IntArray, Tables
from paragold.aligners.shards import Places, WordPairs
from paragold.formats.model_files import Numbers, load, save
from paragold.problems import FileProblem

RANGE = 1 << 21
"""About so many word pairs, those of each part counted, are in a range; one row at least."""
Both = NDArray[np.float32]
"""Numbers of word pairs, shape (word pairs, 2): forward and backward."""
NONE = np.zeros(0, dtype=np.int64)


def append(path: Path, numbers: NDArray[Any]) -> None:
    """Add numbers at the end of a file, as they are in memory."""
    with path.open("ab") as file:
        np.ascontiguousarray(numbers).tofile(file)


def read(path: Path, kind: type, start: int, stop: int, *, width: int = 1) -> NDArray[Any]:
    """Rows start:stop of a file of numbers, `width` in a row. Raises FileProblem where it has fewer."""
    size, item = (stop - start) * width, np.dtype(kind).itemsize
    numbers: NDArray[Any] = np.fromfile(path, kind, size, offset=start * width * item)
    if len(numbers) < size:
        raise FileProblem("It is shorter than it was.", "Run it again with --resume.", file=str(path))
    return numbers if width == 1 else numbers.reshape(-1, width)


def save_words(path: Path, words: WordPairs) -> None:
    """Write the word pairs of a part."""
    save(path, words.numbers(), {"shared": words.entries.shared}, compressed=False)


def load_words(path: Path) -> WordPairs:
    """What `save_words` wrote."""
    numbers, description = load(path)
    return WordPairs.of_numbers(numbers, shared=description["shared"])


def join(
    folder: Path,
    parts: Sequence[Path],
    sources: Vocabulary,
    targets: Vocabulary,
    estimator: Callable[[WordPairs], Estimator],
) -> tuple[JoinedWords, int]:
    """Number the word pairs of parts, from `save_words`, by all words, in alphabetical order.

    `estimator` is that of some word pairs. The result is written into the folder; also returns how many
    different word pairs there are.
    """
    frequencies = [np.zeros(len(side), dtype=np.int64) for side in (sources, targets)]
    sizes = np.zeros(len(sources), dtype=np.int64)
    keys_of = [folder / f"keys-{part:06}" for part in range(len(parts))]
    for part, path in enumerate(parts):
        own = load_words(path)
        # Numbers go up with the words: of a shared entry the lower one stays the lower one.
        places = own.sources.places_in(sources), own.targets.places_in(targets)
        numbers = {"sources": places[0], "targets": places[1]}
        save(folder / f"places-{part:06}.npz", numbers, {}, compressed=False)
        for total, at, times in zip(frequencies, places, own.frequencies, strict=True):
            total[at] += times
        sizes[places[0]] += np.diff(own.entries.rows)
        entries = own.entries
        append(keys_of[part], places[0][entries.sources] * len(targets) + places[1][entries.targets])
    first = np.concatenate(([0], np.cumsum(sizes)))
    limits = np.array([0, *(stop for _, stop in cut(first, 0, len(sources), RANGE))]) * len(targets)
    edges = np.array([np.searchsorted(np.fromfile(path, np.int64), limits) for path in keys_of])
    words, size = WordPairs.without_pairs(sources, targets, frequencies), 0
    append(folder / "keys", NONE)
    for number in range(len(limits) - 1):
        ends = edges[:, number : number + 2]
        slices = [read(path, np.int64, *own) for path, own in zip(keys_of, ends, strict=True)]
        keys = np.unique(np.concatenate(slices))
        for part, own_keys in enumerate(slices):
            append(folder / f"entries-{part:06}", np.searchsorted(keys, own_keys).astype(np.int32))
        append(folder / "keys", keys)
        size += len(keys)
        one = estimator(words.with_keys(keys))
        of_range: Numbers = {"keys": keys, "places": one.places, "pseudo_counts": one.pseudo_counts}
        save(folder / f"range-{number:06}.npz", of_range, {}, compressed=False)
    for path in keys_of:
        path.unlink()
    save_words(folder / "words.npz", words)
    save(folder / "edges.npz", {"edges": edges}, {})
    return JoinedWords.load(folder), size


@dataclass(frozen=True, slots=True)
class JoinedWords:
    """What `join` wrote into a folder.

    words: of all parts, without word pairs. edges: shape (parts, ranges + 1), range r has the word pairs
    edges[p, r]:edges[p, r + 1] of part p.
    """

    folder: Path
    words: WordPairs
    edges: IntArray

    @classmethod
    def load(cls, folder: Path) -> JoinedWords:
        return cls(folder, load_words(folder / "words.npz"), load(folder / "edges.npz")[0]["edges"])

    def with_word_pairs(self) -> WordPairs:
        """The words with all word pairs, in memory."""
        return self.words.with_keys(np.fromfile(self.folder / "keys", np.int64))

    @property
    def estimator(self) -> Estimator:
        """The M-step of what are no word pairs."""
        return Estimator(
            self.words.entries, len(self.words.sources), len(self.words.targets), NONE, np.zeros(0)
        )

    def places(self, part: int) -> Places:
        """Where the words of a part are, without its word pairs."""
        return Places(**load(self.folder / f"places-{part:06}.npz")[0], entries=NONE)

    def between(self, part: int, number: int) -> tuple[int, int]:
        """From where to where the word pairs of a range are among those of a part."""
        return int(self.edges[part, number]), int(self.edges[part, number + 1])

    def entries(self, part: int, number: int) -> NDArray[np.int32]:
        """Where those are among the word pairs of the range."""
        return read(self.folder / f"entries-{part:06}", np.int32, *self.between(part, number))

    def _estimators(self) -> Iterator[Estimator]:
        """The M-step of each range; its entries are numbered from 0."""
        for number in range(self.edges.shape[1] - 1):
            numbers, _ = load(self.folder / f"range-{number:06}.npz")
            own = self.words.with_keys(numbers["keys"])
            places, pseudo_counts = numbers["places"], numbers["pseudo_counts"]
            yield replace(self.estimator, entries=own.entries, places=places, pseudo_counts=pseudo_counts)

    def probabilities(
        self, scratch: Path, counts: Callable[[int, int], Both]
    ) -> tuple[tuple[FloatArray, FloatArray], Iterator[Both]]:
        """The M-step: the totals of source and target words, and the probabilities range by range.

        `counts` gives those of a range, given its number and size; `scratch` is an empty folder.
        """
        totals = self.estimator.no_totals()
        for number, estimator in enumerate(self._estimators()):
            both = counts(number, len(estimator.entries))
            estimator.add_up(_tables(both), *totals)
            append(scratch / "counts", both)

        def divided() -> Iterator[Both]:
            start = 0
            for estimator in self._estimators():
                stop = start + len(estimator.entries)
                both = read(scratch / "counts", np.float32, start, stop, width=2)
                estimator.divide(_tables(both), *totals)
                yield both
                start = stop

        return totals, divided()


def _tables(both: Both) -> Tables:
    return Tables.zeros(0, 0, 0)._replace(forward=both[:, 0], backward=both[:, 1])
