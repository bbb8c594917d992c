from __future__ import annotations

import uuid

import pytest

from annotation.models import (
    Answer,
    Assignment,
    Batch,
    BatchAnnotator,
    ClassifierRun,
    Decision,
    GoldJudgement,
    GoldSet,
    GoldSubclusters,
    GoldSubclusterSet,
    Item,
    ItemHeadline,
    Judgement,
    KeyBindings,
    ModelAnnotator,
    ModelAnswer,
    PairScore,
    PhenomenonCount,
    Placement,
    Pseudonym,
    SecondLook,
    SecondPass,
    TrainedClassifier,
    TrainingTry,
)
from corpus.models import CorpusImport
from projects.models import Project
from tests.broken_rows import assert_refused
from tests.factories.annotation import gold_set
from tests.factories.corpus import JobFactory, ProjectFactory, member
from tests.factories.subclusters import headline_cluster, split, splitting_batch

pytestmark = pytest.mark.django_db


@pytest.fixture
def gold():
    project: Project = ProjectFactory()
    return gold_set(project, [member(project, "annotator", name) for name in ("ann", "ben")])


def copy_of(batch, **fields):
    values = {
        "project": batch.project,
        "name": "other",
        "kind": batch.kind,
        "dataset": batch.dataset,
        "scheme": batch.scheme,
        "overlap": 2,
        "seed": 1,
    }
    return Batch(**(values | fields))


def test_batches_and_items(gold):
    batch = gold.batches.get()
    item = batch.items.first()
    assert_refused("batch_name", copy_of(batch, name=batch.name))
    assert_refused("batch_source", copy_of(batch, dataset=None))
    assert_refused("batch_source", copy_of(batch, kind="link"))
    training = copy_of(batch, name="training", trial=True, dataset=None, measure="kappa", threshold=0.5)
    for broken in ({"trial": False}, {"threshold": 1.5}, {"measure": ""}):
        fields = {"trial": True, "measure": "kappa", "threshold": 0.5} | broken
        assert_refused("batch_training", copy_of(batch, **fields))
    training.save()
    result = {"batch": training, "annotator": batch.annotators.first().annotator, "number": 1}
    result |= {"items": 1, "right": 1, "passed": True}
    TrainingTry.objects.create(**result)
    assert_refused("training_try_number", TrainingTry(**result))
    source = CorpusImport.objects.create(project=batch.project, filename="links.json", sha256="0")
    assert_refused("batch_source", copy_of(batch, kind="split"))
    assert_refused("batch_source", copy_of(batch, kind="split", dataset=None, corpus_import=source))
    assert_refused("batch_source", copy_of(batch, corpus_import=source))
    both = {"kind": "link", "dataset": None, "gold_set": gold, "corpus_import": source}
    assert_refused("batch_source", copy_of(batch, **both))
    assert_refused("batch_state", copy_of(batch, state="ajar"))
    assert_refused("batch_overlap", copy_of(batch, overlap=0))
    assert_refused("batch_handing_out", copy_of(batch, handing_out="by lot"))
    assert_refused("batch_lease", copy_of(batch, lease_minutes=0))
    assert_refused("batch_count_phenomena", copy_of(batch, count_phenomena="some"))
    known = batch.annotators.first()
    assert_refused("batch_annotator_once", BatchAnnotator(batch=batch, annotator=known.annotator))
    assert_refused("assignment_untaken", Assignment(item=item, position=0, state="done"))
    assert_refused("item_pair_once", Item(batch=batch, pair=item.pair, number=99))
    other = batch.items.last().pair
    second = copy_of(batch)
    second.save()
    Item.objects.create(batch=second, pair=item.pair, number=1)
    assert_refused("item_number", Item(batch=second, pair=other, number=1))


def test_assignments_and_answers(gold):
    assignment = Assignment.objects.first()
    again = Assignment(item=assignment.item, annotator=assignment.annotator, position=9)
    assert_refused("assignment_once", again)
    assignment.state = "lost"
    assert_refused("assignment_state", assignment)
    answer = assignment.answers.get()
    values = {"assignment": assignment, "body": {}, "response": {}}
    assert_refused("answer_idempotent", Answer(key=answer.key, version=9, **values))
    assert_refused("answer_version", Answer(key=uuid.uuid4(), version=answer.version, **values))


def test_labels(gold):
    judgement = Judgement.objects.first()
    judgement.label = "perhaps"
    assert_refused("judgement_label", judgement)
    item = judgement.assignment.item
    decision = {"item": item, "adjudicator": judgement.assignment.annotator}
    Decision.objects.create(version=1, label="partial", **decision)
    assert_refused("decision_version", Decision(version=1, label="partial", **decision))
    for content in ({"label": "perhaps"}, {"label": "partial", "content": []}, {}):
        assert_refused("decision_content", Decision(version=2, **content, **decision))
    Decision.objects.create(version=2, content=[], **decision)


def test_sub_clusters(gold):
    project = gold.project
    people = [row.user for row in project.memberships.order_by("pk")]
    cluster = headline_cluster(project)
    batch = splitting_batch(project, people, fewest=3)
    item = batch.items.get(cluster=cluster)
    first, second = item.headlines.order_by("number")[:2]
    pair = gold.batches.get().items.first().pair
    assert_refused("item_subject", Item(batch=batch, number=99))
    assert_refused("item_subject", Item(batch=batch, cluster=pair.cluster, pair=pair, number=99))
    assert_refused("item_cluster_once", Item(batch=batch, cluster=cluster, number=99))
    assert_refused("item_headline_once", ItemHeadline(item=item, article=first.article, number=99))
    other = ItemHeadline(item=item, article=pair.sentence_a.article, number=1)
    assert_refused("item_headline_number", other)
    assignment = split(item, people[0], [[1, 2]])
    assert_refused("placement_once", Placement(assignment=assignment, headline=first, group=1))
    placement = assignment.placements.get(headline=second)
    placement.group = 0
    assert_refused("placement_group", placement)


