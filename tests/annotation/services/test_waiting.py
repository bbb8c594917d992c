from annotation.models import BatchKind, HandingOut
from annotation.services.drawing import draw_judging_batch
from annotation.services.progress import waiting_for, waiting_items
from annotation.services.reassignment import change_annotator
from ops.facts import Facts
from ops.next_step import next_step
from projects.models import Membership
from tests.factories.annotation import judging_batch
from tests.factories.corpus import dataset_of, member


def taken_as_they_come(project, annotators, **options):
    return draw_judging_batch(
        project=project, by=None, name="as they come", dataset=dataset_of(project, 4), size=4, overlap=1,
        annotators=[user.username for user in annotators], seed=1,
        handing_out=HandingOut.AS_THEY_COME, **options,
    )  # fmt: skip


def waits(user, project):
    return waiting_items(waiting_for(user, project), BatchKind.JUDGE)


def test_items_that_nobody_has_taken_wait_for_everybody(project, annotators):
    batch = taken_as_they_come(project, annotators, quotas={annotators[1].username: 3})
    assert [waits(user, project) for user in annotators] == [4, 3]
    action = next_step(Facts(annotators[0], project))
    assert action and action.label == "Judge 4 pairs"
    change_annotator(batch=batch, by=annotators[0], annotator=annotators[0], quota=None, paused=True)
    assert waits(annotators[0], project) == 0
    assert waits(member(project, "annotator", "of another batch"), project) == 0


def test_nothing_waits_for_who_annotates_no_more(project, annotators):
    judging_batch(project, annotators, size=2)
    Membership.objects.filter(user=annotators[0]).delete()
    assert waits(annotators[0], project) == 0
    assert waiting_for(annotators[0]) == []
