"""What every page shows of the installation and of the project it is in; context processors of the templates.

What costs queries is computed when a page shows it: the annotation pages and the progress of a job, asked for
every second, show no navigation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings
from django.db.models import Count
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from alignment.models import Evaluation
from alignment.services.disputes import disputes_of
from annotation.models import Batch, BatchKind
from annotation.permissions import ANSWER_READERS
from annotation.services.progress import waiting_for, waiting_items
from corpus.services.characteristics import pairs_of
from jobs.services.liveness import liveness
from ops.overview import TASKS
from projects.models import Project, Role
from projects.permissions import MANAGERS, READERS, roles_of


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a project's work in the navigation, with what is there and what is waiting."""

    label: str
    url: str
    count: int | None
    waiting: int
    current: bool


def stages(request: HttpRequest, project: Project, roles: frozenset[str]) -> list[Stage]:
    """The stages that a person of these roles may open; an annotator's counts are of their own work alone."""
    user = request.user
    found: list[Stage] = []

    def add(label: str, view: str, count: int | None, waiting: int = 0, also: tuple[str, ...] = ()) -> None:
        url, *others = (reverse(name, args=[project.slug]) for name in (view, *also))
        found.append(Stage(label, url, count, waiting, request.path.startswith((url, *others))))

    # Whoever reads the corpus sees the gold sets as well.
    reads, manages, sees_answers = bool(roles & READERS), roles & MANAGERS, roles & ANSWER_READERS
    if reads:
        add("Corpus", "corpus", project.clusters.of_corpus().count())
        add("Candidates", "candidates", pairs_of(project))
    waiting = waiting_for(user, project) if Role.ANNOTATOR in roles else []
    batches = Batch.objects.current().filter(project=project)
    if not sees_answers:
        batches = batches.assigned_to(user)
    counts = dict(batches.order_by().values_list("kind").annotate(batches=Count("pk")))
    for kind, task in TASKS.items():
        # Few projects have headlines: only who may draw such a batch is shown that there is none.
        if kind != BatchKind.SPLIT or kind in counts or manages:
            add(task.verb, task.page, counts.get(kind, 0), waiting_items(waiting, kind))
    if sees_answers:
        adjudicates = Role.ADJUDICATOR in roles
        to_decide = sum(len(one.decidable) for one in disputes_of(user, project)) if adjudicates else 0
        add("Review", "review", None, to_decide, also=("agreement", "phenomena"))
    if reads:
        add("Gold", "gold", project.gold_sets.current().count())
        add("Classifier", "classifiers", project.classifiers.current().count())
        scores = Evaluation.objects.filter(gold_set__project=project, gold_set__archived_at=None)
        add("Aligners", "aligners", scores.count(), also=("experiments",))
    if manages:
        add("Export", "exports", project.exports.current().count())
    return found


def project_of(request: HttpRequest) -> Project | None:
    """The project that the page's address names, if this person sees it; the one that its view found."""
    found: Project | None = getattr(request, "project", None)
    if found is not None:
        return found
    match = request.resolver_match
    slug: Any = match.kwargs.get("slug") if match else None
    if not slug or not request.user.is_authenticated:
        return None
    return Project.objects.visible_to(request.user).filter(slug=slug).first()


def installation(request: HttpRequest) -> dict[str, Any]:
    context: dict[str, Any] = {"version": settings.VERSION}
    if request.user.is_authenticated:
        context["liveness"] = SimpleLazyObject(liveness)
    return context


def navigation(request: HttpRequest) -> dict[str, Any]:
    project = project_of(request)
    if project is None:
        return {}
    roles = cache(lambda: roles_of(request.user, project))
    return {
        "project": project,
        "stages": SimpleLazyObject(lambda: stages(request, project, roles())),
        "manages": SimpleLazyObject(lambda: bool(roles() & MANAGERS)),
    }
