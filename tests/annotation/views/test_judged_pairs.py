import pytest
from django.urls import reverse

from annotation.models import AssignmentState
from annotation.schemes import Label
from annotation.services.pseudonyms import pseudonyms
from projects.models import AuditEntry, Role
from tests.factories.annotation import assignments_of, judge, judge_all, judging_batch
from tests.factories.corpus import MembershipFactory, dataset_of

YES, NO = Label.PARAPHRASE, Label.NOT_PARAPHRASE


@pytest.fixture
def batches(project, annotators):
    """Four pairs: A says yes, no, yes, no, B yes throughout. Two more, judged by nobody or one."""
    pseudonyms(project, [user.pk for user in annotators])
    dataset = dataset_of(project, 6)
    first = judging_batch(project, annotators, size=4, dataset=dataset, name="Dams")
    judge_all(first, annotators[0], (YES, NO))
    for number, assignment in enumerate(assignments_of(first, annotators[1]), start=1):
        judge(assignment, YES, flagged=number == 3)
    second = judging_batch(project, annotators, size=2, dataset=dataset, name="Rivers")
    judge(assignments_of(second, annotators[0])[0], None, skipped=True)
    judge(assignments_of(second, annotators[1])[1], NO)
    return first, second


@pytest.fixture
def ask(as_, project):
    def get(role="manager", **query):
        answer = as_(role).get(reverse("judged-pairs", args=[project.slug]), query)
        assert answer.status_code == 200
        return answer

    return get


def entries(answer):
    return answer.context["tables"][0].rows


def listed(answer):
    found = [(one.item.batch.name, one.item.number) for one in entries(answer)]
    assert len(found) == answer.context["total"]
    return found


def dams(*numbers):
    return [("Dams", number) for number in numbers]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"person": 1, "other": 2, "label": NO, "other_label": YES}, dams(2, 4)),
        ({"label": NO}, [*dams(2, 4), ("Rivers", 2)]),
        ({"state": "flagged"}, dams(3)),
        ({"state": "skipped"}, [("Rivers", 1)]),
        ({"state": "open", "person": 2}, [("Rivers", 1)]),
        ({"day": "2001-01-01"}, []),
    ],
)
def test_each_filter_lists_its_pairs(ask, batches, query, expected):
    assert listed(ask(**query)) == expected


def test_letters_for_names_and_a_trace_for_each_batch(ask, batches):
    page = ask(person=1, other=2, label=NO, other_label=YES).content.decode()
    assert "A said “Not a paraphrase”, B “Paraphrase”" in page
    assert "annotator-person" not in page
    assert AuditEntry.objects.get(event="answers-seen").target.endswith("Dams")


def test_an_adjudicator_sees_what_is_answered_and_not_the_own(ask, project, batches, annotators):
    assert listed(ask("adjudicator")) == dams(1, 2, 3, 4)
    MembershipFactory(project=project, user=annotators[0], role=Role.ADJUDICATOR)
    answer = ask("annotator")
    assert listed(answer) == []
    assert "that you annotated, are not shown" in answer.content.decode()
    assert AssignmentState.OPEN not in {vote.label for one in entries(ask()) for vote in one.votes}
