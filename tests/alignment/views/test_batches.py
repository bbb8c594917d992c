"""Drawing linking batches, and one in detail."""

from __future__ import annotations

import pytest
from django.urls import reverse

from alignment.services.batches import latest_job
from annotation.models import Batch, BatchKind
from annotation.services.second_pass import start_second_pass
from tests.factories.alignment import link, link_all, linking_batch
from tests.factories.annotation import assignments_of, gold_set


def test_stage_without_gold_points_to_the_gold_sets(project, as_):
    page = as_("manager").get(reverse("link", args=[project.slug])).content.decode()
    assert "there is no gold set yet" in page
    assert reverse("gold", args=[project.slug]) in page
    form = as_("manager").get(reverse("link-new", args=[project.slug])).content.decode()
    assert "There is no gold set to draw from" in form


@pytest.mark.parametrize(("size", "drawn"), [("", 3), ("2", 2)])
def test_size_is_all_paraphrases_unless_given(project, annotators, as_, size, drawn):
    gold = gold_set(project, annotators)
    form = {"gold_set": gold.pk, "name": "L", "size": size, "annotators": ["annotator-person"], "overlap": 1}
    as_("manager").post(reverse("link-new", args=[project.slug]), form | {"seed": 3, "suggester": ""})
    batch = Batch.objects.get(kind=BatchKind.LINK)
    assert batch.items.count() == drawn
    assert batch.suggester == ""


def test_more_pairs_than_paraphrases_is_said_at_the_size(project, annotators, as_):
    gold = gold_set(project, annotators)
    form = {"gold_set": gold.pk, "name": "L", "size": 4, "annotators": ["annotator-person"], "overlap": 1}
    answer = as_("manager").post(reverse("link-new", args=[project.slug]), form | {"seed": 3})
    assert answer.status_code == 422
    assert "has only 3 paraphrases" in str(answer.context["form"].errors["size"])
    assert answer.context["form"]["name"].value() == "L"


def test_adjudicators_agreement_leaves_out_what_is_still_open(project, annotators, as_):
    batch = linking_batch(project, annotators)
    link_all(batch, annotators[0])
    link(assignments_of(batch, annotators[1])[0])
    address = reverse("link-detail", args=[project.slug, batch.pk])
    answer = as_("adjudicator").get(address)
    assert (answer.context["agreement"], answer.context["figures"].agreement_pairs) == ("100.00 %", 1)
    assert "annotator-person" not in answer.content.decode()
    assert answer.context["figures"].linked_by_all == 1


def test_a_manager_sets_whose_links_are_suggested(project, annotators, as_):
    found = linking_batch(project, annotators)
    address = reverse("link-suggestions", args=[project.slug, found.pk])
    page = as_("manager").post(address, {"suggester": "identity"}, follow=True).content.decode()
    assert f"Equal words, in {found.items.count()} of {found.items.count()} pairs" in page
    page = as_("manager").post(address, {"suggester": "best"}, follow=True).content.decode()
    assert "Waiting for a worker" in page
    assert "of 3 pairs" in page
    job = latest_job(found)
    assert f'hx-get="{reverse("job-progress", args=[project.slug, job.pk])}"' in page
    assert "htmx" in page.partition("</head>")[0]
    page = as_("manager").post(reverse("job-cancel", args=[project.slug, job.pk]), follow=True)
    assert page.redirect_chain[-1][0] == reverse("link-detail", args=[project.slug, found.pk])
    assert "Resume" in page.content.decode()
    page = as_("manager").post(address, {"suggester": "magic"}, follow=True).content.decode()
    assert "Nothing was changed" in page
    found.refresh_from_db()
    assert found.suggester == "best"


def test_second_pass_counts_disputed_pairs_only(project, annotators, as_):
    batch = linking_batch(project, annotators)
    first, second = annotators
    link_all(batch, first)
    link_all(batch, second)
    own, other = (assignments_of(batch, user)[0] for user in annotators)
    link(own, [[0, 0, "sure", "drawn"]])
    link(other, [])
    address = reverse("link", args=[project.slug])
    assert "Second pass" not in as_("annotator").get(address).content.decode()
    start_second_pass(batch=batch, by=project.created_by)
    page = as_("annotator").get(address).content.decode()
    assert "Second pass of" in page and "Link 1 pair" in page and 'max="1" value="0"' in page
    link(own, [])
    assert 'max="1" value="1"' in as_("annotator").get(address).content.decode()


def test_links_can_be_imported_where_nothing_is_drawn_yet(project, as_):
    page = as_("manager").get(reverse("link", args=[project.slug])).content.decode()
    assert reverse("link-import", args=[project.slug]) in page
    assert (
        reverse("link-import", args=[project.slug])
        not in as_("annotator").get(reverse("link", args=[project.slug])).content.decode()
    )
