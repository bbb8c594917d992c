from django.urls import reverse

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
