"""Drawing linking batches, and one in detail."""

from django.urls import reverse

from alignment.services.batches import latest_job
from tests.factories.alignment import link, link_all, linking_batch
from tests.factories.annotation import assignments_of


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
