"""The kernels of matching in NumPy and SciPy: what the compiled ones are measured and tested against."""

import numpy as np
from scipy import sparse

from paragold.matching.kernels import EMPTY_KEY, FIRST_FACTOR, LAST_FACTOR, SECOND_FACTOR

_ROWS = 512
_TEXTS = 4096
_COLUMNS = 128


def rarest_first(bounds, numbers, words):
    size = max(words, 1)
    # Text and word as one number, sorted: equal words of a text are neighbours.
    occurrences = np.sort(np.repeat(np.arange(bounds.size - 1), np.diff(bounds)) * size + numbers)
    occurrences = occurrences[np.append(True, occurrences[1:] != occurrences[:-1])[: occurrences.size]]
    owners, distinct = np.divmod(occurrences, size)
    order = np.argsort(np.bincount(distinct, minlength=words), kind="stable")
    codes = np.empty(order.size, np.int64)
    codes[order] = np.arange(order.size)
    offsets = np.zeros(bounds.size, np.int64)
    np.cumsum(np.bincount(owners, minlength=bounds.size - 1), out=offsets[1:])
    return offsets, (np.sort(owners * size + codes[distinct]) - owners * size).astype(np.int32), order


def places(words, multipliers, increments):
    """The place of each word in each permuted dictionary, shape (words, multipliers.size)."""
    # Each line maps the numbers of 32 bits onto each other, one to one: no two words share a place.
    mixed = np.arange(words, dtype=np.uint32)
    mixed = (mixed ^ (mixed >> np.uint32(16))) * FIRST_FACTOR
    mixed = (mixed ^ (mixed >> np.uint32(13))) * SECOND_FACTOR
    mixed ^= mixed >> np.uint32(16)
    shuffled = mixed[:, None] * multipliers + increments
    shuffled ^= shuffled >> np.uint32(16)
    return shuffled * LAST_FACTOR


def minimum_places(
    offsets,
    codes,
    multipliers,
    increments,
):
    texts = offsets.size - 1
    keys = np.full((texts, multipliers.size), EMPTY_KEY, np.uint32)
    words = int(codes.max()) + 1 if codes.size else 0
    for first in range(0, multipliers.size, _COLUMNS):
        columns = slice(first, first + _COLUMNS)
        places_of_words = places(words, multipliers[columns], increments[columns])
        for start in range(0, texts, _TEXTS):
            bounds = offsets[start : start + _TEXTS + 1]
            filled = np.flatnonzero(np.diff(bounds))
            if filled.size:
                stretch = places_of_words[codes[bounds[0] : bounds[-1]]]
                keys[start + filled, columns] = np.minimum.reduceat(
                    stretch, bounds[filled] - bounds[0], axis=0
                )
    return keys


def shared_words(offsets, codes, first, second):
    matrix = _matrix(offsets, codes)
    counts = np.empty(first.size, np.int64)
    for start in range(0, first.size, _ROWS):
        part = slice(start, start + _ROWS)
        counts[part] = np.asarray(matrix[first[part]].multiply(matrix[second[part]]).sum(axis=1)).ravel()
    return counts


def similar_sets(offsets, codes, threshold, split):
    matrix = _matrix(offsets, codes)
    sizes = np.diff(offsets)
    columns = matrix[split:].T.tocsc()
    rows = split or len(sizes)
    parts = []
    for start in range(0, rows, _ROWS):
        shared = (matrix[start : min(start + _ROWS, rows)] @ columns).tocoo()
        first = shared.row.astype(np.int64) + start
        second = shared.col.astype(np.int64) + split
        jaccard = shared.data / (sizes[first] + sizes[second] - shared.data)
        accepted = (first < second) & (jaccard >= threshold)
        parts.append((first[accepted], second[accepted], jaccard[accepted]))
    return _joined(parts)


def similar_in_groups(
    offsets,
    codes,
    members,
    bounds,
    threshold,
    split,
):
    matrix = _matrix(offsets, codes)
    sizes = np.diff(offsets)
    parts = []
    for start, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        group = members[start:end]
        left, right = np.triu_indices(group.size, 1)
        first, second = group[left], group[right]
        if split:
            across = (first < split) & (second >= split)
            first, second = first[across], second[across]
        if first.size:
            product = matrix[first].multiply(matrix[second]).sum(axis=1)
            shared = np.asarray(product, dtype=np.float64).ravel()
            jaccard = shared / np.maximum(sizes[first] + sizes[second] - shared, 1)
            accepted = jaccard >= threshold
            parts.append((first[accepted], second[accepted], jaccard[accepted]))
    return _joined(parts)


def _matrix(offsets, codes):
    words = int(codes.max()) + 1 if codes.size else 1
    return sparse.csr_matrix((np.ones(codes.size), codes, offsets), shape=(offsets.size - 1, words))


def _joined(
    parts,
):
    if not parts:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    first, second, jaccard = zip(*parts, strict=True)
    return np.concatenate(first), np.concatenate(second), np.concatenate(jaccard)
