"""The second half of an import: pieces are stored in a project that nobody sees, then moved over at once.

So a large file costs no long transaction, other people's work goes on meanwhile, and yet all of the file
comes in at one step or none of it does.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from django.db import DEFAULT_DB_ALIAS, transaction

from corpus.models import Article, Cluster, CorpusImport, Sentence
from paragold.matching.near_articles import shingles
from paragold.problems import FileProblem
from paragold.sources.records import ArticleRecord
from projects.models import Project

from .import_reading import StoredArticle
from .near_duplicates import near_filter

ROWS_AT_ONCE = 2_000
CLUSTERS_AT_ONCE = 500
STAGING = "~import-"
"""How the short names of staging projects begin; archives have others (ops/archive)."""

Piece = list[tuple[str, list[StoredArticle]]]


@dataclass(slots=True)
class Stored:
    """What storing a piece came to."""

    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(
            ("articles_added", "articles_already_there", "duplicate_articles", "sentences_added"), 0
        )
    )
    problems: list[FileProblem] = field(default_factory=list)


def open_staging(source: CorpusImport) -> Project:
    """The project that an import's rows wait in; `source` is not saved."""
    project = source.project
    return Project.everything.create(
        slug=f"{STAGING}{source.pk}",
        name=f"Import {source.pk}",
        language=project.language,
        created_by=project.created_by,
        staging=True,
    )


def stage(source: CorpusImport, staging_id: int, piece: Piece) -> Stored:
    """Store the articles of a piece that the project does not have yet. Call it in a transaction."""
    stored = Stored()
    there = _articles_of(source.project_id, [key for key, _ in piece])
    clusters: list[Cluster] = []
    fresh: list[tuple[Cluster, ArticleRecord, str]] = []
    pairs = _imported_pairs(source, [key for key, _ in piece])
    for key, articles in piece:
        if key in pairs:
            line = articles[0].record.line if articles else 0
            stored.problems.append(_taken(key, line, articles[0].file if articles else ""))
            continue
        cluster = Cluster(project_id=staging_id, key=key, held_out=source.project.holds_out(key))
        known = there.get(key, {})
        contents = set(known.values())
        before = len(fresh)
        near = near_filter(source.project, key)
        for article in articles:
            content = article.record.content_sha256
            if article.record.key in known:
                if known[article.record.key] == content:
                    stored.counts["articles_already_there"] += 1
                else:
                    stored.problems.append(
                        _other_text(key, article.record.key, article.record.line, article.file)
                    )
            elif content in contents:
                stored.counts["duplicate_articles"] += 1
            elif near is not None and not near.passes(shingles(s.tokens for s in article.record.sentences)):
                stored.counts["near_duplicates"] = stored.counts.get("near_duplicates", 0) + 1
            else:
                contents.add(content)
                fresh.append((cluster, article.record, content))
        if len(fresh) > before:
            clusters.append(cluster)
    Cluster.objects.bulk_create(clusters)
    new = [(_article(source, cluster, record, content), record) for cluster, record, content in fresh]
    _insert(new)
    stored.counts["articles_added"] = len(new)
    stored.counts["sentences_added"] = sum(len(record.sentences) for _, record in new)
    return stored


def move_over(source: CorpusImport) -> tuple[list[FileProblem], int]:
    """Bring all that is staged into the project. Call it in a transaction that holds the project's row.

    Returns why that cannot be (another import has meanwhile brought other texts under the same names; then
    roll back), and how many articles were dropped because they have come meanwhile.
    """
    staged = Cluster.objects.filter(project=source.staging_id)
    own = dict(staged.values_list("key", "pk"))
    met = Cluster.objects.filter(project=source.project_id, key__in=staged.values("key"))
    problems = [_taken(key) for key in sorted(_imported_pairs(source, list(own)))]
    if problems:
        return problems, 0
    dropped = 0
    for key, pk in list(met.values_list("key", "pk")):
        clashes, repeated = _move_articles(key, own[key], pk)
        problems += clashes
        dropped += repeated
    if not problems:
        staged.update(project=source.project_id)
    return problems, dropped


