"""Go to: pages, what people named, members and pairs of a project, by words or a number that is typed."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_noop

from annotation.permissions import ANSWER_READERS
from corpus.models import CandidatePair
from jobs.operations import operations
from ops.facts import Facts
from ops.navigation import pages_for
from projects.models import Project
from projects.permissions import check_read_corpus
from projects.views.project_view import SAFE, project_view, user_of

SHOWN = 5
FURTHER = (
    (gettext_noop("Import a corpus"), "corpus-import"),
    (gettext_noop("Extract candidate pairs"), "extraction-new"),
    (gettext_noop("Match two texts"), "text-matching-new"),
    (gettext_noop("Import judgements"), "judgements-import"),
    (gettext_noop("Import links"), "link-import"),
    (gettext_noop("Members"), "members"),
    (gettext_noop("Jobs"), "jobs"),
    (gettext_noop("Bin"), "bin"),
    (gettext_noop("Archives"), "archives"),
)
"""Pages for managers below those of the navigation; the forms of operations are beside them."""


@project_view(check_read_corpus, SAFE)
def find(request: HttpRequest, project: Project) -> HttpResponse:
    """The list in the dialog that Ctrl+K opens; of each what it is, its name, its address."""
    facts = Facts(user_of(request), project)
    words = request.GET.get("q", "").split()
    results = list(_pages(facts, words))
    if words:
        results += [*_named(facts, words), *_people(facts, words), *_pairs(facts, words)]
    return render(request, "ops/find.html", {"results": results, "words": " ".join(words)})


def _pages(facts: Facts, words: list[str]) -> Iterator[tuple[str, str, str]]:
    pages = [(label, facts.url(view)) for _, label, view, _ in pages_for(facts)]
    if facts.manages:
        pages += [(label, facts.url(view)) for label, view in FURTHER]
        launched = ((kind, operation.page) for kind, operation in operations().items() if operation.page)
        pages += [(page.title, facts.url("launch", kind)) for kind, page in launched]
    for label, address in ((gettext(label), address) for label, address in pages):
        if all(word.lower() in label.lower() for word in words):
            yield gettext("Page"), label, address


def _named(facts: Facts, words: list[str]) -> Iterator[tuple[str, str, str]]:
    project = facts.project
    wanted = Q(*(Q(name__icontains=word) for word in words))
    for batch in project.batches.current().filter(wanted)[:SHOWN] if facts.roles & ANSWER_READERS else ():
        yield gettext("Batch"), batch.name, batch.get_absolute_url()
    kinds = (
        (gettext("Dataset"), "dataset", project.datasets),
        (gettext("Gold set"), "gold-set", project.gold_sets),
        (gettext("Gold links"), "gold-links", project.gold_alignment_sets),
        (gettext("Gold sub-clusters"), "gold-subclusters", project.gold_subcluster_sets),
        (gettext("Classifier"), "classifier", project.classifiers),
        (gettext("Aligner"), "aligner", project.trained_aligners),
        (gettext("Experiment"), "experiment", project.experiments),
    )
    for kind, view, rows in kinds:
        for row in rows.current().filter(wanted)[:SHOWN]:
            yield kind, str(row), facts.url(view, row.pk)


def _people(facts: Facts, words: list[str]) -> Iterator[tuple[str, str, str]]:
    if not facts.manages:
        return
    wanted = Q(*(Q(user__username__icontains=word) for word in words))
    people = facts.project.memberships.filter(wanted).order_by("user__username")
    names = people.values_list("user__username", flat=True).distinct()
    for name in names[:SHOWN]:
        yield gettext("Person"), name, facts.url("members")


def _pairs(facts: Facts, words: list[str]) -> Iterator[tuple[str, str, str]]:
    """The pair with that number; the words are searched on the page of the pairs."""
    number = words[0]
    if len(words) == 1 and number.isdecimal() and len(number) < 19:
        pairs = CandidatePair.objects.filter(pk=int(number), cluster__project=facts.project)
        if pairs.exists():
            yield (
                gettext("Pair"),
                gettext("Pair %(number)s") % {"number": number},
                facts.url("pair", int(number)),
            )
