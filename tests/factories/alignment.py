"""Linking batches, word links and sets of gold links for tests, made through the services."""

import uuid

from alignment.models import Origin, Strength
from alignment.services.batches import draw_linking_batch
from alignment.services.gold_links import freeze_gold_alignments
from alignment.services.linking import save_alignment
from annotation.api.assignments import present
from paragold.aligners.identity import Identity

from .annotation import assignments_of, gold_set


def linking_batch(
    project,
    annotators,
    *,
    source=None,
    name="",
    suggester="",
):
    """A batch of all paraphrases of a gold set, made when none is given. Everybody gets all of them."""
    return draw_linking_batch(
        project=project,
        by=None,
        name=name or f"links {project.batches.count() + 1}",
        gold_set=source or gold_set(project, annotators),
        annotators=[user.username for user in annotators],
        seed=1,
        overlap=len(annotators),
        suggester=suggester,
    )


def link(
    assignment,
    links=None,
    *,
    submitted=True,
    **fields,
):
    """Store an annotator's links, [a, b, strength, origin]; by default SURE ones between equal words."""
    assignment.refresh_from_db()
    pair = assignment.item.pair
    if links is None:
        equal = Identity().align(pair.sentence_a.token_list, pair.sentence_b.token_list)
        links = [[a, b, Strength.SURE, Origin.DRAWN] for a, b in equal]
    save_alignment(
        assignment=assignment,
        by=assignment.annotator,
        key=uuid.uuid4(),
        version=assignment.version,
        links=links,
        submitted=submitted,
        milliseconds=30_000,
        describe=present,
        **fields,
    )


def link_all(batch, user):
    """Submit links between equal words for all of a user's items."""
    for assignment in assignments_of(batch, user):
        link(assignment)


def gold_alignment_set(project, annotators):
    """A set of gold links of one batch in which everybody linked the equal words."""
    batch = linking_batch(project, annotators)
    for user in annotators:
        link_all(batch, user)
    return freeze_gold_alignments(project=project, by=None, name="links", batch=batch, rule="papers")
