"""The corpus as resources: clusters, articles, sentences, pairs, extractions, datasets, lexicons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Prefetch, Value
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_noop as _
from rest_framework import serializers

from corpus.filters import (
    ArticleFilters,
    ClusterFilters,
    ImportedPairFilters,
    PairFilters,
    SentenceFilters,
    with_counts,
)
from corpus.models import Article, CandidatePair, Cluster, Dataset, Extraction, Lexicon, Sentence
from corpus.models.article import CORPUS, IMPORTED
from corpus.templatetags.sentence_text import marked
from jobs.resources import JobSerializer, state_of
from paragold.languages import language as language_of
from projects.api.serializers import RowSerializer
from projects.columns import Column, Link, Quiet, drawn, number
from projects.listings import ListPage, NamedFilters, Resource
from projects.models import Project

COLLECTIONS = (CORPUS, IMPORTED)


@dataclass(frozen=True, slots=True)
class Prose:
    """Text, with what is invisible in it marked; `paragraph`: in one of its own; `language`: empty for that
    of the project."""

    text: str
    paragraph: bool = False
    language: str = ""


@drawn.register
def prose(value: Prose, request: HttpRequest) -> SafeString:
    language = value.language or request.project.language  # type: ignore[attr-defined]  # set by `project_view`
    text = format_html('<bdi dir="auto" lang="{}">{}</bdi>', language, marked(value.text))
    return format_html("<p>{}</p>", text) if value.paragraph else text


class ClusterSerializer(RowSerializer[Cluster]):
    articles = serializers.IntegerField(source="article_count")
    title = serializers.CharField(help_text="The first title among its articles, or the first sentence.")
    collection = serializers.ChoiceField(
        choices=COLLECTIONS, help_text="`corpus`, or `imported` for an imported pair."
    )

    class Meta:
        model = Cluster
        fields = ("id", "key", "title", "collection", "held_out", "articles")


def _called(cluster: Cluster) -> tuple[Any, ...]:
    """What it is on, and its key."""
    link = Link(Prose(cluster.title or cluster.key), "cluster", cluster.pk, back=True)
    held_out = gettext("held out") if cluster.held_out else ""
    return link, Quiet(cluster.key if cluster.title else ""), Quiet(held_out)


def _days(cluster: Cluster) -> SafeString:
    return format_html_join(" to ", "<time>{}</time>", ((day,) for day in cluster.days))


def _sources(cluster: Cluster) -> str:
    """The first sources by name, and how many more there are."""
    sources = cluster.sources
    more = f" and {len(sources) - SOURCES_SHOWN} more" if len(sources) > SOURCES_SHOWN else ""
    return ", ".join(sources[:SOURCES_SHOWN]) + more


SOURCES_SHOWN = 3
CLUSTERS = Resource(
    name="clusters",
    noun="cluster",
    objects=with_counts(Cluster.objects.all()).prefetch_related(
        Prefetch("articles", Article.objects.with_beginnings().order_by("pk"))
    ),
    filters=ClusterFilters,
    serializer=ClusterSerializer,
    about="Imported pairs are a collection of their own.",
    columns=(
        Column(_("Cluster"), _called, "key", css="text"),
        Column(_("Published"), _days),
        Column(_("Sources"), _sources, css="said"),
        number(_("Articles"), "article_count", "articles"),
        number(_("Sentences"), "sentence_count", "sentences"),
    ),
)


def _texts(pair: Cluster) -> tuple[Prose, ...]:
    sentences = (
        (sentence, article) for article in pair.articles.all() for sentence in article.sentences.all()
    )
    return tuple(Prose(sentence.text, True, article.language) for sentence, article in sentences)


IMPORTED_PAIRS = Resource(
    name="imported-pairs",
    noun="imported pair",
    objects=Cluster.objects.imported_pairs()
    .select_related("pair_import")
    .prefetch_related("articles__sentences"),
    filters=ImportedPairFilters,
    columns=(
        Column(_("Pair"), lambda row: Link(row.key, "cluster", row.pk, back=True), "key"),
        Column(_("Sentences"), _texts, css="text"),
        Column(_("File"), "pair_import.filename"),
    ),
)


class ArticleSerializer(RowSerializer[Article]):
    class Meta:
        model = Article
        fields = ("id", "cluster", "key", "source", "url", "published", "title", "language")


def _published(article: Article) -> SafeString:
    at = article.published
    words = article.published_in_words
    return format_html('<time datetime="{}" title="{}">{}</time>', at, words, at[:10])


def _cluster(article: Article) -> tuple[Any, ...]:
    cluster = article.cluster
    return (
        Link(cluster.key, "cluster", cluster.pk),
        Quiet(gettext("held out")) if cluster.held_out else None,
    )


ARTICLES = Resource(
    name="articles",
    noun="article",
    objects=Article.objects.select_related("cluster"),
    project_path=("cluster", "project"),
    filters=ArticleFilters,
    serializer=ArticleSerializer,
    about="Without their text; those of imported pairs only with their `collection` or `cluster`.",
    page=ListPage(
        _("Articles"),
        _("Every article of the corpus, whichever cluster it is in."),
        above=("corpus", _("Corpus")),
        empty=(_("No articles are imported yet"), _("Articles are listed here by source and date.")),
        begin=(_("Import a corpus"), "corpus-import"),
    ),
    columns=(
        Column(_("Article"), lambda row: Link(row.key, "article", row.pk, back=True), "key"),
        Column(_("Title"), lambda row: Prose(row.title, language=row.language), css="text"),
        Column(_("Source"), "source", "source"),
        Column(_("Published"), _published, "published"),
        Column(_("Cluster"), _cluster),
    ),
)


class SentenceSerializer(RowSerializer[Sentence]):
    """`starts` are the offsets of the tokens in `text`, in code points."""

    tokens = serializers.ListField(child=serializers.CharField(), source="token_list")
    starts = serializers.ListField(child=serializers.IntegerField())

    class Meta:
        model = Sentence
        fields: tuple[str, ...] = ("id", "article", "number", "paragraph", "text", "tokens", "starts")


SENTENCES = Resource(
    name="sentences",
    noun="sentence",
    objects=Sentence.objects.all(),
    project_path=("article", "cluster", "project"),
    filters=SentenceFilters,
    serializer=SentenceSerializer,
    about="In the order of import; imported pairs only with their `collection`, `cluster` or `article`.",
)


class PairSentenceSerializer(SentenceSerializer):
    """A sentence of a pair with its place."""

    article = serializers.CharField(source="article.key")
    source = serializers.CharField(source="article.source")  # type: ignore[assignment]  # a field of that name, not the framework's setting
    placeholders = serializers.SerializerMethodField(
        help_text="The words as an extraction with `placeholders` compares them."
    )

    class Meta(SentenceSerializer.Meta):
        fields = ("id", "article", "source", "number", "text", "tokens", "starts", "placeholders")

    def get_placeholders(self, sentence: Sentence) -> str:
        own = sentence.language_in(self.context["request"].project)
        return language_of(own).placeholder_text(sentence.token_list)


class PairSerializer(RowSerializer[CandidatePair]):
    cluster = serializers.CharField(source="cluster.key", help_text="Key of the cluster of sentence `a`.")
    other_cluster = serializers.CharField(
        source="other_cluster.key",
        allow_null=True,
        default=None,
        help_text="Key of the cluster of sentence `b`; null where it is the same.",
    )
    score = serializers.FloatField(
        allow_null=True,
        default=None,
        help_text="Score by the requested extraction, if its method scores pairs; 0 to 1.",
    )
    jaccard = serializers.FloatField(
        allow_null=True, default=None, help_text="As `score`, but exact Jaccard of the words."
    )
    a = PairSentenceSerializer(source="sentence_a")
    b = PairSentenceSerializer(source="sentence_b")

    class Meta:
        model = CandidatePair
        fields = (
            "id", "cluster", "other_cluster", "edit_distance", "length_a", "length_b", "shared_words",
            "score", "jaccard", "a", "b",
        )  # fmt: skip


def _clusters(pair: CandidatePair) -> tuple[Any, ...]:
    cluster, other = pair.cluster, pair.other_cluster
    links = [Link(one.key, "cluster", one.pk) for one in (cluster, other) if one is not None]
    return (links, Quiet(gettext("held out")) if cluster.held_out else None)


def pair_cells(project: Project, pairs: list[CandidatePair]) -> Iterator[Sequence[Any]]:
    for pair in pairs:
        clusters = (pair.cluster.key, pair.other_cluster.key if pair.other_cluster else "")
        texts = (pair.sentence_a.text, pair.sentence_b.text)
        yield pair.pk, *clusters, *texts, pair.edit_distance, pair.length_a, pair.length_b, pair.shared_words


PAIRS = Resource(
    name="pairs",
    noun="pair",
    # Without an extraction no pair has a score.
    objects=CandidatePair.objects.with_sentences().annotate(
        total_length=F("length_a") + F("length_b"), scored=Value(-1.0)
    ),
    filters=PairFilters,
    serializer=PairSerializer,
    about="Edit distances are in words, inclusive.",
    page=ListPage(
        _("Candidate pairs"),
        _("The pairs of all extractions and matchings."),
        above=("candidates", _("Candidates")),
        empty=(_("There are no pairs yet"), _("An extraction finds them in the clusters of articles.")),
        begin=(_("Extract candidate pairs"), "extraction-new"),
    ),
    columns=(
        number(_("Pair"), lambda pair: Link(pair.pk, "pair", pair.pk, back=True), "id"),
        Column(
            _("Sentences"),
            lambda pair: tuple(
                Prose(sentence.text, True, sentence.article.language)
                for sentence in (pair.sentence_a, pair.sentence_b)
            ),
            css="text",
        ),
        number(_("Distance"), "edit_distance", "distance"),
        number(_("Lengths"), lambda pair: f"{pair.length_a}, {pair.length_b}", "length"),
        number(_("Shared words"), "shared_words", "shared"),
        Column(_("Cluster"), _clusters),
    ),
    head=(
        *("pair", "cluster", "other_cluster", "a", "b"),
        *("edit_distance", "length_a", "length_b", "shared_words"),
    ),
    cells=pair_cells,
)
SCORES = (number(_("Score"), "score", "score"), number(_("Jaccard"), "jaccard"))
"""Columns of pairs that an extraction scored."""


class ExtractionSerializer(RowSerializer[Extraction]):
    job = JobSerializer()

    class Meta:
        model = Extraction
        fields = ("id", "name", "preset", "criteria", "signature", "job", "archived_at")


def _kept(extraction: Extraction) -> Any:
    kept = extraction.job.counts.get("pairs_kept", 0)
    return Link(kept, "pairs", query=f"extraction={extraction.pk}") if extraction.finished else kept


def _how_far(extraction: Extraction) -> tuple[Any, ...]:
    job = extraction.job
    unfinished = job.active or job.state == "cancelled"
    return (state_of(job), Quiet(f"{job.done:,} of {job.total:,}") if unfinished else None)


def _count(name: str, label: str) -> Column:
    return number(label, lambda row: row.job.counts.get(name, 0))


EXTRACTIONS = Resource(
    name="extractions",
    noun="extraction",
    objects=Extraction.objects.select_related("job"),
    filters=NamedFilters,
    serializer=ExtractionSerializer,
    order="-id",
    columns=(
        Column(_("Name"), lambda row: Link(row.name, "extraction", row.pk), "name"),
        Column(_("Preset"), "preset"),
        Column(_("State"), _how_far),
        number(_("Pairs kept"), _kept),
        _count("pairs_compared", _("Compared")),
        _count("rejected_same_text", _("Same text")),
        _count("rejected_seen_before", _("Seen before")),
        number(_("Seconds"), lambda row: "" if row.job.seconds is None else f"{row.job.seconds:,.1f}"),
    ),
)


class DatasetSerializer(RowSerializer[Dataset]):
    class Meta:
        model = Dataset
        fields = (
            "id", "name", "held_out", "criteria", "refined_from", "refinement", "size", "signature",
            "extractions", "created_at", "archived_at",
        )  # fmt: skip


def dataset_link(dataset: Dataset) -> Link:
    return Link(dataset.name, "dataset", dataset.pk)


DATASETS = Resource(
    name="datasets",
    noun="dataset",
    objects=Dataset.objects.prefetch_related("extractions"),
    filters=NamedFilters,
    serializer=DatasetSerializer,
    order="-id",
    columns=(
        Column(_("Name"), dataset_link, "name"),
        Column(_("From"), lambda row: [one.name for one in row.extractions.all()]),
        Column(_("Clusters"), lambda row: gettext(row.get_held_out_display())),
        number(_("Pairs"), lambda row: Link(row.size, "pairs", query=f"dataset={row.pk}")),
        Column(_("Frozen"), "created_at"),
    ),
)
LEXICONS = Resource(
    name="lexicons",
    noun="lexicon",
    objects=Lexicon.objects.select_related("job__requested_by", "dataset"),
    page=ListPage(
        _("Lexicons"),
        _("Words that may replace each other: pairs learned from your own text."),
        above=("classifiers", _("Classifiers")),
        empty=(
            _("There is no lexicon yet"),
            _("A classifier treats words such as supplier and vendor as related if a lexicon has the pair."),
        ),
        begin=(_("Build a lexicon"), "launch", "build-lexicon"),
    ),
    filters=NamedFilters,
    order="-id",
    columns=(
        Column(_("Lexicon"), lambda row: Link(row, "lexicon", row.pk), "name"),
        Column(_("Kind"), lambda row: gettext(row.get_kind_display())),
        Column(_("From"), lambda row: dataset_link(row.dataset)),
        number(_("Entries"), "size"),
        Column(_("By"), lambda row: row.job.requested_by.username if row.job.requested_by else "–"),
        Column(_("When"), "job.requested_at"),
        Column(_("State"), lambda row: state_of(row.job)),
    ),
)
