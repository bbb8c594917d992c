import pytest
from django.urls import reverse

from annotation.schemes import Label
from tests.factories.annotation import assignments_of, judge, judge_all, judging_batch
from tests.factories.corpus import dataset_of

YES, NO = Label.PARAPHRASE, Label.NOT_PARAPHRASE


@pytest.fixture
def batches(project, annotators):
    """Eight pairs on which two of the labels differ, and four on which all agree."""
    dataset = dataset_of(project, 12)
    first = judging_batch(project, annotators, size=8, dataset=dataset, name="Dams")
    judge_all(first, annotators[0], (YES, NO))
    judge_all(first, annotators[1], (YES, NO, YES, YES))
    second = judging_batch(project, annotators, size=4, dataset=dataset, name="Rivers")
    for annotator in annotators:
        judge_all(second, annotator, (YES, NO))
    return first, second


@pytest.fixture
def ask(as_, project):
    def get(role="manager", **query):
        return as_(role).get(reverse("agreement", args=[project.slug]), query)

    return get


def figures(answer):
    return {figure.name: (figure.value, figure.items) for figure in answer.context["shown"]}


def test_figures_over_all_batches(ask, batches):
    answer = ask()
    assert figures(answer)["Agreement"] == ("83.33 %", 12)
    assert {figure.interval != "" for figure in answer.context["shown"]} == {True}
    assert [(batch.name, found[0].value) for batch, found, _ in answer.context["by_batch"]] == [
        ("Rivers", "100.00 %"),
        ("Dams", "75.00 %"),
    ]


def test_an_adjudicator_sees_finished_pairs_only(project, annotators, ask):
    batch = judging_batch(project, annotators, size=3)
    judge_all(batch, annotators[0], (YES, NO))
    for assignment in assignments_of(batch, annotators[1])[:2]:
        judge(assignment, YES)
    assert figures(ask("adjudicator"))["Agreement"] == ("50.00 %", 2)
    judge(assignments_of(batch, annotators[1])[2], None, skipped=True)
    assert figures(ask("adjudicator"))["Agreement"] == ("50.00 %", 2)
