"""A project in which the services have filled every JSON column, rare values among them."""

from __future__ import annotations

import json
from contextlib import nullcontext
from typing import Any

from alignment.models import Alignment, GoldAlignmentSet
from alignment.services.batches import set_suggester
from alignment.services.gold_links import freeze_gold_alignments
from alignment.services.link_review import adjudicate_links, link_review
from alignment.services.scoring import score_aligner
from alignment.services.trained_aligners.stored import reference
from annotation.models import ClassifierRun, GoldSet, Item, TrainedClassifier
from annotation.schemes import Label
from annotation.services.drawing import draw_judging_batch
from annotation.services.gold import freeze_gold_set, freeze_gold_subclusters
from annotation.services.second_pass import end_second_pass, start_second_pass
from corpus.imports import import_corpus, options_json
from corpus.models import Dataset
from corpus.services.datasets import freeze_dataset
from corpus.services.extraction import launch_extraction
from corpus.services.headline_matching import launch_headline_matching
from corpus.services.importing import launch_check
from corpus.services.matching import launch_matching
from corpus.services.uploads import Upload, new_token, upload_path
from corpus.specs import ProjectHeadlineSpec, ProjectMatchingSpec
from jobs.models import ACTIVE
from jobs.services.ledger import cancel_job
from jobs.services.running import run_here, run_next_chunk
from paragold.sampling.strategy import DrawSpec
from paragold.sources.article_sources import SourceOptions
from projects.services.projects import change_project
from tests.factories.alignment import link, linking_batch
from tests.factories.annotation import adjudicate, assignments_of, judge, judge_all, judging_batch
from tests.factories.classifiers import applied, built_lexicon, learnable_dataset, learnable_gold, trained
from tests.factories.corpus import dataset_of
from tests.factories.experiments import experiment
from tests.factories.exports import export_gold
from tests.factories.models import answered_by_model
from tests.factories.subclusters import decide
from tests.factories.trained_aligners import QUICK, linked_gold, trained_aligner
from tests.permissions.objects import make_objects

STORY = "The dam above Brelow broke on Friday night. Three hundred people left their homes at once."
OTHER = "On Friday night the dam above Brelow broke. About three hundred people had to leave home."


def fill_everything(people, folder):
    """One of each object of the permission matrix in `people.project`, and what is rarely made."""
    project = people.project
    objects = make_objects(project, people.annotators)
    # These were made by hand.
    ClassifierRun.objects.filter(classifier__project=project).delete()
    TrainedClassifier.objects.filter(project=project).delete()
    project.lexicons.all().delete()
    corpus(project, folder)
    judgements(people, objects)
    links(people)
    training(people, objects)
    classifiers(project)
    aligners(project)
    for job in project.jobs.filter(state__in=ACTIVE, chunks__isnull=False).distinct():
        run_here(job=job)
    project.jobs.filter(state__in=ACTIVE).update(state="cancelled")
    return objects


def corpus(project, folder):
    """An import with near duplicates and one that was refused; every method of extraction."""
    project.near_duplicate_share = 0.9
    project.save()
    texts = {"a": STORY, "b": OTHER, "c": f"{STORY} Nobody was hurt."}
    articles = [{"id": key, "title": f"Dam {key} breaks", "text": text} for key, text in texts.items()]
    good = {"cluster_id": "dam", "articles": [*articles, {"id": "empty", "text": " "}]}
    (folder / "news.jsonl").write_text(json.dumps(good) + "\n", encoding="utf-8")
    import_corpus(project=project, by=None, path=folder / "news.jsonl", filename="news.jsonl")
    token, bad = new_token(), b'{"cluster_id": 7}\n'
    upload_path(token).write_bytes(bad)
    upload = Upload(token, "bad.jsonl", "utf-8", project.pk, 0, len(bad))
    options = options_json(SourceOptions())
    run_here(job=launch_check(project=project, by=None, uploads={"file": upload}, options=options).job)
    asked: dict[str, Any] = {"project": project, "by": None}
    found = launch_extraction(**asked, preset="L12", settings={"max_edit_distance": 20})
    run_here(job=found.job)
    for matching in (
        launch_matching(**asked, spec=ProjectMatchingSpec()),
        launch_headline_matching(**asked, spec=ProjectHeadlineSpec()),
    ):
        run_here(job=matching.job)
    freeze_dataset(project=project, name="near", extractions=[found], criteria={"max_edit_distance": 19})


