"""Slow and plain: observed agreement, Cohen's kappa and Krippendorff's alpha by their definitions.

A unit is one item with one label per annotator; None is a label that is missing. A value is a number, or
None with the reason why it is undefined.
"""

from collections import Counter

from paragold.metrics.label_agreement import NOTHING_SHARED, ONE_LABEL_ONLY, estimate


def observed_agreement(units):
    """The mean share of annotator pairs that agree, over items with at least two labels (Fleiss 1971)."""
    shares = []
    for counts in _pairable(units):
        size = counts.total()
        shares.append(sum(n * (n - 1) for n in counts.values()) / (size * (size - 1)))
    if not shares:
        return estimate(None, 0, NOTHING_SHARED)
    return estimate(sum(shares) / len(shares), len(shares))


def cohen_kappa(first, second):
    """(po - pe) / (1 - pe), with po the share of items they agree on and pe that by their frequencies."""
    both = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    items = len(both)
    if not items:
        return estimate(None, 0, NOTHING_SHARED)
    of_first, of_second = Counter(a for a, _ in both), Counter(b for _, b in both)
    # Whole numbers up to the one division, so that full agreement is exactly 1.
    expected = sum(count * of_second[label] for label, count in of_first.items())
    if expected == items * items:
        return estimate(None, items, ONE_LABEL_ONLY)
    agreed = sum(a == b for a, b in both)
    return estimate((agreed * items - expected) / (items * items - expected), items)


def krippendorff_alpha(units):
    """1 - Do / De, from the coincidence matrix over items with at least two labels (Krippendorff 2011, C)."""
    labels = Counter()
    disagreement = 0.0
    items = 0
    for counts in _pairable(units):
        size = counts.total()
        items += 1
        labels.update(counts)
        disagreement += (size * size - sum(n * n for n in counts.values())) / (size - 1)
    if not items:
        return estimate(None, 0, NOTHING_SHARED)
    total = labels.total()
    expected = total * total - sum(n * n for n in labels.values())
    if not expected:
        return estimate(None, items, ONE_LABEL_ONLY)
    return estimate(1 - (total - 1) * disagreement / expected, items)


def _pairable(units):
    """How often each label was given, for every item that has at least two labels."""
    for unit in units:
        counts = Counter(label for label in unit if label is not None)
        if counts.total() >= 2:
            yield counts
