import pytest

from annotation.models import PairScore
from annotation.services.classifiers import applying
from annotation.services.classifiers.applying import launch_application
from annotation.services.classifiers.inspection import model_of
from paragold.text import stemming
from projects.errors import PublicError
from tests.factories.classifiers import applied, trained

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
