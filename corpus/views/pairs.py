"""Candidate pairs: the table with its filters, and one pair in its articles. No judgements here."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from corpus.forms.datasets import PairFilters
from corpus.models import Article, CandidatePair, Extraction, Sentence
from corpus.services.cached_counts import counted, pairs_of
from projects.models import Project
from projects.permissions import check_read_corpus
from projects.views.keyset import keyset_page
from projects.views.project_view import project_view

from .articles import web_link

SORTS = {"id": "pk", "distance": "edit_distance", "length": "total_length", "shared": "shared_words"}
AROUND = 3
# More matches than this are not counted while somebody waits.
COUNTED_AT_MOST = 100_000


@dataclass(frozen=True, slots=True)
class Side:
    """One sentence of a pair, with what is around it in its article."""

    sentence: Sentence
    article: Article
    around: list[Sentence]
    cut_before: bool
    cut_after: bool
    link: str
    length: int


@require_safe
@project_view(check_read_corpus)
def pairs(request: HttpRequest, project: Project) -> HttpResponse:
    filters = PairFilters(request.GET, project=project)
    filters.is_valid()
    found = filters.apply(CandidatePair.objects.filter(project=project))
    extraction: Extraction | None = filters.cleaned_data.get("extraction")
    scored = extraction is not None and extraction.findings.exclude(score=None).exists()
    rows, sorts = found.with_sentences(), SORTS
    if extraction is not None and scored:
        rows, sorts = rows.with_scores_of(extraction.pk), {**SORTS, "score": "score"}
    context = {
        "filters": filters,
        "scored": scored,
        "page": keyset_page(rows.annotate(total_length=F("length_a") + F("length_b")), request.GET, sorts),
        "found": counted(found, COUNTED_AT_MOST),
        "counted_at_most": COUNTED_AT_MOST,
        "total": pairs_of(project),
    }
    return render(request, "corpus/pairs.html", context)


@require_safe
@project_view(check_read_corpus)
def pair(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    found = get_object_or_404(CandidatePair.objects.filter(project=project).with_sentences(), pk=pk)
    context = {
        "pair": found,
        "sides": [_side(found.sentence_a, found.length_a), _side(found.sentence_b, found.length_b)],
        "findings": found.findings.select_related("extraction").order_by("extraction"),
    }
    return render(request, "corpus/pair.html", context)


def _side(sentence: Sentence, length: int) -> Side:
    low, high = sentence.number - AROUND, sentence.number + AROUND
    sentences = sentence.article.sentences.order_by("number")
    around = list(sentences.filter(number__gte=max(0, low), number__lte=high))
    return Side(
        sentence=sentence,
        article=sentence.article,
        around=around,
        cut_before=low > 0,
        cut_after=sentences.filter(number__gt=high).exists(),
        link=web_link(sentence.article),
        length=length,
    )
