"""Slow and plain: the shingles of articles, and the articles that are near each other by them."""

from itertools import combinations

from paragold.matching.near_articles import SHINGLE_WORDS


def shingles(sentences):
    """The different shingles of sentences, given as tokens; case and punctuation do not count."""
    rows = set()
    for tokens in sentences:
        words = [token.casefold() for token in tokens if any(map(str.isalnum, token))]
        starts = range(max(len(words) - SHINGLE_WORDS, 0) + 1)
        rows |= {tuple(words[start : start + SHINGLE_WORDS]) for start in starts if words}
    return rows


def near_articles(articles, *, min_share=0.5):
    """The share of each two articles, by place, that share `min_share` of the shorter one's shingles."""
    shares = {}
    for (first, one), (second, other) in combinations(enumerate(articles), 2):
        both = len(one & other)
        if both and both / min(len(one), len(other)) >= min_share:
            shares[first, second] = both / min(len(one), len(other))
    return shares
