"""The score of a model over HTTP is a feature of a classifier, and so decides what is drawn and enlarged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation.classifier_forms import TrainingForm
from annotation.models import GoldSet, TrainedClassifier
from annotation.services.classifiers.applying import launch_application, project_yield
from annotation.services.classifiers.inspection import contributions
from annotation.services.classifiers.training import launch_training
from annotation.services.drawing import draw_judging_batch
from annotation.specs import TrainingSpec
from corpus.models import CandidatePair, Dataset
from jobs.models import JobState
from jobs.services.ledger import retry_job
from jobs.services.running import run_here
from paragold.sampling.strategy import UNCERTAINTY, DrawSpec
from projects.errors import PublicError
from projects.models import Project
from tests.factories.classifiers import TRAINING_FORM, applied, trained
from tests.factories.corpus import member
from tests.factories.trained_aligners import linked_gold
from tests.model_server import ModelServer, configure, serving_model

pytestmark = pytest.mark.django_db
ONLY_SCORER = {"classes": ["scorer"], "scorer": "toy"}


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with serving_model() as server:
        server.health["max_pairs"] = 16
        configure(monkeypatch, tmp_path, server)
        del server.asked[:]
        yield server


def test_scores_decide_what_is_accepted_and_drawn(
    project: Project, dataset: Dataset, gold: GoldSet, toy: ModelServer
) -> None:
    toy.score = lambda source, target: float(int(source[-1]) % 2 == 0)  # as the gold set has it
    classifier = trained(project, gold, **ONLY_SCORER, report=True)
    assert classifier.figures["classes"] == ["scorer"]
    assert classifier.figures["weights"][0][0] == "scorer:score"
    assert classifier.figures["weights"][0][1] > 0
    assert classifier.figures["measures"]["error"] == 0
    assert f"http|model:toy|host:127.0.0.1:{toy.port}|version:1" in classifier.signature
    # Of 30 labelled pairs none is asked for twice, whatever the report measures.
    assert sum(len(body["pairs"]) for path, body in toy.asked if path == "/score") == 30
    del toy.asked[:]
    run = applied(classifier, dataset)
    assert sum(len(body["pairs"]) for path, body in toy.asked if path == "/score") == 10
    assert run.job.counts["accepted"] == 20
    assert run.refined.get().size == 20
    batch = draw_judging_batch(
        project=project,
        by=None,
        name="next",
        dataset=dataset,
        size=5,
        annotators=[project.memberships.first().user.username],
        seed=1,
        overlap=1,
        strategy=DrawSpec(by=UNCERTAINTY, run=run.pk, audit=20),
    )
    assert batch.items.count() == 5
    del toy.asked[:]
    applied(classifier, dataset, name="again")
    assert toy.asked == []


def test_it_joins_the_other_features_and_has_a_row_of_the_ablation(
    project: Project, gold: GoldSet, toy: ModelServer
) -> None:
    classifier = trained(project, gold, classes=["string"], scorer="toy", report=True)
    assert classifier.figures["classes"] == ["string", "scorer"]
    assert "no scorer" in [row["name"] for row in classifier.figures["ablation"]]
    assert classifier.parameters["spec"]["scorer_version"] == "1"


def test_bootstrapping_and_error_rates_use_scores_of_the_dataset(
    project: Project, dataset: Dataset, gold: GoldSet, toy: ModelServer
) -> None:
    linked_gold(project, 4)
    settings = ONLY_SCORER | {"aligner": "ibm1", "report": True}
    classifier = trained(project, gold, **settings, bootstrap=dataset, aligned=dataset)
    assert classifier.figures["bootstrap"]["rounds"][1]["added"] > 0
    by_name = {row["name"]: row for row in classifier.figures["ablation"]}
    assert 0 < by_name["all"]["aligned"]["pairs"] < dataset.size
    asked = [json.dumps(pair) for path, body in toy.asked if path == "/score" for pair in body["pairs"]]
    assert len(asked) == len(set(asked)) == dataset.size


def test_a_score_does_not_depend_on_the_order_of_the_sentences(
    project: Project, gold: GoldSet, toy: ModelServer
) -> None:
    trained(project, gold, **ONLY_SCORER)
    sent = [pair for path, body in toy.asked if path == "/score" for pair in body["pairs"]]
    assert all(pair["source"] <= pair["target"] for pair in sent)


def test_another_version_stops_the_job_with_a_sentence(
    project: Project, dataset: Dataset, gold: GoldSet, toy: ModelServer
) -> None:
    classifier = trained(project, gold, **ONLY_SCORER)
    toy.version = "2"
    run = launch_application(classifier=classifier, by=None, dataset=dataset, name="refined")
    run_here(job=run.job)
    run.job.refresh_from_db()
    assert run.job.state == JobState.FAILED
    assert run.job.error.startswith("The model toy has version 2, but this work uses 1")


def test_a_job_that_a_dead_model_ended_goes_on_where_it_was(
    project: Project, gold: GoldSet, toy: ModelServer
) -> None:
    toy.change = lambda answer: answer if len(toy.asked) < 3 else b'{"version": "1", "sco'
    spec = TrainingSpec(**ONLY_SCORER, report=False, c=0.1)
    classifier = launch_training(project=project, by=None, name="svm", gold_set=gold, spec=spec)
    run_here(job=classifier.job)
    assert classifier.job.state == JobState.FAILED
    toy.change = lambda answer: answer
    del toy.asked[:]
    run_here(job=retry_job(job=classifier.job))
    classifier.refresh_from_db()
    assert classifier.finished
    assert [len(body["pairs"]) for path, body in toy.asked if path == "/score"] == [14]


@pytest.mark.parametrize("score", [float("nan"), "much"])
def test_a_score_that_is_none_stops_the_training(
    project: Project, gold: GoldSet, toy: ModelServer, score: object
) -> None:
    toy.score = lambda source, target: score
    spec = TrainingSpec(**ONLY_SCORER)
    classifier = launch_training(project=project, by=None, name="svm", gold_set=gold, spec=spec)
    run_here(job=classifier.job)
    classifier.job.refresh_from_db()
    assert classifier.job.state == JobState.FAILED
    assert "The answer is not valid" in classifier.job.error


def test_pages_use_scores_that_are_kept_and_never_ask(
    project: Project, dataset: Dataset, gold: GoldSet, toy: ModelServer
) -> None:
    classifier = trained(project, gold, **ONLY_SCORER)
    del toy.asked[:]
    judged = gold.judgements.values_list("item__pair", flat=True)
    pairs = CandidatePair.objects.with_sentences().filter(project=project)
    known, new = pairs.filter(pk__in=judged).first(), pairs.exclude(pk__in=judged).first()
    assert contributions(classifier, [known])[0][0].name == "scorer:score"
    with pytest.raises(PublicError, match="Apply the classifier"):
        contributions(classifier, [new])
    with pytest.raises(PublicError, match="Apply the classifier"):
        project_yield(classifier, dataset, (None,))
    client = Client()
    client.force_login(member(project, "manager", "boss"))
    for name in ("classifier", "classifier-apply", "classifier-pair"):
        address = reverse(name, args=(project.slug, classifier.pk))
        page = client.get(address, {"pair": new.pk})
        assert page.status_code == 200
        assert ("No estimate: Scores of the model toy" in page.content.decode()) == (
            name == "classifier-apply"
        )
    assert toy.asked == []


def test_the_form_offers_models_that_score(project: Project, gold: GoldSet, toy: ModelServer) -> None:
    form = TrainingForm(project=project)
    assert [value for value, _ in form.fields["scorer"].choices] == ["", "toy"]
    assert "scorer" not in dict(form.fields["classes"].choices)
    client = Client()
    client.force_login(member(project, "manager", "boss"))
    sent = TRAINING_FORM | {"gold_set": gold.pk, "scorer": "toy", "classes": []}
    assert client.post(reverse("classifier-new", args=(project.slug,)), sent).status_code == 302
    classifier = TrainedClassifier.objects.latest("pk")
    assert classifier.parameters["spec"]["classes"] == ["scorer"]
    assert classifier.parameters["spec"]["scorer_version"] == "1"
    assert toy.asked == []


def test_without_models_the_form_has_no_such_field(project: Project) -> None:
    form = TrainingForm(project=project)
    assert "scorer" not in form.fields
    assert "scorer" not in dict(form.fields["classes"].choices)


def test_the_api_and_the_command_take_it(project: Project, gold: GoldSet, toy: ModelServer) -> None:
    client = Client()
    client.force_login(member(project, "manager", "boss"))
    address = f"/api/v1/projects/{project.slug}/classifiers/"
    body = {"name": "svm", "gold_set": gold.pk, "scorer": "toy", "report": False}
    answer = client.post(address, body, content_type="application/json")
    assert answer.status_code == 201, answer.json()
    assert answer.json()["parameters"]["spec"]["scorer"] == "toy"
    wrong = client.post(address, body | {"scorer": "none"}, content_type="application/json")
    assert wrong.status_code == 400
    assert "There is no model 'none' that scores pairs" in wrong.json()["scorer"][0]
    out = StringIO()
    options = ["--without", "products", "--scorer", "toy", "--no-report", "--wait"]
    call_command(
        "train_project_classifier",
        *("--project", project.slug, "--gold", "gold", "--name", "by command", "--c", "0.1", *options),
        stdout=out,
    )
    assert "by command v1 trained on 30 pairs" in out.getvalue()
    assert "scorer" in TrainedClassifier.objects.get(name="by command").figures["classes"]


def test_a_model_that_does_not_score_is_refused(
    project: Project, gold: GoldSet, toy: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy.health = {"align": True}
    configure(monkeypatch, tmp_path, toy)
    spec = TrainingSpec(**ONLY_SCORER)
    with pytest.raises(PublicError, match=r"no model 'toy' that scores pairs.*Available: none"):
        launch_training(project=project, by=None, name="svm", gold_set=gold, spec=spec)
