import json

import pytest

from annotation.services.gold import freeze_gold_subclusters, gold_jsonl
from tests.factories.subclusters import decide, headline_cluster, split, splitting_batch


@pytest.fixture
def split_batch(project, annotators):
    """Three clusters: alike, disputed, and split by one only."""
    for key in ("alike", "disputed", "waiting"):
        headline_cluster(project, key=key)
    batch = splitting_batch(project, annotators)
    items = {item.cluster.key: item for item in batch.items.all()}
    for annotator, third in zip(annotators, ([[1, 2, 3]], [[1, 2], [4, 5]]), strict=True):
        split(items["alike"], annotator, [[3, 4], [1, 2]])
        split(items["disputed"], annotator, third)
    split(items["waiting"], annotators[0], [[1, 2]])
    return batch


def freeze(batch, **fields):
    return freeze_gold_subclusters(
        project=batch.project, by=None, **({"name": "heads", "batch": batch} | fields)
    )


def lines(gold_set):
    rows = [json.loads(line) for line in gold_jsonl(gold_set).splitlines()]
    return {row["cluster_id"]: row["subclusters"] for row in rows}


def test_gold_leaves_out_what_waits(split_batch):
    gold = freeze(split_batch)
    assert lines(gold) == {"alike": [["a1", "a2"], ["a3", "a4"]]}
    assert gold.counts == {
        "items": 3, "not_split_by_enough": 1, "undecided": 1, "disputed": 0, "clusters": 1,
        "subclusters": 2, "headlines": 6, "grouped": 4,
    }  # fmt: skip
    assert gold.agreement["clusters"] == 2
    assert gold.agreement["together"] == 3
    assert gold.lineage["sampling"]["clusters_drawn"] == 3
    row = gold.clusters.get()
    assert [one["annotator"] for one in row.versions] == ["annotator-1", "annotator-2"]
    assert row.versions[0]["subclusters"] == [["a1", "a2"], ["a3", "a4"]]
    assert row.adjudication is None


def test_gold_takes_the_adjudicators_word(split_batch, people):
    item = split_batch.items.get(cluster__key="disputed")
    decide(item, people["adjudicator"], [[2, 1], [6, 5]], comment="so")
    gold = freeze(split_batch)
    assert lines(gold)["disputed"] == [["a1", "a2"], ["a5", "a6"]]
    row = gold.clusters.get(item=item)
    assert (row.adjudication["version"], row.adjudication["comment"]) == (1, "so")
    assert gold.counts["disputed"] == 1
