"""Pages of clusters, articles, sentences and candidate pairs. No judgements here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render

from corpus.filters import PairFilters
from corpus.imports import ARTICLES as ARTICLE_IMPORT
from corpus.models import Article, CandidatePair, Sentence
from corpus.models.article import CORPUS, IMPORTED
from corpus.resources import CLUSTERS, IMPORTED_PAIRS, SCORES
from corpus.services.characteristics import pairs_of
from jobs.views.removal import shown
from paragold.languages import language
from projects.listings import resources
from projects.models import Project
from projects.permissions import check_read_corpus
from projects.views.lists import list_response, resource_page, table_of
from projects.views.project_view import SAFE, project_view


def _of_pairs(source: Any) -> bool:
    """Whether an import is of pairs, or of answers about pairs that were there."""
    return bool(source.pairs) or source.kind != ARTICLE_IMPORT.id


@project_view(check_read_corpus, SAFE)
def corpus(request: HttpRequest, project: Project) -> HttpResponseBase:
    """The clusters of articles, or with `?collection=imported` the imported pairs."""
    listed = project.imports.imported().annotate(pairs=Count("pair_clusters")).select_related("imported_by")
    imports = list(shown(request, listed))
    total, imported = project.clusters.of_corpus().count(), project.clusters.imported_pairs().count()
    collection = request.GET.get("collection", CORPUS if total else IMPORTED)
    shows_imported = bool(imported) and collection == IMPORTED
    if shows_imported:
        table = table_of(request, project, IMPORTED_PAIRS, fixed={"collection": IMPORTED})
    else:
        table = table_of(request, project, CLUSTERS)
    context = {
        "shows_imported": shows_imported,
        "total": total,
        "imported": imported,
        "imports": [row for row in imports if _of_pairs(row) == shows_imported],
    }
    articles = Article.objects.filter(cluster__project=project, cluster__pair_import=None)
    sentences = Sentence.objects.filter(article__cluster__project=project, article__cluster__pair_import=None)
    context |= {
        "articles": articles.count(),
        "sentences": sentences.count(),
        "held_out_clusters": project.clusters.of_corpus().filter(held_out=True).count(),
    }
    return list_response(request, project, "corpus/corpus.html", table, **context)


@project_view(check_read_corpus, SAFE)
def cluster(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Its articles as a table, and the first of them side by side."""
    cluster = get_object_or_404(project.clusters, pk=pk)
    rows = cluster.articles.with_beginnings().annotate(sentence_count=Count("sentences"))
    articles = list(rows.order_by("pk"))
    title = next((row.title for row in articles if row.title), "")
    first = "" if title or cluster.pair_import_id else rows.values_list("beginning", flat=True).first()
    context = {
        "cluster": cluster,
        "title": title,
        "name": title or first or cluster.key,
        "articles": articles,
        "side_by_side": _side_by_side(articles[:SIDE_BY_SIDE]) if len(articles) > 1 else [],
        "sourced": any(row.source for row in articles),
        "dated": any(row.published for row in articles),
        "sentences": Sentence.objects.filter(article__cluster=cluster).count(),
        "pairs": cluster.pairs.count(),
    }
    return render(request, "corpus/cluster.html", context)


SIDE_BY_SIDE = 12


def _side_by_side(articles: Sequence[Article]) -> list[tuple[Article, list[tuple[Sentence, int]]]]:
    """Each article with its sentences, and how many others of them have a sentence of the same words."""
    of_article: dict[int, list[Sentence]] = {article.pk: [] for article in articles}
    for sentence in Sentence.objects.filter(article__in=articles).order_by("article", "number"):
        of_article[sentence.article_id].append(sentence)
    words = {pk: {row.tokens.casefold() for row in rows} for pk, rows in of_article.items()}
    having = Counter(text for texts in words.values() for text in texts)
    return [
        (article, [(row, having[row.tokens.casefold()] - 1) for row in of_article[article.pk]])
        for article in articles
    ]


@project_view(check_read_corpus, SAFE)
def article(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """An article, its sentences numbered; with `?tokens=1`, each with its tokens."""
    article = get_object_or_404(Article.objects.select_related("cluster"), pk=pk, cluster__project=project)
    sentences = list(article.sentences.order_by("number"))
    context = {
        "article": article,
        "sentences": sentences,
        "token_count": sum(len(sentence.token_list) for sentence in sentences),
        "show_tokens": "tokens" in request.GET,
        "link": web_link(article),
    }
    return render(request, "corpus/article.html", context)


def web_link(article: Article) -> str:
    """The article's address when it is one of the web, else nothing: no other scheme becomes a link."""
    return article.url if article.url.lower().startswith(("https://", "http://")) else ""


AROUND = 3


@project_view(check_read_corpus, SAFE)
def pairs(request: HttpRequest, project: Project) -> HttpResponseBase:
    resource = resources()["pairs"]
    extraction = PairFilters(request.GET, queryset=project.pairs.all(), request=request).given.get(
        "extraction"
    )
    # A method keeps the scores of all its findings, or of none.
    first = extraction.findings.values_list("score", flat=True)[:1] if extraction else ()
    scored = any(score is not None for score in first)
    *columns, cluster = resource.columns
    shown = [*columns, *(SCORES if scored else ()), cluster]
    return resource_page(request, project, resource, columns=shown, count=pairs_of(project))


@project_view(check_read_corpus, SAFE)
def pair(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    pair = get_object_or_404(CandidatePair.objects.filter(project=project).with_sentences(), pk=pk)
    findings = pair.findings.select_related("extraction").order_by("extraction")
    context = {
        "pair": pair,
        "sides": [_side(pair.sentence_a, pair.length_a), _side(pair.sentence_b, pair.length_b)],
        "findings": findings,
        "compared": [
            (own, language(own).placeholder_text(side.token_list))
            for side in (pair.sentence_a, pair.sentence_b)
            for own in [side.language_in(project)]
        ]
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
        "language": sentence.article.language_in(sentence.article.cluster.project),
        "around": around,
        "cut_before": low > 0,
        "cut_after": sentences.filter(number__gt=high).exists(),
        "link": web_link(sentence.article),
        "length": length,
    }
