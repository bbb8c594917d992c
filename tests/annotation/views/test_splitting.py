"""The pages about sub-clusters: stage, drawing, one batch, agreement, review, gold."""

import pytest
from django.urls import reverse

from tests.factories.subclusters import headline_cluster, split, splitting_batch


@pytest.fixture
def batch(project, annotators):
    """Two clusters: split alike, and in dispute over headline 3."""
    for key in ("alike", "disputed"):
        headline_cluster(project, key=key)
    batch = splitting_batch(project, annotators, name="Heads")
    for annotator, groups in zip(annotators, ([[1, 2, 3]], [[1, 2]]), strict=True):
        split(batch.items.get(cluster__key="alike"), annotator, [[1, 2], [4, 5]])
        split(batch.items.get(cluster__key="disputed"), annotator, groups)
    return batch


def page(client, name, *arguments):
    return client.get(reverse(name, args=arguments))


def test_agreement_by_annotators_and_cluster(batch, as_):
    answer = page(as_("adjudicator"), "split-agreement", "dams", batch.pk)
    ((row, clusters),) = answer.context["rows"]
    assert row["same"] == 1
    assert [key for _, key in clusters] == [
        item.cluster.key for item in batch.items.select_related("cluster")
    ]
    # In dispute: together 1, in the first 3, in the second 1, by chance 3 / 15.
    text = answer.content.decode()
    cells = text.partition("<bdi>disputed</bdi>")[2].partition("</tr>")[0]
    assert [figure for figure in ("0.444", "1.000", "0.333", "0.500") if figure not in cells] == []
    assert "A and B" in text
    assert "annotator-person" not in text


def test_the_review_lists_what_is_in_dispute(batch, as_):
    answer = page(as_("adjudicator"), "split-review", "dams", batch.pk)
    (row,) = answer.context["table"].rows
    assert (row.item.cluster.key, len(row.texts), row.agreement.differing) == ("disputed", 6, 1)
    text = answer.content.decode()
    assert "1 disputed headline<" in text
    decide = reverse("split-decide", args=["dams", row.item.pk])
    assert decide in text
    assert decide not in page(as_("manager"), "split-review", "dams", batch.pk).content.decode()
    stage = page(as_("adjudicator"), "review", "dams").content.decode()
    assert "Sub-clusters of headlines" in stage
