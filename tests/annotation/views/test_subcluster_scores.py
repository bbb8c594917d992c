"""Table 2 for gold sub-clusters, for people and programs."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.services.gold import freeze_gold_subclusters
from annotation.specs import SubclusterScoresSpec
from tests.factories.subclusters import headline_cluster, split, splitting_batch

PAPER = SubclusterScoresSpec(pk1=1).as_json()


@pytest.fixture
def gold_set(project, annotators):
    for key in ("one", "two"):
        headline_cluster(project, key=key)
    batch = splitting_batch(project, annotators[:1])
    for item in batch.items.all():
        split(item, annotators[0], [[1, 2], [3, 4]])
    return freeze_gold_subclusters(project=project, by=None, name="gold", batch=batch)


@pytest.fixture
def address(gold_set):
    return reverse("subcluster-scores", args=[gold_set.project.slug, gold_set.pk])


def test_table_2_with_the_papers_thresholds(address, gold_set, as_):
    viewer = as_("manager")
    gold_page = viewer.get(reverse("gold-subclusters", args=[gold_set.project.slug, gold_set.pk]))
    assert address in gold_page.content.decode()
    page = viewer.get(address, PAPER).content.decode()
    assert "Precision and recall" in page and "0.93 / 0.39" in page
    assert "missed: pairwise, all headlines" in page
    assert 'value="0.5"' in page and 'value="0.2"' in page
    assert "<dd>PK1 1, delta 5</dd>" in page and "Tuned" not in page


def test_groups_are_tuned_on_the_other_clusters_by_default(address, as_):
    page = as_("manager").get(address).content.decode()
    assert "tuned on the others (2 clusters, F with beta 0.25)" in page
    assert f"{address}?method=" in page and "pk1=1.0" in page
    query = next(part for part in page.split('"') if "outcome=right" in part and "kmeans" in part)
    assert "pk1" not in query
    count = page.split(query)[1].split("</a>")[0].split(">")[1]
    links = as_("manager").get(query.replace("&amp;", "&")).content.decode()
    assert links.count('<th scope="row">right</th>') == int(count)


def test_thresholds_are_chosen_and_tuned(address, as_):
    options = PAPER | {"upper": "0.3", "lower": "0", "delta": "4", "centres": "random", "weights": "file"}
    page = as_("manager").get(address, options).content.decode()
    assert "<dd>0.30, 0</dd>" in page
    tuned = as_("manager").get(address, options | {"share": "0.5"}).content.decode()
    assert "On 1 cluster the thresholds above have the best F" in tuned
    for wrong, message in (
        ({"lower": "0.4"}, "may not be above the upper threshold"),
        ({"share": "1"}, "less than or equal to 0.99"),
        ({"seed": ""}, "This field is required"),
    ):
        refused = as_("manager").get(address, options | wrong)
        assert refused.status_code == 422
        assert message in refused.content.decode() and "Precision and recall" not in refused.content.decode()


def as_json(as_, url, **query):
    return as_("manager").get(url, query | {"format": "json"})


def test_programs_get_the_same(address, as_):
    assert as_json(as_, address).json()["left_one_out"] is True
    assert as_json(as_, address, share="").json()["left_one_out"] is True, "an empty field of the form"
    told = as_json(as_, address, pk1=1).json()
    assert told["left_one_out"] is False
    assert [(row["method"], row["headlines"]) for row in told["table"]] == [
        ("kmeans", "clusters only"), ("kmeans", "all headlines"),
        ("pairwise", "clusters only"), ("pairwise", "all headlines"),
    ]  # fmt: skip
    assert (told["clusters"], told["sub_clusters"], told["unclustered"]) == (2, 4, 4)
    assert told["thresholds"] == {"upper": 0.5, "lower": 0.2, "pk1": 1, "delta": 5}
    tuned = as_json(as_, address, share=0.5, seed=3).json()
    assert len(tuned["development_clusters"]) == 1 and tuned["clusters"] == 1
    for wrong in ({"upper": 0.1}, {"weights": "none"}, {"shares": 0.5}):
        assert as_json(as_, address, **wrong).status_code == 400


def test_the_numbers_lead_to_the_links(address, gold_set, as_):
    viewer = as_("manager")
    page = viewer.get(address, PAPER | {"share": "0.5"}).content.decode()
    query = next(part for part in page.split('"') if "outcome=missed" in part and "kmeans" in part)
    assert "/links/?" in query and "share=0.5" in query and "headlines=clusters" in query
    shown = viewer.get(query.replace("&amp;", "&")).content.decode()
    assert "Missed" in shown and 'aria-current="true">Missed' in shown
    links = address.replace("/scores/", "/links/")
    every = viewer.get(links, {"order": "cosine"}).content.decode()
    assert every.count('<th scope="row">missed</th>') > 0
    assert viewer.get(links, {"method": "rhyme"}).status_code == 422


def test_programs_get_the_links(address, as_):
    links = address.replace("/scores/", "/links/")
    table = {(row["method"], row["headlines"]): row for row in as_json(as_, address).json()["table"]}
    for method, headlines in (("kmeans", "all"), ("pairwise", "clusters")):
        row = table[method, "all headlines" if headlines == "all" else "clusters only"]
        told = as_json(as_, links, method=method, headlines=headlines).json()
        outcomes = [item["outcome"] for item in told["items"]]
        assert outcomes.count("right") == row["right"] == told["counts"]["right"]
        assert outcomes.count("wrong") == row["retrieved"] - row["right"]
        assert outcomes.count("missed") == row["relevant"] - row["right"]
    assert {"cluster", "headline_a", "score", "context"} <= told["items"][0].keys()
    assert as_json(as_, links, outcome="odd").status_code == 400
    tuned = as_json(as_, links, share=0.5, outcome="missed").json()
    assert len({item["cluster"] for item in tuned["items"]}) <= 1
