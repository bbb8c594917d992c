"""What a gold set's page says of the extractions, to people and programs."""

from __future__ import annotations

from django.urls import reverse

from annotation.models import Batch
from tests.factories.annotation import gold_set


def test_shares_stand_on_the_gold_sets_page(project, annotators, as_):
    gold = gold_set(project, annotators, size=6)
    answer = as_("viewer").get(reverse("gold-set", args=[project.slug, gold.pk]))
    ((_, shares),) = answer.context["precision"].extractions
    assert [(share.items, share.value) for share in shares.values()] == [(6, 0.5), (6, 0.5)]
    page = answer.content.decode()
    assert page.count('50.00 <small class="interval">18.76 to 81.24</small>') >= 2
    assert "What the extractions found" in page
    assert "6 of 6 pairs count" in page
    assert "about 3 of 6 (1 to 5)" in page


def test_without_random_draws_nothing_is_claimed(project, annotators, as_):
    gold = gold_set(project, annotators, size=6)
    Batch.objects.update(sampling={"by": "edit_distance"})
    page = as_("viewer").get(reverse("gold-set", args=[project.slug, gold.pk])).content.decode()
    assert "What the extractions found" not in page


def test_programs_get_the_same(project, annotators, as_):
    gold = gold_set(project, annotators, size=6)
    data = as_("viewer").get(reverse("gold-set", args=[project.slug, gold.pk]) + "?format=json").json()
    assert (data["pairs"], data["counted"]) == (6, 6)
    (extraction,) = data["extractions"]
    share = extraction["shares"][0]
    assert (share["label"], share["count"], share["items"], share["value"]) == ("paraphrase", 3, 6, 0.5)
    assert 0.18 < share["low"] < 0.19
    (dataset,) = data["datasets"]
    names = ("pool", "projected", "projected_low", "projected_high")
    assert [dataset["shares"][0][name] for name in names] == [6, 3, 1, 5]
    assert sum(row["shares"][0]["items"] for row in data["distances"]) == 6
