"""L12 of 2005 is what is extracted with unless another preset is named, on every way in."""

import pytest

from paragold.extraction.presets import PRESETS, RECOMMENDED
from tests.factories.corpus import ArticleFactory, ClusterFactory, SentenceFactory

SHORT = "They had no children ."
LONGER = (
    "The old bridge over the river was closed on Monday after the storm",
    "The bridge over the old river was closed early on Monday after a storm",
)


@pytest.fixture
def corpus(people):
    """Two reports of one event that share a good pair and a short sentence that says nothing."""
    cluster = ClusterFactory(project=people.project)
    for long in LONGER:
        article = ArticleFactory(cluster=cluster)
        for text in (long, SHORT if long is LONGER[0] else "They had two children ."):
            SentenceFactory(article=article, text=text)
    return people


def test_one_preset_is_recommended_and_those_of_2004_are_replications():
    purposes = {name: preset.purpose for name, preset in PRESETS.items()}
    assert (
        [name for name, purpose in purposes.items() if purpose == "recommended"] == [RECOMMENDED] == ["L12"]
    )
    assert next(iter(PRESETS)) == RECOMMENDED
    assert {name for name, purpose in purposes.items() if purpose == "replication"} == {
        "L12-2004", "F2-2004", "blind-2004", "candidates-2005"
    }  # fmt: skip
