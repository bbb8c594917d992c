"""Gold sets that a classifier can learn from, and trained classifiers."""

from annotation.schemes import Label
from annotation.services.classifiers.applying import launch_application
from annotation.services.classifiers.training import launch_training
from annotation.services.gold import freeze_gold_set
from annotation.specs import TrainingSpec
from corpus.services.lexicons import launch_lexicon
from jobs.services.running import run_here
from paragold.classification.settings import LexiconSpec
from tests.paragold.classification.examples import labelled_pairs

from .annotation import assignments_of, judge, judging_batch
from .corpus import CandidatePairFactory, dataset_of_pairs, member

TRAINING_FORM = {
    **{"name": "svm", "classes": ["string"], "pair_words": "residue", "min_frequency": "5"},
    **{"loss": "squared_hinge", "c": "0.1", "class_weight": "none", "seed": "0"},
}
"""The fields of the form that trains a classifier, without what it learns from."""


def learnable_dataset(project, count=40, *, seed=1):
    """A dataset of `count` pairs, each in a cluster of its own, every second a paraphrase by its words."""
    pairs = [
        CandidatePairFactory.build(project=project, text_a=pair.first, text_b=pair.second)
        for pair in labelled_pairs(count, seed=seed)
    ]
    return dataset_of_pairs(project, pairs)


def learnable_gold(project, dataset, *, size=30, labels=(), name="gold"):
    """Gold of `size` pairs judged by one annotator as their words have it, or by `labels` in turn."""
    annotator = member(project, "annotator", f"judge of {name}")
    batch = judging_batch(project, [annotator], size=size, dataset=dataset, overlap=1)
    for number, assignment in enumerate(assignments_of(batch, annotator)):
        # The pairs are numbered at their end, and every second one is made of the same words.
        even = int(assignment.item.pair.sentence_a.text.split()[-1]) % 2 == 0
        label = Label.PARAPHRASE if even else Label.NOT_PARAPHRASE
        judge(assignment, labels[number % len(labels)] if labels else label)
    return freeze_gold_set(project=project, by=None, name=name, batches=[batch])


def finished(job_of):
    """Do the job of a classifier, run or lexicon here and give it as it is then."""
    run_here(job=job_of.job)
    job_of.refresh_from_db()
    assert job_of.job.state == "done", job_of.job.error
    return job_of


def trained(project, gold_set, **options):
    """A classifier of the string features, without ablation and learning curve unless asked for."""
    options = {"name": "svm", "classes": ["string"], "c": 0.1, "report": False} | options
    spec = TrainingSpec(**{name: options.pop(name) for name in TrainingSpec.model_fields if name in options})
    return finished(launch_training(project=project, by=None, gold_set=gold_set, spec=spec, **options))


def applied(classifier, dataset, **options):
    """The classifier applied to a dataset."""
    options = {"name": "refined"} | options
    return finished(launch_application(classifier=classifier, by=None, dataset=dataset, **options))


def built_lexicon(dataset, **options):
    """A finished lexicon of word association, or of another `kind`."""
    name = options.pop("name", "words")
    spec = LexiconSpec(**options)
    return finished(launch_lexicon(project=dataset.project, by=None, dataset=dataset, name=name, spec=spec))
