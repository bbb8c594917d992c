"""Slow and plain: the statistical models by their definitions, over every possible alignment."""

from collections import Counter
from itertools import product
from math import log


def jump_probability(jumps, farthest, last, i, positions, uniform):
    def weight(k):
        return jumps[max(-farthest, min(farthest, k - last)) + farthest]

    return uniform / positions + (1 - uniform) * weight(i) / sum(map(weight, range(positions)))


def all_alignments(emission, null_emission, null, move):
    """The probability of every alignment of J words to I words or to none (None), by the definition.

    `emission[j][i]`; `move(last, i)` with last -1 at the start.
    """
    length, positions = len(emission), len(emission[0])
    for path in product([None, *range(positions)], repeat=length):
        probability, last = 1.0, -1
        for j, i in enumerate(path):
            if i is None:
                probability *= null * null_emission[j]
            else:
                probability *= (1 - null) * move(last, i) * emission[j][i]
                last = i
        yield path, probability


def summed(emission, null_emission, null, move):
    """Posteriors of links and null words, expected jumps, log-likelihood and the likeliest alignment."""
    paths = list(all_alignments(emission, null_emission, null, move))
    total = sum(probability for _, probability in paths)
    links, nulls, jumps = Counter(), Counter(), Counter()
    for path, probability in paths:
        last = -1
        for j, i in enumerate(path):
            if i is None:
                nulls[j] += probability / total
            else:
                links[j, i] += probability / total
                jumps[i - last] += probability / total
                last = i
    return links, nulls, jumps, log(total), max(paths, key=lambda path: path[1])[0]
