from hypothesis import given, strategies as st

from paragold.matching.near_articles import SHINGLE_WORDS, NearFilter


def shingles(sentences):
    """The different shingles of sentences, given as tokens; case and punctuation do not count."""
    rows = set()
    for tokens in sentences:
        words = [token.casefold() for token in tokens if any(map(str.isalnum, token))]
        starts = range(max(len(words) - SHINGLE_WORDS, 0) + 1)
        rows |= {tuple(words[start : start + SHINGLE_WORDS]) for start in starts if words}
    return rows


SENTENCES = st.lists(st.lists(st.sampled_from(["a", "B", "b", ".", "1"]), max_size=9), max_size=3)


@given(st.lists(SENTENCES, max_size=7), st.floats(0.05, 1))
def test_the_filter_compares_as_shingles_do(articles, least):
    near, taken = NearFilter(least), []
    for sentences in articles:
        own = shingles(sentences)
        common = [(len(own & other), min(len(own), len(other))) for other in taken]
        is_near = any(both and both / shorter >= least for both, shorter in common)
        assert near.passes(sentences) is not is_near
        taken += [] if is_near else [own]
