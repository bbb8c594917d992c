import pytest

from paragold.aligners.evidence_sources import SOURCES, source_of
from paragold.aligners.link_classifier import FEATURES


def test_every_feature_has_a_source_and_every_source_a_feature():
    assert {source_of(feature) for feature in FEATURES} == set(SOURCES)


@pytest.mark.parametrize(
    ("feature", "source"),
    [
        ("higher posterior", "posteriors"),
        ("identical", "identical words"),
        ("synonym", "WordNet"),
        ("first stage, strongest rival", "links around it"),
        ("identical, distance from the diagonal", "position"),
        ("identical function words, word before linked", "words beside it"),
        ("different, association", "association"),
    ],
)
def test_combined_features_belong_to_what_varies_in_them(feature, source):
    assert source_of(feature) == source


def test_a_feature_of_no_source_is_noticed():
    with pytest.raises(KeyError):
        source_of("weather")
