"""A classifier, its run and a lexicon of a project, made by hand: only who may open them matters here."""

from annotation.models import ClassifierRun, TrainedClassifier
from annotation.specs import TrainingSpec
from corpus.models import Lexicon, LexiconEntry
from tests.factories.corpus import JobFactory


def classifier_numbers(gold_set, dataset):
    project = gold_set.project
    classifier = TrainedClassifier.objects.create(
        project=project,
        job=JobFactory(project=project),
        gold_set=gold_set,
        name="svm",
        version=1,
        parameters={"spec": TrainingSpec().as_json(), "language": "en", "folds": 3},
    )
    run = ClassifierRun.objects.create(
        classifier=classifier,
        dataset=dataset,
        job=JobFactory(project=project, state="running"),
        threshold=0.5,
        name="refined",
    )
    lexicon = Lexicon.objects.create(
        project=project,
        job=JobFactory(project=project, state="running"),
        dataset=dataset,
        kind="association",
        name="words",
        version=1,
    )
    LexiconEntry.objects.create(
        lexicon=lexicon, rank=1, first="suppliers", second="vendors", score=9.0, together=3, in_wordnet=None
    )
    return {"classifier": classifier.pk, "classifier run": run.pk, "lexicon": lexicon.pk}
