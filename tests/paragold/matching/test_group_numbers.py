from pathlib import Path
from statistics import mean

import pytest

from paragold.matching.headlines import HeadlineCosines
from paragold.matching.kmeans import Groupings
from paragold.matching.specs import HeadlineSpec
from paragold.matching.sub_clusters import pairing_table
from replication.wubben_2009 import SUB_CLUSTERS, first_sentences, groups_a_headline, of_files, with_singles

ROOT = Path(__file__).resolve().parents[3]


def demo():
    return of_files(ROOT / "demo/headlines.jsonl", ROOT / "demo/subclusters.jsonl")


def uci(shared_data):
    stories = shared_data / "headlines/uci_news_aggregator_43_stories.csv"
    return of_files(stories, SUB_CLUSTERS)


def groups(clusters, **settings):
    return groups_a_headline(clusters, [HeadlineSpec(method="kmeans", **settings)] * len(clusters))


def by_people(clusters):
    return mean(len(with_singles(cluster)) / len(cluster.terms) for cluster in clusters)


def test_groups_of_whole_stories_and_of_topics(shared_data):
    for clusters in (uci(shared_data), demo()):
        assert groups(clusters) == pytest.approx(by_people(clusters), abs=0.1)
    topics = first_sentences(shared_data / "news/ecbplus_topics_1_35.jsonl")
    assert groups(topics) < 0.35 < 0.65 < groups(topics, pk1=1)
    estimated = pairing_table(topics, HeadlineSpec()).loc[1]
    by_pk1 = pairing_table(topics, HeadlineSpec(pk1=1)).loc[1]
    assert estimated.recall > 5 * by_pk1.recall and estimated.precision > 0.8


def test_pk1_is_the_rule_where_a_threshold_is_given():
    titles = ["ab", "ab", "cd", "cd", "ab", "ae", "fg"]
    cosines = HeadlineCosines([(frozenset(title), frozenset()) for title in titles])
    for threshold in (-1.0, 0.0, 1.0):
        settings = HeadlineSpec(method="kmeans", pk1=threshold)
        assert cosines.groups(settings) == Groupings(cosines.titles).at(threshold, 5)
    assert HeadlineSpec.from_json({"method": "kmeans", "pk1": 1.0, "delta": 5}).pk1 == 1
    assert "pk1:1|delta:5" in HeadlineSpec(method="kmeans", pk1=1).signature()
    assert "pk1" not in HeadlineSpec(method="kmeans").signature()
    assert ("Number of groups", "estimated in each cluster") in HeadlineSpec(method="kmeans").described()
