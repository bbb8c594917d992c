"""What was collected: clusters, articles, sentences; candidate pairs. No judgements here."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, F, IntegerField, OuterRef, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from corpus.forms import PairFilters
from corpus.models import Article, CandidatePair, Cluster, Extraction, HeldOut, Sentence
from corpus.models.article import CORPUS, IMPORTED
from corpus.services.characteristics import counted, pairs_of
from corpus.services.near_duplicates import near_duplicates
from jobs.views.removal import shown
from paragold.text.placeholders import placeholder_text
from projects.models import Project
from projects.permissions import check_read_corpus
from projects.views.keyset import keyset_page
from projects.views.project_view import project_view

SORTS = {"id": "pk", "key": "key", "articles": "article_count", "sentences": "sentence_count"}


@require_safe
@project_view(check_read_corpus)
def corpus(request: HttpRequest, project: Project) -> HttpResponse:
    """The clusters of articles, or with `?collection=imported` the imported pairs."""
    listed = project.imports.imported().annotate(pairs=Count("pair_clusters")).select_related("imported_by")
    imports = list(shown(request, listed))
    total, imported = project.clusters.of_corpus().count(), project.clusters.imported_pairs().count()
    asked = request.GET.get("collection", CORPUS if total else IMPORTED)
    shows_imported = bool(imported) and asked == IMPORTED
    text = request.GET.get("q", "").replace("\x00", "")[:200]
    context = {
        "shows_imported": shows_imported,
        "total": total,
        "imported": imported,
        "imports": [one for one in imports if bool(one.pairs) == shows_imported],
        "q": text,
    }
    part = _imported_pairs if shows_imported else _clusters
    return render(request, "corpus/corpus.html", context | part(request, project, text))


def _clusters(request: HttpRequest, project: Project, text: str) -> dict[str, Any]:
    corpus = project.clusters.of_corpus()
    held_out = request.GET.get("held_out", HeldOut.ALL)
    clusters = corpus.filter(key__icontains=text) if text else corpus
    if held_out in (HeldOut.ONLY, HeldOut.REST):
        clusters = clusters.filter(held_out=held_out == HeldOut.ONLY)
    articles = Article.objects.filter(cluster__project=project, cluster__pair_import=None)
    sentences = Sentence.objects.filter(article__cluster__project=project, article__cluster__pair_import=None)
    return {
        "page": keyset_page(with_counts(clusters), request.GET, SORTS),
        "found": clusters.count(),
        "articles": articles.count(),
        "sentences": sentences.count(),
        "held_out_clusters": corpus.filter(held_out=True).count(),
        "held_out": held_out,
        "held_out_choices": HeldOut.choices,
    }


def _imported_pairs(request: HttpRequest, project: Project, text: str) -> dict[str, Any]:
    pairs = project.clusters.imported_pairs()
    if text:
        pairs = pairs.filter(key__icontains=text)
    rows = pairs.select_related("pair_import").prefetch_related("articles__sentences")
    return {
        "page": keyset_page(rows, request.GET, {"id": "pk", "key": "key"}),
        "found": pairs.count(),
    }


@require_safe
@project_view(check_read_corpus)
def cluster(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    found = get_object_or_404(project.clusters, pk=pk)
    first = Sentence.objects.filter(article=OuterRef("pk"), number=0).values("text")
    articles = list(
        found.articles.annotate(
            sentence_count=Count("sentences"),
            first_sentence=Coalesce(Subquery(first), Value(""), output_field=TextField()),
        ).order_by("pk")
    )
    context = {
        "cluster": found,
        "articles": articles,
        "titled": any(one.title for one in articles),
        "sourced": any(one.source for one in articles),
        "dated": any(one.published for one in articles),
        "sentences": Sentence.objects.filter(article__cluster=found).count(),
        "pairs": found.pairs.count(),
        "near": near_duplicates(found),
    }
    return render(request, "corpus/cluster.html", context)


@require_safe
@project_view(check_read_corpus)
def article(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """An article, its sentences numbered; with `?tokens=1`, each with its tokens."""
    found = get_object_or_404(Article.objects.select_related("cluster"), pk=pk, cluster__project=project)
    sentences = list(found.sentences.order_by("number"))
    context = {
        "article": found,
        "sentences": sentences,
        "token_count": sum(len(sentence.token_list) for sentence in sentences),
        "show_tokens": "tokens" in request.GET,
        "link": web_link(found),
    }
    return render(request, "corpus/article.html", context)


def with_counts(clusters: QuerySet[Cluster]) -> QuerySet[Cluster]:
    """Adds `article_count` and `sentence_count`, counted only for the rows that are read."""
    articles = Article.objects.filter(cluster=OuterRef("pk")).order_by().values("cluster")
    sentences = Sentence.objects.filter(article__cluster=OuterRef("pk")).order_by().values("article__cluster")
    return clusters.annotate(
        article_count=_count(articles.annotate(n=Count("pk")).values("n")),
        sentence_count=_count(sentences.annotate(n=Count("pk")).values("n")),
    )


def _count(rows: QuerySet) -> Coalesce:
    return Coalesce(Subquery(rows, output_field=IntegerField()), 0)


def web_link(article: Article) -> str:
    """The article's address when it is one of the web, else nothing: no other scheme becomes a link."""
    return article.url if article.url.lower().startswith(("https://", "http://")) else ""


PAIR_SORTS = {"id": "pk", "distance": "edit_distance", "length": "total_length", "shared": "shared_words"}
AROUND = 3
# More matches than this are not counted while somebody waits.
COUNTED_AT_MOST = 100_000


@require_safe
@project_view(check_read_corpus)
def pairs(request: HttpRequest, project: Project) -> HttpResponse:
    filters = PairFilters(request.GET, project=project)
    filters.is_valid()
    found = filters.apply(CandidatePair.objects.filter(project=project))
    extraction: Extraction | None = filters.cleaned_data.get("extraction")
    scored = extraction is not None and extraction.findings.exclude(score=None).exists()
    rows, sorts = found.with_sentences(), PAIR_SORTS
    if extraction is not None and scored:
        rows, sorts = rows.with_scores_of(extraction.pk), {**PAIR_SORTS, "score": "score"}
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
    findings = found.findings.select_related("extraction").order_by("extraction")
    context = {
        "pair": found,
        "sides": [_side(found.sentence_a, found.length_a), _side(found.sentence_b, found.length_b)],
        "findings": findings,
        "compared": [placeholder_text(side.token_list) for side in (found.sentence_a, found.sentence_b)]
        if any(finding.extraction.criteria.get("placeholders") for finding in findings)
        else [],
    }
    return render(request, "corpus/pair.html", context)


def _side(sentence: Sentence, length: int) -> dict[str, Any]:
    """One sentence of a pair, with what is around it in its article."""
    low, high = sentence.number - AROUND, sentence.number + AROUND
    sentences = sentence.article.sentences.order_by("number")
    around = list(sentences.filter(number__gte=max(0, low), number__lte=high))
    return {
        "sentence": sentence,
        "article": sentence.article,
        "around": around,
        "cut_before": low > 0,
        "cut_after": sentences.filter(number__gt=high).exists(),
        "link": web_link(sentence.article),
        "length": length,
    }
