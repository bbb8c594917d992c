"""Clusters of headlines, batches that split them, and their gold, made through the services."""

from __future__ import annotations

import uuid

from annotation.api.assignments import present
from annotation.models import Assignment
from annotation.services.drawing import draw_splitting_batch
from annotation.services.subclusters import adjudicate_subclusters, save_placements, subcluster_review
from annotation.specs import SplitDrawSpec
from corpus.models import Cluster

from .corpus import ArticleFactory, ClusterFactory

DAM = (
    "Dam above Brelow gives way after storm",
    "Storm breaks dam above Brelow",
    "Three hundred flee as water reaches Brelow",
    "Brelow: hundreds leave homes",
    "Minister visits flooded valley",
    "Rain expected to ease on Friday",
)


def headline_cluster(project, titles=DAM, *, key="", **fields):
    """A cluster with an article, `a1`, `a2` and so on, for each title."""
    named = {"key": key} if key else {}
    cluster: Cluster = ClusterFactory(project=project, **named, **fields)
    for number, title in enumerate(titles, start=1):
        ArticleFactory(cluster=cluster, key=f"a{number}", title=title)
    return cluster


def splitting_batch(project, annotators, *, name="", **options):
    """A batch of all clusters that no other has; one of six headlines is made where there is none."""
    if not project.clusters.exists():
        headline_cluster(project)
    overlap = options.pop("overlap", len(annotators))
    return draw_splitting_batch(
        project=project,
        by=None,
        name=name or f"splitting {project.batches.count() + 1}",
        annotators=[user.username for user in annotators],
        seed=options.pop("seed", 1),
        spec=SplitDrawSpec(**options),
        overlap=overlap,
    )


def split(item, user, groups, **fields):
    """Submit groups of headline numbers for an item; headlines in none of them are put into none."""
    assignment = Assignment.objects.with_sentences().get(item=item, annotator=user)
    numbers = item.headlines.values_list("number", flat=True)
    placed = {number: place for place, group in enumerate(groups, start=1) for number in group}
    placements = [[number, placed.get(number)] for number in numbers]
    save_placements(
        assignment=assignment,
        by=user,
        key=uuid.uuid4(),
        version=assignment.version,
        milliseconds=9_000,
        describe=present,
        **({"submitted": True, "placements": placements} | fields),
    )
    assignment.refresh_from_db()
    return assignment


def decide(item, by, subclusters, **fields):
    """Decide an item as an adjudicator who sees its present state."""
    review = subcluster_review(item)
    seen = {"version": review.version, "basis": review.basis}
    return adjudicate_subclusters(item=item, by=by, subclusters=subclusters, **(seen | fields))
