"""What a lexicon holds, and how people rate it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.db.models import Prefetch, Q
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext

from corpus.models import Lexicon, LexiconEntry, LexiconKind, LexiconRating, Verdict
from corpus.services import lexicons as services
from corpus.services.lexicons import MIN_RATED, goodness, rate_entry
from paragold.charts import Chart, curve
from paragold.classification.settings import PAPER_SHARE
from projects.downloads import attachment
from projects.listings import row_id
from projects.models import Project
from projects.permissions import can_rate, check_rate, check_read_corpus
from projects.views.figures import page_with_figures
from projects.views.keyset import keyset_page
from projects.views.project_view import FORM, SAFE, project_view, user_of

RATINGS = (*Verdict.values, "none")


@project_view(check_read_corpus, FORM)
def lexicon(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    rows = project.lexicons.select_related("job__requested_by", "dataset")
    lexicon: Lexicon = get_object_or_404(rows, pk=pk)
    if request.method == "POST":
        return _rate(request, project, lexicon)
    spec = services.spec_of(lexicon)
    context: dict[str, Any] = {
        "lexicon": lexicon,
        "job": lexicon.job,
        "settings": spec.described(),
        "linking": spec.ranking == "links",
    }
    if lexicon.finished:
        context |= _contents(request, lexicon) | {"rates": can_rate(request.user, project)}
    return page_with_figures(request, "corpus/lexicon.html", context, [context.get("coverage")])


@project_view(check_read_corpus, SAFE)
def lexicon_file(request: HttpRequest, project: Project, pk: int) -> StreamingHttpResponse:
    return file_response(get_object_or_404(project.lexicons, pk=pk))


def file_response(lexicon: Lexicon) -> StreamingHttpResponse:
    """The lexicon as a file to be downloaded."""
    filename = f"{lexicon.project.slug}-lexicon-{lexicon.pk}-v{lexicon.version}.tsv"
    return StreamingHttpResponse(
        services.as_tsv(lexicon),
        content_type="text/tab-separated-values; charset=utf-8",
        headers=attachment(filename, lexicon.project),
    )


def _rate(request: HttpRequest, project: Project, lexicon: Lexicon) -> HttpResponse:
    check_rate(request.user, project)
    rank, _, rating = request.POST.get("rating", "").partition(" ")
    entry = lexicon.entries.filter(rank=row_id(rank) or 0).first()
    if entry is None or rating not in RATINGS:
        messages.error(
            request, gettext("This is no rating of a word pair of this lexicon; press a button of its row.")
        )
    else:
        rate_entry(entry=entry, by=user_of(request), verdict=None if rating == "none" else rating)
    query = f"?{request.GET.urlencode()}" if request.GET else ""
    return redirect(f"{reverse('lexicon', args=[project.slug, lexicon.pk])}{query}#{rank}")


def _contents(request: HttpRequest, lexicon: Lexicon) -> dict[str, Any]:
    me = user_of(request).pk
    # Raters are blind to each other: nobody sees what others say of a pair.
    own = LexiconRating.objects.filter(rater=me)
    entries = lexicon.entries.prefetch_related(Prefetch("ratings", queryset=own))
    show = request.GET.get("show", "")
    narrowed = {"unknown": Q(in_wordnet=False, trivial=False), "unrated": ~Q(pk__in=own.values("entry"))}
    if show in narrowed:
        entries = entries.filter(narrowed[show])
    page = keyset_page(entries, request.GET, {"rank": "rank"})
    score = goodness(lexicon) if lexicon.kind == LexiconKind.ASSOCIATION else None
    return {
        "goodness": score,
        "goodness_percent": _percent(score.score, score.interval) if score else "",
        "agreement_percent": _percent(score.agreement, score.agreement_interval) if score else "",
        "in_wordnet_percent": f"{100 * score.share_in_wordnet:.2f}" if score else "",
        "paper_percent": f"{100 * PAPER_SHARE:.2f}",
        "verdicts": Verdict.choices,
        "min_rated": MIN_RATED,
        "page": page,
        "rows": [(entry, _own_rating(entry)) for entry in page.rows],
        "show": show if show in narrowed else "",
        "coverage": coverage_figure(lexicon),
        "wordnet_known": "wordnet" in lexicon.figures.get("signatures", {}),
    }


def coverage_figure(lexicon: Lexicon) -> Chart | None:
    """The share found in WordNet by rank; None for lexicons that are not ranked by association."""
    coverage = lexicon.figures.get("coverage", []) if lexicon.kind == LexiconKind.ASSOCIATION else []
    chart = curve(
        [(rank, share, f"rank {rank:,}") for rank, share in coverage],
        name="coverage",
        title=gettext("Share of the word pairs found in WordNet, by rank"),
        x_axis=gettext("rank"),
        y_axis=gettext("in WordNet, %"),
        x_range=(0, coverage[-1][0] if coverage else 1),
        x_whole=True,
        dots=len(coverage) < 30,
    )
    if chart is None:
        return None
    return replace(
        chart,
        caption=gettext("As figure 1 of Brockett & Dolan 2005. Trivial pairs are left out."),
        head=(gettext("Rank"), gettext("In WordNet, %")),
        rows=[(f"{rank:,}", f"{100 * share:.2f}") for rank, share in coverage],
    )


def _own_rating(entry: LexiconEntry) -> str:
    """The caller's rating of a pair, whose ratings are prefetched: one of RATINGS."""
    ratings = list(entry.ratings.all())
    return ratings[0].verdict if ratings else "none"


def _percent(share: float | None, interval: tuple[float, float] | None) -> str:
    """Such as "76.5 % (70.1 to 82.0)"; "" where there is nothing to measure."""
    if share is None or interval is None:
        return ""
    low, high = interval
    return f"{100 * share:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
