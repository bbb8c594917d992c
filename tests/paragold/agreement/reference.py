"""Slow and plain: observed agreement, Cohen's kappa and Krippendorff's alpha by their definitions.

A unit is one item with one label per annotator; None is a label that is missing. A value is a number, or
None with the reason why it is undefined.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from paragold.agreement.estimates import NOTHING_SHARED, ONE_LABEL_ONLY, Estimate


def observed_agreement(units: Iterable[Sequence[str | None]]) -> Estimate:
    """The mean, over items with at least two labels, of the share of annotator pairs that agree; 0 to 1.

    For two annotators this is the share of items on which they agree; for more it is the observed
    agreement of Fleiss (1971). Items with fewer than two labels are left out.
    """
    shares = []
    for counts in _pairable(units):
        size = counts.total()
        shares.append(sum(n * (n - 1) for n in counts.values()) / (size * (size - 1)))
    if not shares:
        return Estimate(None, 0, NOTHING_SHARED)
    return Estimate(sum(shares) / len(shares), len(shares))


def cohen_kappa(first: Sequence[str | None], second: Sequence[str | None]) -> Estimate:
    """Cohen's kappa (1960) of two annotators over the same items, in the same order; -1 to 1.

    kappa = (po - pe) / (1 - pe), with po the share of items they agree on and pe the share expected
    from each one's own label frequencies. Items that one of them did not label are left out.
    Undefined when both gave one and the same label throughout (pe = 1).
    Raises ValueError when the two are not equally long.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} labels of one annotator, but {len(second)} of the other")
    both = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    items = len(both)
    if not items:
        return Estimate(None, 0, NOTHING_SHARED)
    of_first, of_second = Counter(a for a, _ in both), Counter(b for _, b in both)
    # Whole numbers up to the one division, so that full agreement is exactly 1.
    expected = sum(count * of_second[label] for label, count in of_first.items())
    if expected == items * items:
        return Estimate(None, items, ONE_LABEL_ONLY)
    agreed = sum(a == b for a, b in both)
    return Estimate((agreed * items - expected) / (items * items - expected), items)


def krippendorff_alpha(units: Iterable[Sequence[str | None]]) -> Estimate:
    """Krippendorff's alpha for nominal labels, any number of annotators, labels missing anywhere; at most 1.

    alpha = 1 - Do / De, from the coincidence matrix over items with at least two labels (Krippendorff
    2011, "Computing Krippendorff's Alpha-Reliability", section C).
    Undefined when only one label occurs among those items (De = 0).
    """
    labels: Counter[str] = Counter()
    disagreement = 0.0
    items = 0
    for counts in _pairable(units):
        size = counts.total()
        items += 1
        labels.update(counts)
        disagreement += (size * size - sum(n * n for n in counts.values())) / (size - 1)
    if not items:
        return Estimate(None, 0, NOTHING_SHARED)
    total = labels.total()
    expected = total * total - sum(n * n for n in labels.values())
    if not expected:
        return Estimate(None, items, ONE_LABEL_ONLY)
    return Estimate(1 - (total - 1) * disagreement / expected, items)


def _pairable(units: Iterable[Sequence[str | None]]) -> Iterable[Counter[str]]:
    """How often each label was given, for every item that has at least two labels."""
    for unit in units:
        counts = Counter(label for label in unit if label is not None)
        if counts.total() >= 2:
            yield counts
