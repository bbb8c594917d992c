import pytest
from django.test import Client
from django.urls import reverse

from annotation.schemes import Label
from projects.models import Role
from tests.factories.alignment import link, linking_batch
from tests.factories.annotation import assignments_of, judge_all, judging_batch
from tests.factories.corpus import ProjectFactory, member
from tests.factories.subclusters import headline_cluster, split, splitting_batch

KINDS = ("labels", "links", "clusters")
SURE = [[0, 0, "sure", "drawn"], [1, 1, "sure", "drawn"]]
CHANGED = [[0, 0, "sure", "drawn"], [1, 1, "possible", "drawn"]]
APART = [[0, 1, "sure", "drawn"]]


@pytest.fixture
def client(db):
    """Each has three items: the first annotated alike, the second differently. Of the third, the label is the
    same, the links differ entirely, and the cluster was submitted by one alone."""
    project = ProjectFactory(slug="dams", gold_rule="adjudicated")
    people = [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben")]
    judged = judging_batch(project, people, size=3, name="labels")
    judge_all(judged, people[0], [Label.PARAPHRASE])
    judge_all(judged, people[1], [Label.PARAPHRASE, Label.NOT_PARAPHRASE, Label.PARAPHRASE])
    linked = linking_batch(project, people, name="links")
    first, second = (assignments_of(linked, user) for user in people)
    for ours, theirs, links in zip(first[:3], second[:3], (SURE, CHANGED, APART), strict=True):
        link(ours, SURE)
        link(theirs, links)
    for key in ("alike", "apart", "half"):
        headline_cluster(project, key=key)
    clusters = splitting_batch(project, people, name="clusters", fewest=6)
    alike, apart, half = clusters.items.order_by("number")
    for user, groups in zip(people, ([[1, 2], [3, 4]], [[1, 3], [2, 4]]), strict=True):
        split(alike, user, [[1, 2]])
        split(apart, user, groups)
    split(half, people[0], [[1, 2]])
    client = Client()
    client.force_login(member(project, Role.MANAGER, "mira"))
    return client


def listed(client, **query):
    answer = client.get(reverse("judged-pairs", args=["dams"]), query)
    assert answer.status_code == 200
    rows = answer.context["tables"][0].rows
    return [(row.item.batch.name, row.item.number) for row in rows if row.item.batch.name in KINDS]


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ({"disagreement": "disputed"}, {"labels": [2], "links": [2, 3], "clusters": [2]}),
        ({"disagreement": "agreed"}, {"labels": [1, 3], "links": [1], "clusters": [1]}),
        ({"below": "1"}, {"labels": [2], "links": [3], "clusters": [2]}),
        ({"below": "0.5", "kind": "split"}, {"clusters": [2]}),
    ],
)
def test_disagreement_is_found_whatever_was_annotated(client, query, numbers):
    expected = [(name, number) for name in KINDS for number in numbers.get(name, ())]
    assert sorted(listed(client, **query)) == sorted(expected)
