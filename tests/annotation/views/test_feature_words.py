"""Features of a classifier as its pages name them."""

import pytest

from annotation.templatetags.figures import feature_words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("string:length_longer", "length longer (string)"),
        ("weighted:names_unmatched_greater", "names unmatched, greater of both (weighted)"),
        ("correlations:wordnet_pairs/edit_distance", "wordnet pairs by edit distance (correlations)"),
        ("string:length_longer * overlap:characters", "length longer (string) × characters (overlap)"),
    ],
)
def test_a_feature_is_named_in_words(name, words):
    assert feature_words(name) == words