def _move_articles(key: str, staged: int, into: int) -> tuple[list[FileProblem], int]:
    known = dict(Article.objects.filter(cluster=into).values_list("key", "content_sha256"))
    contents = set(known.values())
    repeated = []
    rows = Article.objects.filter(cluster=staged)
    for pk, name, content in list(rows.values_list("pk", "key", "content_sha256")):
        if known.get(name, content) != content:
            return [_other_text(key, name)], 0
        if content in contents:
            repeated.append(pk)
    Article.objects.filter(pk__in=repeated).delete()
    rows.update(cluster=into)
    Cluster.objects.filter(pk=staged).delete()
    return [], len(repeated)


def discard_staging(staging_id: int) -> None:
    """Remove a staging project and its rows without loading them: there may be millions."""
    clusters = list(Cluster.objects.filter(project=staging_id).values_list("pk", flat=True))
    for start in range(0, len(clusters), CLUSTERS_AT_ONCE):
        part = clusters[start : start + CLUSTERS_AT_ONCE]
        with transaction.atomic():
            Sentence.objects.filter(article__cluster__in=part)._raw_delete(DEFAULT_DB_ALIAS)
            Article.objects.filter(cluster__in=part)._raw_delete(DEFAULT_DB_ALIAS)
            Cluster.objects.filter(pk__in=part)._raw_delete(DEFAULT_DB_ALIAS)
    Project.everything.filter(pk=staging_id, staging=True).delete()


def _articles_of(project_id: int, keys: list[str]) -> dict[str, dict[str, str]]:
    """Cluster key -> article key -> hash of its content, for those of the clusters that are there."""
    there: dict[str, dict[str, str]] = {}
    rows = Article.objects.filter(cluster__project=project_id, cluster__key__in=keys).order_by()
    for cluster, article, content in rows.values_list("cluster__key", "key", "content_sha256"):
        there.setdefault(cluster, {})[article] = content
    return there


def _insert(new: list[tuple[Article, ArticleRecord]]) -> None:
    Article.objects.bulk_create([article for article, _ in new], batch_size=ROWS_AT_ONCE)
    sentences = [
        Sentence(
            article=article,
            number=number,
            paragraph=sentence.paragraph,
            text=sentence.text,
            tokens=" ".join(sentence.tokens),
            starts=sentence.starts,
        )
        for article, record in new
        for number, sentence in enumerate(record.sentences)
    ]
    Sentence.objects.bulk_create(sentences, batch_size=ROWS_AT_ONCE)


def _article(source: CorpusImport, cluster: Cluster, record: ArticleRecord, content: str) -> Article:
    return Article(
        cluster=cluster,
        key=record.key,
        source=record.source,
        url=record.url,
        published=record.published,
        title=record.title,
        content_sha256=content,
        corpus_import=source,
    )


def _imported_pairs(source: CorpusImport, keys: list[str]) -> set[str]:
    """Those of the keys that imported pairs of the project have."""
    taken: set[str] = set()
    for start in range(0, len(keys), CLUSTERS_AT_ONCE):
        rows = Cluster.objects.filter(
            project=source.project_id, key__in=keys[start : start + CLUSTERS_AT_ONCE]
        )
        taken.update(rows.imported_pairs().values_list("key", flat=True))
    return taken


def _taken(key: str, line: int = 0, file: str = "") -> FileProblem:
    return FileProblem(
        line=line,
        message=f"The cluster {key!r} is that of an imported pair.",
        remedy="Give the articles another cluster id: imported pairs are kept apart from the corpus.",
        file=file,
    )


def _other_text(cluster: str, article: str, line: int = 0, file: str = "") -> FileProblem:
    return FileProblem(
        line=line,
        message=f"The article {article!r} of cluster {cluster!r} is stored with another text.",
        remedy="Give the new text another article id, or leave the article out: what people have "
        "annotated is never replaced.",
        file=file,
    )
