from collections import Counter
from fractions import Fraction
from unittest import mock

import pytest
from hypothesis import given, settings, strategies as st

from paragold.extraction import cluster as cluster_search
from paragold.extraction.cluster import ClusterSearch, extract_cluster
from paragold.extraction.criteria import Criteria
from paragold.extraction.numba_lanes import NumbaLanes
from paragold.extraction.presets import PRESETS
from paragold.extraction.rapidfuzz_blocks import RapidfuzzBlocks
from paragold.extraction.records import ClusterSentences, content_key, sentence_bytes, words_only
from paragold.languages import ENGLISH
from tests.paragold.extraction import reference

L12 = PRESETS["L12-2004-word"].criteria

WORDS = ["a", "the", "king", "said", "storm", "river", "İstanbul", "n't", ",", ".", "''", "--", "1,000", "é"]
WORDS += ["$", "7", "million", "dollars", "monday", "€5", "9-year-old"]

sentence = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=3),
    st.lists(st.sampled_from(WORDS), max_size=12),
    st.lists(st.sampled_from([".", ",", "''"]), max_size=2),
    st.lists(st.sampled_from(WORDS[2:6]), min_size=4, max_size=8),
)
clusters = st.lists(st.lists(sentence, max_size=5), max_size=6).map(ClusterSentences.from_articles)
shuffled_clusters = st.tuples(clusters, st.randoms(use_true_random=False)).map(lambda drawn: shuffled(*drawn))


@st.composite
def criteria(draw):
    method = draw(st.sampled_from(["levenshtein", "first_sentences", "either"]))
    low, high = draw(st.integers(0, 4)), draw(st.integers(0, 14))
    shortest = draw(st.integers(1, 4))
    ratios = st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(2, 3), Fraction(1)])
    return Criteria(
        method=method,
        min_edit_distance=low,
        max_edit_distance=low + high if method != "first_sentences" or draw(st.booleans()) else None,
        first_n=None if method == "levenshtein" else draw(st.integers(1, 4)),
        min_length_ratio=draw(ratios),
        ratio_strict=draw(st.booleans()),
        min_shared_words=draw(st.integers(0, 3)),
        shared_word_length=draw(st.integers(1, 5)),
        min_length=shortest,
        max_length=draw(st.none() | st.integers(shortest, 12)),
        first_length_ratio=draw(ratios) if method == "either" else Fraction(0),
        distance=draw(st.sampled_from(["levenshtein", "indel"])),
        placeholders=draw(st.booleans()),
        same_article=draw(st.booleans()),
    )


def shuffled(cluster, random):
    order = list(range(len(cluster)))
    random.shuffle(order)
    return ClusterSentences(
        *([getattr(cluster, name)[k] for k in order] for name in ("ids", "articles", "indices", "tokens"))
    )


def pairs_and_counts(cluster, asked):
    search = ClusterSearch(cluster, asked)
    return search.sorted_pairs().tolist(), search.counts


def assert_equals_reference(cluster, asked):
    """Every kernel finds what the reference finds; returns the pairs."""
    placed = [ENGLISH.placeholders(text) for text in cluster.tokens]
    compared = placed if asked.placeholders else cluster.tokens
    expected = reference.extract(
        cluster.articles, cluster.indices, cluster.tokens, compared, **reference.parameters(asked)
    )
    for kernel in (RapidfuzzBlocks, NumbaLanes):
        with mock.patch.object(cluster_search, "get_kernel", return_value=kernel):
            pairs, counts = pairs_and_counts(cluster, asked)
        assert [tuple(pair) for pair in pairs] == expected.pairs
        assert (
            counts["pairs_compared"],
            counts["pairs_kept"],
            counts["rejected_same_text"],
            counts["rejected_seen_before"],
        ) == (expected.compared, len(expected.pairs), expected.same_text, expected.seen_before)
    return pairs


@settings(max_examples=250, deadline=None)
@given(clusters | shuffled_clusters, criteria())
def test_any_criteria_equal_the_reference(cluster, asked):
    assert_equals_reference(cluster, asked)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_more_sentences_than_a_block_equal_the_reference(data):
    articles = data.draw(st.lists(st.lists(sentence, min_size=12, max_size=20), min_size=4, max_size=6))
    assert_equals_reference(ClusterSentences.from_articles(articles), data.draw(criteria()))


@settings(max_examples=40, deadline=None)
@given(shuffled_clusters, criteria(), st.integers(1, 4))
def test_the_parts_of_a_cluster_together_are_the_whole(cluster, asked, of):
    whole, counted = pairs_and_counts(cluster, asked)
    with mock.patch.object(cluster_search, "STRETCH_ROWS", 3):
        searches = [ClusterSearch(cluster, asked, (number, of)) for number in range(of)]
        pairs = [pair for search in searches for block in search.blocks() for pair in block.tolist()]
    counts = sum((search.counts for search in searches), Counter())
    assert sorted(pairs) == whole
    assert counts == counted


def words(*sentences):
    return [text.split() for text in sentences]


def test_ratios_keys_and_numbers_of_a_pair_are_exact():
    cluster = ClusterSentences.from_articles(
        [words("No", "The storm hit the northern coast ."), words("A storm hit the coast late .")]
    )
    (pair,) = assert_equals_reference(cluster, L12)
    assert pair[:-1] == (1, 2, 3, 7, 7, 2, 1, 0)
    assert len(pair[-1]) == 16
    texts = words("Ice melts", "Ice breaks", "ice melts", "ICE breaks")
    pairs, counts = pairs_and_counts(ClusterSentences.from_articles([[text] for text in texts]), L12)
    assert [pair[:2] for pair in pairs] == [(0, 1)]
    assert (counts["rejected_seen_before"], counts["rejected_same_text"]) == (3, 2)
    assert counts["articles"] == 4
    with pytest.raises(ValueError, match="1, 1, 1 and 0"):
        ClusterSentences(ids=[1], articles=[0], indices=[0], tokens=[])
    for shorter in (2, 4, 6, 10, 14, 22):
        long = [f"w{k}" for k in range(shorter * 3 // 2 + 1)]
        exact = ClusterSentences.from_articles([[long[:shorter]], [long[:-1]]])
        too_short = ClusterSentences.from_articles([[long[:shorter]], [long]])
        assert len(extract_cluster(exact, L12)) == 1
        assert len(extract_cluster(too_short, L12)) == 0
        assert len(extract_cluster(exact, L12.replace(ratio_strict="true"))) == 0
    stored = bytes.fromhex("14d7bfbbff2a76c720bc15df52e4cdfb")
    assert key(("the", "king"), ("a", "king", ".")) == stored
    assert len(stored) == 16


tokens = st.lists(st.sampled_from(["a", "b", "ab", "é", "\x00", "\n", "", "\ud800"]), max_size=4).map(tuple)


def key(a, b):
    return content_key(sentence_bytes(a), sentence_bytes(b))


@given(tokens, tokens, tokens, tokens)
def test_keys_are_equal_for_the_same_two_texts_only(a, b, c, d):
    assert key(a, b) == key(b, a)
    assert (key(a, b) == key(c, d)) == (sorted([a, b]) == sorted([c, d]))


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("the river rose .", "the river rose", True),
        (". .", "! ? --", True),
        (".", "river", False),
        ("river rose", "rose river", False),
        ("u.s. 5", "u.s. 6", False),
        ("٣ 東京", "東京", False),
        ("-- o' % 7% é _ §", "o' 7% é", True),
    ],
)
def test_same_text_looks_at_words_only(a, b, same):
    assert (words_only(a.split()) == words_only(b.split())) is same