def judgements(people, objects):
    """Decisions by an adjudicator, a second pass that has ended, sub-clusters that were decided."""
    project, annotators, adjudicator = people.project, people.annotators, people["adjudicator"]
    answered = project.batches.get(pk=objects["answered batch"])
    adjudicate(item=answered.items.get(number=2), by=adjudicator, label=Label.PARAPHRASE, comment="seen")
    freeze_gold_set(project=project, by=None, name="decided", batches=[answered], rule="adjudicated")
    models = [*answered.model_annotators.all()]
    freeze_gold_set(project=project, by=None, name="with models", batches=[answered], models=models)
    again = judging_batch(project, annotators, size=2, dataset=dataset_of(project, 2), name="two passes")
    for annotator, label in zip(annotators, (Label.PARAPHRASE, Label.NOT_PARAPHRASE), strict=True):
        judge_all(again, annotator, [label])
    start_second_pass(batch=again, by=annotators[0])
    judge(
        assignments_of(again, annotators[1])[0], Label.PARAPHRASE, comment="on second thoughts", flagged=True
    )
    end_second_pass(batch=again, by=annotators[0])
    splitting = project.batches.get(pk=objects["split batch"])
    decide(splitting.items.get(), adjudicator, [[1, 2], [3, 4]], comment="two events")
    freeze_gold_subclusters(project=project, by=None, name="split", batch=splitting, rule="adjudicated")


def links(people):
    """Suggested links, words without a counterpart, a second pass, and links that an adjudicator decided."""
    project, annotators = people.project, people.annotators
    source = GoldSet.objects.get(project=project, name="gold")
    batch = linking_batch(project, annotators, source=source, name="marked", suggester="identity")
    first, second = (assignments_of(batch, user)[0] for user in annotators)
    link(first, [[0, 0, "sure", "drawn"], [1, 1, "possible", "drawn"]], null_a=[3], null_b=[4])
    link(second, [[0, 0, "sure", "drawn"]], comment="only one")
    start_second_pass(batch=batch, by=annotators[0])
    link(second, [[0, 0, "possible", "drawn"]], comment="on second thoughts")
    end_second_pass(batch=batch, by=annotators[0])
    item = batch.items.get()
    seen = {"version": 0, "basis": link_review(item).basis}
    adjudicate_links(item=item, by=people["adjudicator"], links=[[0, 0, "sure"]], **seen, comment="clear")
    found = freeze_gold_alignments(project=project, by=None, name="clear", batch=batch, rule="adjudicated")
    score_aligner(gold_set=found, aligner="identity")
    models = [answered_by_model(batch)]
    freeze_gold_alignments(project=project, by=None, name="with models", batch=batch, models=models)
    set_suggester(
        batch=linking_batch(project, annotators, source=source, name="slow"), by=None, setting="best"
    )
    assert Alignment.objects.exclude(null_a=[]).exists()


def training(people, objects):
    """A training that somebody has passed, a batch that requires it, and guidelines in two versions."""
    project, annotators = people.project, people.annotators
    learned = project.batches.get(pk=objects["training"])
    right = Item.everything.get(batch=learned).known_label
    judge(assignments_of(learned, annotators[0])[0], right)
    draw_judging_batch(
        project=project, by=None, name="after training", dataset=dataset_of(project, 2), size=2, seed=1,
        overlap=2, annotators=[user.username for user in annotators], requires=learned,
    )  # fmt: skip
    change_project(project=project, by=people["manager"], guidelines="Be strict.")


def classifiers(project):
    """A classifier with a report, applied; batches drawn by its doubts, by strata, and of rejected pairs."""
    dataset = learnable_dataset(project)
    gold = learnable_gold(project, dataset, name="learned", size=20)
    lexicon = built_lexicon(dataset)
    # Labelled pairs that are in the lexicon's dataset as well: a note says so.
    classes = ["string", "association"]
    classifier = trained(project, gold, name="reported", classes=classes, lexicon=lexicon, report=True)
    run = applied(classifier, dataset, name="accepted")
    asked: dict[str, Any] = {
        "project": project,
        "by": None,
        "annotators": ["judge of learned"],
        "seed": 1,
        "overlap": 1,
    }
    for number, strategy in enumerate(
        (
            DrawSpec(by="uncertainty", run=run.pk, audit=50),
            DrawSpec(by="edit_distance", again=True, per_cluster=2, rejected=50),
        )
    ):
        draw_judging_batch(**asked, name=f"by strategy {number}", dataset=dataset, size=4, strategy=strategy)


def aligners(project):
    """One that learned from gold links, one cancelled on the way, suggestions, experiments and an export."""
    gold: GoldAlignmentSet = linked_gold(project, 10, name="taught")
    other: GoldAlignmentSet = linked_gold(project, 12, name="other")
    dataset = Dataset.objects.filter(project=project, size=4).order_by("pk")[0]
    taught = trained_aligner(
        dataset,
        name="taught",
        gold_set=gold,
        other_gold=[other],
        aligner="best",
        **QUICK,
    )
    assert taught.learning_curve
    stopped = trained_aligner(dataset, name="stopped", gold_set=gold, aligner="best", run=False, **QUICK)
    while not stopped.held_out:
        assert run_next_chunk(job=stopped.job, worker="w", hold=lambda chunk: nullcontext())
        stopped.refresh_from_db()
    cancel_job(job=stopped.job)
    set_suggester(batch=gold.batch, by=None, setting=reference(taught))
    answered_by_model(gold.batch, aligner=reference(taught))
    best = {"aligner": "best", "taught_by": gold, "other_gold": [other], **QUICK}
    experiment([dataset], [gold], aligners=[best])
    export_gold(project=project, by=None, gold_set=gold.batch.gold_set, gold_links=gold)