def test_gold_sub_clusters(gold):
    project = gold.project
    headline_cluster(project)
    batch = splitting_batch(project, [row.user for row in project.memberships.order_by("pk")], fewest=3)
    values = {"project": project, "batch": batch, "name": "heads", "signature": ""}
    values |= {"agreement": {}, "counts": {}}
    made = GoldSubclusterSet.objects.create(rule="shared", version=1, **values)
    assert_refused("gold_subclusters_version", GoldSubclusterSet(rule="shared", version=1, **values))
    assert_refused("gold_subclusters_rule", GoldSubclusterSet(rule="best", version=2, **values))
    row = {"gold_set": made, "item": batch.items.get(), "subclusters": [], "versions": []}
    GoldSubclusters.objects.create(**row)
    assert_refused("gold_subclusters_once", GoldSubclusters(**row))


def test_phenomena(gold):
    assignment = Assignment.objects.first()
    PhenomenonCount.objects.create(assignment=assignment, phenomenon="phrasal", count=1)
    assert_refused("phenomenon_once", PhenomenonCount(assignment=assignment, phenomenon="phrasal", count=2))
    assert_refused("phenomenon_name", PhenomenonCount(assignment=assignment, phenomenon="rhyme", count=2))
    assert_refused(
        "phenomenon_count", PhenomenonCount(assignment=assignment, phenomenon="anaphora", count=100)
    )


def test_gold_sets(gold):
    values = {"rule": gold.rule, "scheme": gold.scheme, "agreement": {}, "counts": {}, "signature": ""}
    copy = GoldSet(project=gold.project, name=gold.name, version=gold.version, **values)
    assert_refused("gold_set_version", copy)
    judgement = gold.judgements.first()
    again = GoldJudgement(gold_set=gold, item=judgement.item, label=judgement.label, votes=[])
    assert_refused("gold_judgement_once", again)
    judgement.label = "perhaps"
    assert_refused("gold_judgement_label", judgement)


def test_pseudonyms(gold):
    known = Pseudonym.objects.get(number=1)
    other = member(gold.project, "annotator", "cas")
    assert_refused("pseudonym_user", Pseudonym(project=gold.project, user=known.user, number=9))
    assert_refused("pseudonym_number", Pseudonym(project=gold.project, user=other, number=1))


def test_second_looks(gold):
    batch = gold.batches.get()
    second_pass = SecondPass.objects.create(batch=batch, before={}, signature="")
    assignment = Assignment.objects.first()
    look = {"second_pass": second_pass, "assignment": assignment}
    assert_refused("second_look_first", SecondLook(first_label="perhaps", **look))
    assert_refused("second_look_label", SecondLook(first_label="partial", label="perhaps", **look))


def test_classifiers(gold):
    project, dataset = gold.project, gold.batches.get().dataset

    def classifier(**fields):
        values = {"project": project, "name": "svm", "version": 1, "gold_set": gold, "parameters": {}}
        return TrainedClassifier(job=JobFactory(project=project), **(values | fields))

    first = classifier()
    first.save()
    assert_refused("classifier_version", classifier())
    assert_refused("classifier_source", classifier(version=2, gold_set=None))
    assert_refused("classifier_source", classifier(version=2, imported_pairs=b"x"))
    run = ClassifierRun(
        classifier=first, dataset=dataset, job=JobFactory(project=project), threshold=0.5, name="refined"
    )
    run.save()
    odd = {"classifier": first, "dataset": dataset, "job": JobFactory(project=project), "name": "odd"}
    assert_refused("classifier_run_threshold", ClassifierRun(threshold=1.5, **odd))
    pair = dataset.pairs()[0]
    score = {"run": run, "pair": pair, "decision": 0.2, "probability": 0.6}
    PairScore.objects.create(**score)
    assert_refused("pair_score_once", PairScore(**score))


def test_models_that_answer(gold):
    batch = gold.batches.get()
    about = {"batch": batch, "name": "model", "parameters": {}, "signature": ""}
    model = ModelAnnotator.objects.create(scorer="bleu", job=JobFactory(project=batch.project), **about)
    odd = ModelAnnotator(job=JobFactory(project=batch.project), **about)
    assert_refused("model_annotator_source", odd)
    odd.scorer = odd.aligner = "identity"
    assert_refused("model_annotator_source", odd)
    answer = {"annotator": model, "item": batch.items.first(), "seconds": 0.1}
    assert_refused("model_answer_or_problem", ModelAnswer(**answer))
    assert_refused("model_answer_or_problem", ModelAnswer(label="paraphrase", **answer))
    assert_refused("model_answer_or_problem", ModelAnswer(label="maybe", score=0.5, **answer))
    assert_refused("model_answer_or_problem", ModelAnswer(label="paraphrase", score=0.5, links=[], **answer))
    assert_refused("model_answer_or_problem", ModelAnswer(links=[], problem="It failed.", **answer))
    ModelAnswer.objects.create(links=[], **answer).delete()
    ModelAnswer.objects.create(problem="It failed.", **answer)
    assert_refused("model_answer_once", ModelAnswer(label="paraphrase", score=0.5, **answer))


def test_key_bindings():
    user = member(ProjectFactory(), "annotator", "ann")
    KeyBindings.objects.create(user=user, page="judge", keys={})
    assert_refused("key_bindings_once", KeyBindings(user=user, page="judge", keys={}))
    assert_refused("key_bindings_page", KeyBindings(user=user, page="piano", keys={}))
