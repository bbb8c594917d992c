"""Table 2 for gold sub-clusters, for people and programs."""

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


def as_json(as_, url, **query):
    return as_("manager").get(url, query | {"format": "json"})


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
