"""The project's own page: one next step for each role, and the stages in the order of the work."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from annotation.models import Assignment, ClassifierRun, Label
from annotation.services.classifiers.applying import launch_application
from annotation.services.classifiers.training import launch_training
from annotation.specs import TrainingSpec
from ops.navigation import navigation
from projects.models import Project, Role
from tests.factories.annotation import assignments_of, gold_set, judge, judge_all, judging_batch
from tests.factories.classifiers import applied, finished, learnable_dataset, learnable_gold, trained
from tests.factories.corpus import ExtractionFactory, UserFactory, dataset_of, member
from tests.factories.trained_aligners import linked_gold


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def next_steps(client: Client) -> list[str]:
    return [action.label for action in client.get("/projects/dams/").context["overview"].next]


def test_a_manager_is_led_through_the_work(project):
    manager = client_of(member(project, Role.MANAGER, "mira"))
    assert next_steps(manager) == ["Import a corpus"]
    dataset = dataset_of(project)
    assert next_steps(manager) == ["Add annotators"]
    people = [member(project, Role.ANNOTATOR, name) for name in ("anna", "bert")]
    assert next_steps(manager) == ["Draw a batch to judge"]
    batch = judging_batch(project, people, dataset=dataset, name="first")
    assert next_steps(manager) == ["See how far “first” is"]
    for user, label in zip(people, (Label.PARAPHRASE, Label.NOT_PARAPHRASE), strict=True):
        judge_all(batch, user, [label])
    assert next_steps(manager) == ["Freeze a gold set"]
    project.gold_rule = "adjudicated"
    project.save()
    assert next_steps(manager) == ["Review 6 disagreements"]
    page = manager.get("/projects/dams/").content.decode()
    assert "12 of 12 answers" in page and "6 disagreements" in page
    assert page.count('class="button main"') == 1


def test_the_navigation_costs_few_queries(project, rf, django_assert_max_num_queries):
    request = rf.get("/projects/dams/")
    request.user, request.project = member(project, Role.MANAGER, "mira"), project
    with django_assert_max_num_queries(8):
        found = navigation(request)
        assert found["manages"] and [stage.label for stage in found["stages"]][-1] == "Export"


def test_after_the_gold_set_comes_linking(project):
    manager = client_of(member(project, Role.MANAGER, "mira"))
    gold_set(project, [member(project, Role.ANNOTATOR, name) for name in ("anna", "bert")])
    assert next_steps(manager) == ["Draw a linking batch"]


@pytest.mark.parametrize(
    ("state", "label"), [("running", "Follow the extraction"), ("failed", "See what stopped the extraction")]
)
def test_an_extraction_on_its_way_is_the_next_step(project, state, label):
    manager = client_of(member(project, Role.MANAGER, "mira"))
    dataset_of(project).extractions.all().delete()
    extraction = ExtractionFactory(project=project, job__state=state)
    assert next_steps(manager) == [label]
    assert f"candidates/extractions/{extraction.pk}/" in manager.get("/projects/dams/").content.decode()


def test_an_annotator_is_led_to_the_own_pairs(project):
    anna, bert = (member(project, Role.ANNOTATOR, name) for name in ("anna", "bert"))
    assert "Nothing is assigned to you now" in client_of(anna).get("/projects/dams/").content.decode()
    batch = judging_batch(project, [anna, bert])
    assert next_steps(client_of(anna)) == ["Judge 6 pairs"]
    judge(assignments_of(batch, anna)[0])
    assert next_steps(client_of(anna)) == ["Judge 5 pairs"]
    page = client_of(anna).get("/projects/dams/").content.decode()
    assert f"/projects/dams/judge/{batch.pk}/answer/" in page and "1 of 6 pairs" in page
    assert "candidates/" not in page and "Settings" not in page
    assert "Judge 5 pairs" in client_of(anna).get("/").content.decode()


def test_an_annotator_s_pages_do_not_change_with_what_others_answer(project):
    anna, bert = (member(project, Role.ANNOTATOR, name) for name in ("anna", "bert"))
    member(project, Role.ADJUDICATOR, "anna")
    batch = judging_batch(project, [anna, bert])
    client = client_of(anna)

    def pages() -> list[str]:
        return [
            "\n".join(line for line in client.get(url).content.decode().split("\n") if "csrf" not in line)
            for url in ("/", "/projects/dams/")
        ]

    before = pages()
    judge_all(batch, bert, [Label.PARAPHRASE, Label.NOT_PARAPHRASE])
    assert Assignment.objects.of(bert).filter(state="done").count() == 6
    assert pages() == before


def test_adjudicators_and_viewers_have_a_way_in(project):
    viewer = client_of(member(project, Role.VIEWER, "vera"))
    adjudicator = client_of(member(project, Role.ADJUDICATOR, "adam"))
    assert next_steps(viewer) == []
    assert "a manager is setting this project up" in viewer.get("/projects/dams/").content.decode()
    dataset_of(project)
    assert next_steps(viewer) == ["Read the corpus"]
    gold_set(project, [member(project, Role.ANNOTATOR, name) for name in ("anna", "bert")])
    assert next_steps(viewer) == ["See the gold sets"]
    assert next_steps(adjudicator) == ["Review the judgements"]
    assert "of 12 answers" not in viewer.get("/projects/dams/").content.decode()


def test_guidelines_are_shown_as_text_only(project):
    project.guidelines = "# Rules\n\n<script>alert(1)</script>"
    project.save()
    page = client_of(member(project, Role.ANNOTATOR, "anna")).get("/projects/dams/").content.decode()
    assert "<h2>Rules</h2>" in page and "&lt;script&gt;" in page and "<script>" not in page


def test_strangers_find_nothing(project):
    answer = client_of(UserFactory()).get("/projects/dams/")
    assert answer.status_code == 404
    page = answer.content.decode()
    assert "There is nothing here for you" in page and project.name not in page
    assert Client().get("/projects/dams/").url == "/accounts/login/?next=/projects/dams/"


def test_the_page_of_a_fault_asks_nothing_of_the_database():
    from django.template.loader import render_to_string

    assert "Something broke" in render_to_string("500.html")


def classifier_row(client: Client) -> tuple[str, list[str], str]:
    """The state, what is there, and what may be done."""
    steps = client.get("/projects/dams/").context["overview"].steps
    step = next(step for step in steps if step.label == "Classifier")
    return step.state, [text for text, _ in step.contents], step.action.label if step.action else ""


def test_the_row_leads_from_gold_to_the_table(project: Project) -> None:
    manager = client_of(member(project, Role.MANAGER, "MANAGER"))
    assert classifier_row(manager) == ("waiting", [], "")
    dataset = learnable_dataset(project)
    gold = learnable_gold(project, dataset)
    assert classifier_row(manager) == ("waiting", [], "Train a classifier")
    page = manager.get("/projects/dams/").content.decode()
    assert '<a href="/projects/dams/classifier/new/">Train a classifier</a>' in page
    # The way to gold links goes on without it.
    assert manager.get("/projects/dams/").context["overview"].next[0].label == "Draw a linking batch"

    spec = TrainingSpec(classes=["string"], c=0.1, report=False)
    classifier = launch_training(project=project, by=None, name="svm", gold_set=gold, spec=spec)
    assert classifier_row(manager) == ("running", ["1 classifier"], "Follow the training")
    finished(classifier)
    assert classifier_row(manager) == ("waiting", ["1 classifier"], "Apply svm v1")
    run = launch_application(classifier=classifier, by=None, dataset=dataset, name="kept")
    assert classifier_row(manager) == ("running", ["1 classifier"], "Follow the run")
    finished(run)
    done = ["1 classifier", "1 refined dataset"]
    assert classifier_row(manager) == ("done", done, "See the run, draw the next batch")
    linked_gold(project, 2)
    assert classifier_row(manager) == ("done", done, "Compare what it accepted")


def test_what_stopped_is_named_and_viewers_are_offered_nothing(project: Project) -> None:
    dataset = learnable_dataset(project)
    run = applied(trained(project, learnable_gold(project, dataset)), dataset)
    run.job.state = "failed"
    run.job.save()
    assert (
        classifier_row(client_of(member(project, Role.MANAGER, "MANAGER")))[2] == "See what stopped the run"
    )
    page = client_of(member(project, Role.VIEWER, "VIEWER")).get("/projects/dams/").content.decode()
    assert "1 classifier" in page
    assert "See what stopped the run" not in page
    assert ClassifierRun.objects.count() == 1
