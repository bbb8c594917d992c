"""Slow and plain: the articles that are near each other, by their shingles."""

from itertools import combinations


def near_articles(articles, *, min_share=0.5):
    """The share of each two articles, by place, that share `min_share` of the shorter one's shingles."""
    shares = {}
    for (first, one), (second, other) in combinations(enumerate(articles), 2):
        both = len(one & other)
        if both and both / min(len(one), len(other)) >= min_share:
            shares[first, second] = both / min(len(one), len(other))
    return shares
