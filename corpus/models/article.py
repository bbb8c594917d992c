"""Clusters of articles on one event, and their sentences."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Coalesce

from projects.models import Project

CORPUS, IMPORTED = "corpus", "imported"


class ClusterQuerySet(models.QuerySet["Cluster"]):
    def of_corpus(self) -> ClusterQuerySet:
        """Clusters of articles, without imported pairs."""
        return self.filter(pair_import=None)

    def imported_pairs(self) -> ClusterQuerySet:
        return self.exclude(pair_import=None)


class Cluster(models.Model):
    """Articles on one event, or an imported pair: two articles of one sentence each (`pair_import`).

    Imported pairs are a collection of their own. They are never held out, and nothing is extracted from them
    unless that is asked for.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="clusters")
    key = models.CharField(max_length=200)
    held_out = models.BooleanField(default=False)
    pair_import = models.ForeignKey(
        "corpus.CorpusImport",
        models.CASCADE,
        null=True,
        blank=True,
        related_name="pair_clusters",
        help_text="Import of the pair; empty for clusters of articles",
    )

    objects = ClusterQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "key"], name="cluster_unique"),
            models.CheckConstraint(
                condition=Q(pair_import=None) | Q(held_out=False), name="cluster_imported_not_held_out"
            ),
        ]
        indexes = [models.Index(fields=["project", "pair_import"], name="cluster_by_collection")]

    def __str__(self) -> str:
        return self.key

    @property
    def collection(self) -> str:
        return CORPUS if self.pair_import_id is None else IMPORTED

    @property
    def title(self) -> str:
        """The first title among its articles, read `with_beginnings`, else the first sentence, else ""."""
        articles = list(self.articles.all())
        return next((article.title for article in articles if article.title), "") or next(
            (getattr(article, "beginning", "") for article in articles), ""
        )

    @property
    def days(self) -> list[str]:
        """The day on which its articles were published, or the first and the last; none if unknown."""
        days = sorted(article.published[:10] for article in self.articles.all() if article.published)
        return list(dict.fromkeys([days[0], days[-1]])) if days else []

    @property
    def sources(self) -> list[str]:
        """Where its articles appeared, each source once."""
        return list(dict.fromkeys(article.source for article in self.articles.all() if article.source))


class ArticleQuerySet(models.QuerySet["Article"]):
    def with_beginnings(self) -> ArticleQuerySet:
        """Adds the text of the first sentence as `beginning`; "" for an article without one."""
        first = Sentence.objects.filter(article=models.OuterRef("pk"), number=0).values("text")
        return self.annotate(
            beginning=Coalesce(models.Subquery(first), models.Value(""), output_field=models.TextField())
        )


class Article(models.Model):
    """One report of an event."""

    cluster = models.ForeignKey(Cluster, models.CASCADE, related_name="articles")
    key = models.CharField(max_length=200)
    source = models.CharField(max_length=200, blank=True)
    url = models.CharField(max_length=2000, blank=True)
    published = models.CharField(
        max_length=40,
        blank=True,
        help_text="When it was published, in ISO 8601, as imported; empty if unknown.",
    )
    title = models.CharField(max_length=1000, blank=True)
    language = models.CharField(
        max_length=35,
        blank=True,
        help_text="BCP 47 tag of its text, where that is not the language of the project.",
    )
    content_sha256 = models.CharField(max_length=64)
    corpus_import = models.ForeignKey(
        "corpus.CorpusImport",
        models.SET_NULL,
        null=True,
        related_name="articles",
        help_text="Its import; unknown for articles imported before this was recorded",
    )

    objects = ArticleQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["cluster", "key"], name="article_unique"),
            models.UniqueConstraint(fields=["cluster", "content_sha256"], name="article_no_duplicates"),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def published_in_words(self) -> str:
        """The moment as people read it; `published` is as programs do."""
        return self.published[:10] + self.published[10:].replace("T", " ").replace("+00:00", " UTC")

    def language_in(self, project: Project) -> str:
        """The BCP 47 tag of its text, in its project."""
        return self.language or project.language


class Sentence(models.Model):
    """A sentence with its frozen tokens. Word links are indices into `token_list`.

    `tokens` holds them separated by single spaces, `starts` their offsets in `text` in code points.
    """

    article = models.ForeignKey(Article, models.CASCADE, related_name="sentences")
    number = models.PositiveIntegerField(help_text="Place of the sentence in the article, from 0.")
    paragraph = models.PositiveIntegerField(default=0)
    text = models.TextField()
    tokens = models.TextField()
    starts = models.JSONField()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["article", "number"], name="sentence_unique")]

    def __str__(self) -> str:
        return self.text

    def language_in(self, project: Project) -> str:
        """The BCP 47 tag of its text, in its project; the article is read where there are two languages."""
        return self.article.language_in(project) if project.second_language else project.language

    @property
    def token_list(self) -> list[str]:
        return self.tokens.split(" ")
