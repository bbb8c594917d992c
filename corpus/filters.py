"""Filters of the corpus's lists: candidate pairs, clusters, articles, sentences; and what they count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_noop as _
from django_filters import ChoiceFilter

from corpus.models import Article, Cluster, Dataset, Extraction, HeldOut, Sentence
from corpus.models.article import CORPUS, IMPORTED
from corpus.models.candidate_pair import MANY, CandidatePairQuerySet
from projects.interface_language import in_language
from projects.listings import ListFilters, ObjectFilter, SortFilter, TextFilter, WholeNumberFilter

COLLECTIONS = [(CORPUS, "corpus"), (IMPORTED, _("imported pairs")), ("all", "all")]
CHOSEN = [(HeldOut.ONLY, HeldOut.ONLY.label), (HeldOut.REST, HeldOut.REST.label)]


class HeldOutFilter(ChoiceFilter):
    def __init__(self, **options: Any) -> None:
        super().__init__(
            label=_("Clusters"), choices=in_language(CHOSEN), empty_label=HeldOut.ALL.label, **options
        )

    def filter(self, qs: QuerySet[Any], value: str) -> QuerySet[Any]:
        return qs.filter(**{self.field_name: value == HeldOut.ONLY}) if value else qs


class CollectionFilter(ChoiceFilter):
    """Rows of the corpus, of imported pairs, or of both; the default depends on the list."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            label=_("Collection"),
            choices=in_language(COLLECTIONS),
            empty_label=_("as the filters say"),
            **options,
        )


def in_collection(rows: QuerySet[Any], chosen: Mapping[str, Any], path: str = "cluster") -> QuerySet[Any]:
    """The rows whose `path` leads to clusters of the chosen collection.

    Without one it is the corpus, or any where a single object is named.
    """
    named = any(chosen.get(name) for name in ("dataset", "extraction", "cluster", "article"))
    collection = chosen.get("collection") or ("all" if named else CORPUS)
    if collection == "all":
        return rows
    # Few clusters are imported pairs, or none: rows are not joined to theirs.
    imported = Q(**{f"{path}__in": Cluster.objects.imported_pairs().order_by().values("pk")})
    return rows.exclude(imported) if collection == CORPUS else rows.filter(imported)


class PairFilters(ListFilters):
    """Without a collection: pairs of the corpus, or any where an extraction, dataset or cluster is named."""

    q = TextFilter(label=_("Text"), help_text=_("What one of the sentences holds."))
    cluster = TextFilter(label=_("Cluster key"), help_text=_("The cluster's own id."))
    extraction = ObjectFilter(
        Extraction, "extraction", label=_("Extraction"), empty_label=_("any extraction")
    )
    dataset = ObjectFilter(Dataset, "dataset", label=_("Dataset"), empty_label=_("any dataset"))
    min_distance = WholeNumberFilter(label=_("Min distance"), field_name="edit_distance", lookup_expr="gte")
    max_distance = WholeNumberFilter(label=_("Max distance"), field_name="edit_distance", lookup_expr="lte")
    min_shared = WholeNumberFilter(label=_("Min shared words"), field_name="shared_words", lookup_expr="gte")
    held_out = HeldOutFilter(field_name="cluster__held_out")
    collection = CollectionFilter()
    sort = SortFilter(
        {
            "id": "pk",
            "distance": "edit_distance",
            "length": "total_length",
            "shared": "shared_words",
            "score": "scored",
        }
    )

    def filter_queryset(self, queryset: CandidatePairQuerySet) -> CandidatePairQuerySet:
        chosen, pairs = self.form.cleaned_data, queryset
        if dataset := chosen.get("dataset"):
            pairs = pairs.of_dataset(dataset)
        if extraction := chosen.get("extraction"):
            many = extraction.job.counts.get("pairs_kept", MANY) >= MANY
            pairs = pairs.found_by_one(extraction.pk) if many else pairs.found_by([extraction.pk])
            pairs = pairs.with_scores_of(extraction.pk)
            pairs = pairs.annotate(scored=Coalesce("score", -1.0))
        for name in ("min_distance", "max_distance", "min_shared", "held_out"):
            pairs = self.filters[name].filter(pairs, chosen.get(name))
        if cluster := chosen.get("cluster"):
            pairs = pairs.of_cluster(cluster)
        if text := chosen.get("q"):
            pairs = pairs.with_text(text)
        return cast(CandidatePairQuerySet, in_collection(pairs, chosen))


class ClusterFilters(ListFilters):
    q = TextFilter(label=_("Key"), field_name="key", lookup_expr="icontains")
    held_out = HeldOutFilter(field_name="held_out")
    collection = CollectionFilter(widget=forms.HiddenInput)
    sort = SortFilter({"id": "pk", "key": "key", "articles": "article_count", "sentences": "sentence_count"})
    not_narrowing = ("sort", "collection")

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        chosen = self.form.cleaned_data
        names = ("q", "held_out")
        for name in names:
            queryset = self.filters[name].filter(queryset, chosen.get(name))
        return in_collection(queryset, chosen, "pk")


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


class ArticleFilters(ListFilters):
    q = TextFilter(label=_("Key or title"))
    source = TextFilter(label=_("Source"), lookup_expr="icontains")
    since = TextFilter(label=_("Published from"), field_name="published", lookup_expr="gte")
    until = TextFilter(label=_("Published to"), help_text=_("A day takes in all its hours."))
    held_out = HeldOutFilter(field_name="cluster__held_out")
    cluster = WholeNumberFilter(label=_("Cluster"), widget=forms.HiddenInput, help_text=_("Its id."))
    collection = CollectionFilter(widget=forms.HiddenInput)
    sort = SortFilter({"id": "pk", "key": "key", "published": "published", "source": "source"})
    not_narrowing = ("sort", "collection")

    def filter_queryset(self, queryset: QuerySet[Article]) -> QuerySet[Article]:
        chosen = self.form.cleaned_data
        for name in ("source", "since", "held_out", "cluster"):
            queryset = self.filters[name].filter(queryset, chosen.get(name))
        if text := chosen.get("q"):
            queryset = queryset.filter(Q(key__icontains=text) | Q(title__icontains=text))
        if day := chosen.get("until"):  # dates are ISO texts, so that "~" is behind all hours of a day
            queryset = queryset.exclude(published="").filter(published__lt=f"{day}~")
        return in_collection(queryset, chosen)


class ImportedPairFilters(ListFilters):
    q = TextFilter(label=_("Key"), field_name="key", lookup_expr="icontains")
    collection = CollectionFilter(widget=forms.HiddenInput)
    sort = SortFilter({"id": "pk", "key": "key"})
    not_narrowing = ("sort", "collection")

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """`collection` says which list is shown; its rows are of that collection already."""
        return self.filters["q"].filter(queryset, self.form.cleaned_data.get("q"))


class SentenceFilters(ListFilters):
    """Sentences of imported pairs only with their `collection`, `cluster` or `article`."""

    collection = CollectionFilter()
    cluster = WholeNumberFilter(label=_("Cluster"), help_text=_("Its id."))
    article = WholeNumberFilter(label=_("Article"), help_text=_("Its id."))

    def filter_queryset(self, queryset: QuerySet[Sentence]) -> QuerySet[Sentence]:
        chosen = self.form.cleaned_data
        if cluster := chosen.get("cluster"):
            queryset = queryset.filter(article__cluster=cluster)
        if article := chosen.get("article"):
            queryset = queryset.filter(article=article)
        return in_collection(queryset, chosen, "article__cluster")
