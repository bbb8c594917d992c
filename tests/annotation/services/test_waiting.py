import pytest

from annotation.models import BatchKind, HandingOut
from annotation.services.drawing import draw_judging_batch
from annotation.services.progress import waiting_for, waiting_items
from annotation.services.reassignment import change_annotator
from ops.facts import Facts
from ops.next_step import next_step
from projects.models import Membership
from tests.factories.annotation import judging_batch
from tests.factories.corpus import dataset_of, member


@pytest.fixture
def people(project):
    return [member(project, "annotator", name) for name in ("ann", "ben")]


def taken_as_they_come(project, people, **options):
    return draw_judging_batch(
        project=project, by=None, name="as they come", dataset=dataset_of(project, 4), size=4, overlap=1,
        annotators=[user.username for user in people], seed=1, handing_out=HandingOut.AS_THEY_COME, **options,
    )  # fmt: skip


def waits(user, project):
    return waiting_items(waiting_for(user, project), BatchKind.JUDGE)


def test_items_that_nobody_has_taken_wait_for_everybody(project, people):
    batch = taken_as_they_come(project, people, quotas={"ben": 3})
    assert [waits(user, project) for user in people] == [4, 3]
    action = next_step(Facts(people[0], project))
    assert action and action.label == "Judge 4 pairs"
    change_annotator(batch=batch, by=people[0], annotator=people[0], quota=None, paused=True)
    assert waits(people[0], project) == 0
    assert waits(member(project, "annotator", "of another batch"), project) == 0


def test_nothing_waits_for_who_annotates_no_more(project, people):
    judging_batch(project, people, size=2)
    Membership.objects.filter(user=people[0]).delete()
    assert waits(people[0], project) == 0
    assert waiting_for(people[0]) == []
