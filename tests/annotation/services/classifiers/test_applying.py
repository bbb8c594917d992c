"""Applying a classifier: scores, the refined dataset, other thresholds, and models that are refused."""

import pytest

from annotation.models import PairScore
from annotation.services.classifiers import applying
from annotation.services.classifiers.applying import freeze_at, launch_application, yields
from annotation.services.classifiers.inspection import model_of
from paragold.text import stemming
from projects.errors import PublicError
from tests.factories.classifiers import applied, finished, trained
from tests.factories.corpus import ProjectFactory, dataset_of

pytestmark = pytest.mark.django_db


def test_the_accepted_pairs_become_a_dataset(project, dataset, gold, monkeypatch):
    monkeypatch.setattr(applying, "PAIRS_A_CHUNK", 15)
    classifier = trained(project, gold)
    run = applied(classifier, dataset)
    assert run.job.chunks.count() == 3
    assert run.threshold is None
    texts = list(dataset.pairs().order_by("pk").values_list("sentence_a__text", "sentence_b__text"))
    values, probabilities = model_of(classifier).decide(texts)
    scores = list(run.scores.order_by("pair_id"))
    assert [score.probability for score in scores] == pytest.approx(probabilities.tolist())
    refined = run.refined.get()
    # As `classify_pairs` decides: by the sign of the decision value.
    accepted = {score.pair_id for score, yes in zip(scores, values >= 0, strict=True) if yes}
    assert 0 < len(accepted) < 40
    assert set(refined.pairs().values_list("pk", flat=True)) == accepted
    assert refined.refinement == {"classifier": "svm v1", "sha256": classifier.sha256, "threshold": None}
    assert run.job.counts == {"pairs": 40, "accepted": len(accepted)}


def test_another_threshold_makes_another_dataset_from_the_same_scores(project, dataset, gold):
    run = applied(trained(project, gold), dataset)
    kept = yields(run, [0.2, 0.8])
    assert freeze_at(run=run, threshold=0.8, name="strict").size == kept[0.8] < kept[0.2]
    with pytest.raises(PublicError, match="lower threshold"):
        freeze_at(run=run, threshold=1.0, name="none")
    with pytest.raises(PublicError, match="from 0 to 1"):
        freeze_at(run=run, threshold=1.5, name="none")


def test_a_name_that_was_taken_meanwhile_gets_a_number(project, dataset, gold):
    classifier = trained(project, gold)
    run = launch_application(classifier=classifier, by=None, dataset=dataset, name="refined")
    taken = applied(classifier, dataset, name="another").refined.get()
    taken.name = "refined"
    taken.save()
    assert finished(run).refined.get().name == "refined 2"


def test_a_changed_model_and_other_lexicons_are_refused(project, dataset, gold, monkeypatch):
    classifier = trained(project, gold, classes=["string", "morphology"])
    monkeypatch.setattr(stemming, "SIGNATURE", "snowball-0.1")
    with pytest.raises(
        PublicError, match=r"trained with another lexicon morphology: .* this installation has snowball-0.1"
    ):
        launch_application(classifier=classifier, by=None, dataset=dataset)
    monkeypatch.undo()
    classifier.model = bytes(classifier.model)[:-1] + b"x"
    with pytest.raises(PublicError, match="was changed after its training"):
        launch_application(classifier=classifier, by=None, dataset=dataset)
    assert not PairScore.objects.exists()


def test_datasets_of_others_and_taken_names_are_refused(project, dataset, gold):
    classifier = trained(project, gold)
    with pytest.raises(PublicError, match="another project"):
        launch_application(classifier=classifier, by=None, dataset=dataset_of(ProjectFactory(), 1))
    with pytest.raises(PublicError, match="choose another name"):
        launch_application(classifier=classifier, by=None, dataset=dataset, name=dataset.name)
