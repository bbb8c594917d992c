"""What every page shows of the installation and of the project it is in; context processors of the templates.

What costs queries is computed when a page shows it: the annotation pages and the progress of a job, asked for
every second, show no navigation.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext, gettext_noop as _, ngettext

from annotation.permissions import ANSWER_READERS
from annotation.services.progress import waiting_items
from corpus.services.uploads import kept_for
from jobs.models import ACTIVE
from jobs.services.liveness import liveness
from ops.facts import Facts, KeptCounts, failed_jobs, remembered_since
from ops.help import help_url
from ops.next_step import TASKS
from projects.listings import grouped
from projects.models import Project, Role

RUNNING = _("running")
THOUSANDS, MILLIONS = 10_000, 10_000_000
# Pages whose address does not begin with that of their entry, by the name of the address.
ELSEWHERE = {
    "removal": "project-settings",
    "link-review": "review",
    "split-review": "review",
    "link-agreement": "agreement",
    "split-agreement": "agreement",
    "phenomena": "agreement",
    "characteristics": "datasets",
    "progress": "project",
    "jobs": "project-settings",
    "members": "project-settings",
    "bin": "project-settings",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A page of the navigation, how many `things` are there, and what waits for this person, in words."""

    label: str
    url: str
    count: int | None = None
    things: str = ""
    waiting: str = ""
    current: bool = False

    @property
    def short_count(self) -> str:
        """Such as 169, 229 k, 12 M or 1 running."""
        number = self.count or 0
        if number and self.things == RUNNING:
            return f"{number:,} {gettext(RUNNING)}"
        if number < THOUSANDS:
            return f"{number:,}"
        return f"{number // 1000:,} k" if number < MILLIONS else f"{number // 1_000_000:,} M"


READ, ANSWERS, WORK, MANAGE = "read", "read answers", "work", "manage"
PAGES = (
    ("", _("Overview"), "project", "", READ),
    (_("Data"), _("Corpus"), "corpus", _("clusters"), READ),
    (_("Data"), _("Candidates"), "candidates", _("pairs"), READ),
    (_("Data"), _("Datasets"), "datasets", _("datasets"), READ),
    *((_("People"), task.entry, task.page, _("batches"), WORK) for task in TASKS.values()),
    (_("People"), _("Review"), "review", "", ANSWERS),
    (_("Results"), _("Gold"), "gold", _("sets"), READ),
    (_("Results"), _("Agreement"), "agreement", "", ANSWERS),
    (_("Results"), _("Export"), "exports", _("exports"), MANAGE),
    (_("Models"), _("Classifiers"), "classifiers", _("classifiers"), READ),
    (_("Models"), _("Aligners"), "aligners", _("trained here"), READ),
    (_("Models"), _("Experiments"), "experiments", _("experiments"), READ),
    (_("Project"), _("Settings"), "project-settings", RUNNING, MANAGE),
)
"""Group, label, name of the address, what is counted there ("": nothing), and who may open it."""
WITHIN = {"split": "judge"}
"""Pages that another's entry leads to: what is there, and what waits, is counted with it."""


def sections(request: HttpRequest, facts: Facts) -> list[tuple[str, list[Entry]]]:
    """The groups of pages that a person may open; none for annotators, who have one list of their work."""
    if not facts.reads:
        return []
    counts = _counts(facts)
    left = {task.page: waiting_items(facts.waiting, kind) for kind, task in TASKS.items()}
    for page, within in WITHIN.items():
        counts[within] += counts[page]
        left[within] += left[page]
    waiting = {
        page: gettext("%(count)s left") % {"count": grouped(count)} for page, count in left.items() if count
    }
    if facts.decidable:
        waiting["review"] = gettext("%(count)s open") % {"count": grouped(facts.decidable)}
    if facts.manages and counts["failed"]:
        text = ngettext("%(count)s failed job", "%(count)s failed jobs", counts["failed"])
        waiting["project-settings"] = text % {"count": grouped(counts["failed"])}
    here = _current(request, facts.project)
    here = WITHIN.get(here, here)
    groups: dict[str, list[Entry]] = {}
    for group, label, view, things in pages_for(facts):
        if view in WITHIN:
            continue
        count = counts.get(view) if things else None
        counted = "" if things == RUNNING and not count else things
        entry = Entry(label, facts.url(view), count, counted, waiting.get(view, ""), view == here)
        groups.setdefault(group, []).append(entry)
    return list(groups.items())


