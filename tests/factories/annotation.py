"""Judging batches, judgements and gold sets for tests, made through the services."""

import uuid

from annotation.api.assignments import present
from annotation.models import Assignment
from annotation.schemes import Label
from annotation.services.answers import save_judgement
from annotation.services.drawing import draw_judging_batch
from annotation.services.gold import freeze_gold_set
from annotation.services.review import adjudicate_label, label_review

from .corpus import dataset_of


def judging_batch(
    project,
    annotators,
    *,
    size=6,
    dataset=None,
    overlap=None,
    name="",
):
    """A batch of `size` pairs; they are made unless a dataset is given. Everybody gets all by default."""
    return draw_judging_batch(
        project=project,
        by=None,
        name=name or f"batch {project.batches.count() + 1}",
        dataset=dataset or dataset_of(project, size),
        size=size,
        annotators=[user.username for user in annotators],
        seed=1,
        overlap=len(annotators) if overlap is None else overlap,
    )


def assignments_of(batch, user):
    """The user's assignments in the order of the items, the same for every annotator."""
    mine = Assignment.objects.of(user).filter(item__batch=batch).with_sentences()
    return list(mine.order_by("item__number"))


def judge(
    assignment,
    label=Label.PARAPHRASE,
    *,
    skipped=False,
    flagged=False,
    comment="",
):
    """Answer an assignment as its annotator would through the page."""
    assignment.refresh_from_db()
    save_judgement(
        assignment=assignment,
        by=assignment.annotator,
        key=uuid.uuid4(),
        version=assignment.version,
        label=label,
        skipped=skipped,
        flagged=flagged,
        comment=comment,
        milliseconds=4_000,
        describe=present,
    )


def judge_all(batch, user, labels=(Label.PARAPHRASE,)):
    """Judge all of a user's items, in their order, taking the labels round and round."""
    for number, assignment in enumerate(assignments_of(batch, user)):
        judge(assignment, labels[number % len(labels)])


def adjudicate(item, by, label, comment=""):
    """Decide the label of an item as an adjudicator who sees its present state."""
    review = label_review(item)
    return adjudicate_label(
        item=item, by=by, label=label, version=review.version, basis=review.basis, comment=comment
    )


def gold_set(
    project,
    annotators,
    *,
    size=6,
    name="gold",
    rule=None,
):
    """A gold set of one batch in which everybody called the first and every second pair a paraphrase."""
    batch = judging_batch(project, annotators, size=size)
    for user in annotators:
        judge_all(batch, user, (Label.PARAPHRASE, Label.NOT_PARAPHRASE))
    return freeze_gold_set(project=project, by=None, name=name, batches=[batch], rule=rule)