def pages_for(facts: Facts) -> list[tuple[str, str, str, str]]:
    """Those of `PAGES` that a person may open: group, label, name of the address, what is counted there."""
    answers = bool(facts.roles & ANSWER_READERS)
    may = {
        READ: facts.reads,
        ANSWERS: answers,
        WORK: answers or Role.ANNOTATOR in facts.roles,
        MANAGE: facts.manages,
    }
    return [(group, label, view, things) for group, label, view, things, right in PAGES if may[right]]


def _counted(project: Project, moment: datetime) -> dict[str, QuerySet[Any]]:
    """What is there, by the name of the address of its page, with _ for -; jobs that failed since then."""
    batches = {task.page: project.batches.current().filter(kind=kind) for kind, task in TASKS.items()}
    return {
        "corpus": project.clusters.of_corpus(),
        "gold_sets": project.gold_sets.current(),
        "gold_links": project.gold_alignment_sets.current(),
        "gold_subclusters": project.gold_subcluster_sets.current(),
        "datasets": project.datasets.current(),
        "exports": project.exports.current(),
        "classifiers": project.classifiers.current(),
        "aligners": project.trained_aligners.current(),
        "experiments": project.experiments.current(),
        "project_settings": project.jobs.filter(state__in=ACTIVE),
        "failed": failed_jobs(project, moment),
        **batches,
    }


_COUNTS = KeptCounts(_counted)


def _counts(facts: Facts) -> dict[str, int]:
    """What is there, by the name of the address of its page."""
    counts = _COUNTS.of(facts.project, remembered_since())
    return {name.replace("_", "-"): count for name, count in counts.items()} | {
        "gold": sum(counts[f"gold_{name}"] for name in ("sets", "links", "subclusters")),
        "candidates": facts.pairs,
    }


def _current(request: HttpRequest, project: Project) -> str:
    """The name of the entry's address to which the page belongs: what it says, or the longest that its own
    begins with."""
    if belongs_to := getattr(request, "belongs_to", ""):
        return str(belongs_to)
    match = request.resolver_match
    if match and match.url_name in ELSEWHERE:
        return ELSEWHERE[match.url_name]
    own = reverse("project", args=[project.slug])
    urls = {reverse(view, args=[project.slug]): view for _, _, view, *_ in PAGES if view != "project"}
    longest = max((url for url in urls if request.path.startswith(url)), key=len, default="")
    if longest:
        return urls[longest]
    return "project" if request.path == own else ""


def project_of(request: HttpRequest) -> Project | None:
    """The project that the page's address names, if this person sees it; the one that its view found."""
    project: Project | None = getattr(request, "project", None)
    if project is not None:
        return project
    match = request.resolver_match
    slug: Any = match.kwargs.get("slug") if match else None
    if not slug or not request.user.is_authenticated:
        return None
    return Project.objects.visible_to(request.user).filter(slug=slug).first()


def installation(request: HttpRequest) -> dict[str, Any]:
    context: dict[str, Any] = {
        "version": settings.VERSION,
        "csrf_cookie": settings.CSRF_COOKIE_NAME,
        "uploads_kept": kept_for(),
        "exports_days": settings.EXPORTS_DAYS,
    }
    if request.user.is_authenticated:
        context["liveness"] = SimpleLazyObject(liveness)
        context["help_url"] = SimpleLazyObject(lambda: help_url(request, str))
    return context


def navigation(request: HttpRequest) -> dict[str, Any]:
    project = project_of(request)
    if project is None:
        return {}
    facts = cache(lambda: getattr(request, "facts", None) or Facts(request.user, project))
    return {
        "project": project,
        "sections": SimpleLazyObject(lambda: sections(request, facts())),
        "manages": SimpleLazyObject(lambda: facts().manages),
        "help_url": SimpleLazyObject(lambda: help_url(request, lambda: _current(request, project))),
    }
