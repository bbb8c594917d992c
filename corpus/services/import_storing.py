"""The second half of an import: pieces are stored in a staging project, then moved over at once.

A large file therefore needs no long transaction, other people can work meanwhile, and still the file is
imported completely or not at all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

from django.contrib.auth.models import User
from django.db import DEFAULT_DB_ALIAS, transaction

from corpus.models import Article, Cluster, CorpusImport, ImportState, Sentence
from corpus.services.pair_storage import refresh_statistics
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services import ledger
from jobs.services.running import LeaseLost
from paragold import limits
from paragold.languages import language
from paragold.matching.near_articles import NearFilter
from paragold.problems import FileProblem
from paragold.sources.articles import ArticleRecord
from projects import storage
from projects.errors import PublicError
from projects.models import Project

from .clusters import pairs_within, sizes_of_clusters
from .dry_run import ROW_CAP
from .extraction import launch_extraction
from .import_reading import newest_article, read_records
from .presets import criteria_from
from .uploads import records_path, remove_files

# Clusters found by two imports can have the same names and would be taken for one.
_MEANWHILE = FileProblem(
    message="Other articles were imported since the clusters of this file were found.",
    remedy="Import the file again: its articles may belong to new clusters.",
)
ROWS_AT_ONCE = 2_000
CLUSTERS_AT_ONCE = 500
STAGING = "~import-"
"""Prefix of the short names of staging projects."""
# Clusters: their keys and articles.
Piece = list[tuple[str, list[ArticleRecord]]]


class _Clash(Exception):
    """Rolls back the move out of the staging project."""

    def __init__(self, problems: list[FileProblem]) -> None:
        super().__init__()
        self.problems = problems


def plan_piece(cuts: list[int], number: int) -> ledger.ChunkPlan:
    size = cuts[number + 1] - cuts[number]
    return ledger.ChunkPlan(units=-(-size // 1024), payload={"piece": number})


def _read_piece(job: Job, chunk: JobChunk) -> tuple[int, Piece]:
    source = job.corpus_import
    number: int = chunk.payload["piece"]
    start, end = source.options["cuts"][number : number + 2]
    try:
        records = storage.fetch(records_path(source.token))
    except FileNotFoundError as error:
        raise PublicError("The checked articles are no longer stored. Upload the file again.") from error
    return number, list(read_records(records, start, end))


def _store_piece(job: Job, result: tuple[int, Piece]) -> dict[str, int]:
    """One piece after the other, so that articles keep the order of the source."""
    number, piece = result
    source = CorpusImport.objects.select_for_update(of=("self",)).select_related("project").get(job=job)
    if source.staging_id is None:
        raise LeaseLost
    stored: Stored = stage(source, source.staging_id, piece)
    if stored.problems:
        problems = source.problems + [problem.as_json() for problem in stored.problems]
        source.problems = problems[: limits.PROBLEMS]
        source.save(update_fields=["problems"])
    elif number + 2 < len(source.options["cuts"]):
        ledger.add_chunks(job=job, chunks=[plan_piece(source.options["cuts"], number + 1)])
    return stored.counts


def _finish(job: Job) -> None:
    """Move all rows into the project, or none."""
    source = CorpusImport.objects.select_for_update(of=("self",)).get(job=job)
    # Two imports into one project wait for each other: both look for what is there already.
    Project.objects.select_for_update().get(pk=source.project_id)
    counts = dict(job.counts)
    try:
        with transaction.atomic():
            if source.problems:
                raise _Clash([])
            if (
                "events" in source.options
                and newest_article(source.project) != source.options["newest_article"]
            ):
                raise _Clash([_MEANWHILE])
            clashes, dropped = move_over(source)
            if clashes:
                raise _Clash(clashes)
        counts["articles_added"] -= dropped
        counts["articles_already_there"] += dropped
        source.state = ImportState.IMPORTED if counts["articles_added"] else ImportState.UNCHANGED
    except _Clash as clash:
        source.state = ImportState.REFUSED
        source.problems = source.problems + [problem.as_json() for problem in clash.problems]
    for name, count in counts.items():
        source.counts[name] = source.counts.get(name, 0) + count
    staging = source.staging_id
    source.staging = None
    source.options = {
        name: value for name, value in source.options.items() if name not in ("cuts", "newest_article")
    }
    source.save()
    if source.state == ImportState.IMPORTED:
        refresh_statistics(Cluster, Article, Sentence)
        if preset := job.parameters.get("then_extract"):
            _extract(source, job.requested_by, preset)
    if staging is not None:
        discard_staging(staging)
    if source.state != ImportState.REFUSED:
        remove_files(source.token)


def _extract(source: CorpusImport, by: User | None, preset: str) -> None:
    """Launch the extraction that was asked for with an import; why there is none becomes a note of it.

    In the import's transaction, which a dry run would hold up: large corpora are left to people.
    """
    try:
        criteria = criteria_from(source.project, preset, None)
        sizes = sizes_of_clusters(source.project, criteria.clusters, criteria.min_articles)
        if pairs_within(sizes.values()) > ROW_CAP:
            raise PublicError("the corpus is large. See a dry run first, then launch the extraction.")
        launch_extraction(project=source.project, by=by, preset=preset)
    except PublicError as error:
        source.notes = [*source.notes, f"No candidate pairs were extracted: {error}"]
        source.save(update_fields=["notes"])


@dataclass(slots=True)
class Stored:
    """The result of storing a piece."""

    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(
            ("articles_added", "articles_already_there", "duplicate_articles", "sentences_added"), 0
        )
    )
    problems: list[FileProblem] = field(default_factory=list)


def open_staging(source: CorpusImport) -> Project:
    """The staging project of an import; `source` is not saved."""
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
            stored.problems.append(_taken(key, articles[0].line, articles[0].file))
            continue
        cluster = Cluster(project_id=staging_id, key=key, held_out=source.project.holds_out(key))
        known = there.get(key, {})
        contents = set(known.values())
        before = len(fresh)
        near = _near_filter(source.project, key)
        for record in articles:
            content = record.content_sha256
            if record.key in known:
                if known[record.key] == content:
                    stored.counts["articles_already_there"] += 1
                else:
                    stored.problems.append(_other_text(key, record.key, record.line, record.file))
            elif content in contents:
                stored.counts["duplicate_articles"] += 1
            elif near is not None and not near.passes(s.tokens for s in record.sentences):
                stored.counts["near_duplicates"] = stored.counts.get("near_duplicates", 0) + 1
            else:
                contents.add(content)
                fresh.append((cluster, record, content))
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
        language=_language_of(record, source),
        content_sha256=content,
        corpus_import=source,
    )


def _language_of(record: ArticleRecord, source: CorpusImport) -> str:
    """The language of an article as it is stored: empty for that of the project, which is the only one where
    there is no second one."""
    project = source.project
    if not project.second_language:
        return ""
    tag = record.language or source.options.get("language", "en")
    same = [known for known in project.languages if language(known).tag == language(tag).tag]
    stored = same[0] if same else tag
    return "" if stored == project.language else stored


def _imported_pairs(source: CorpusImport, keys: list[str]) -> set[str]:
    """The keys that imported pairs of the project have."""
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
        message=f"The cluster {key!r} belongs to an imported pair.",
        remedy="Give the articles another cluster id: imported pairs are kept apart from the corpus.",
        file=file,
    )


def _other_text(cluster: str, article: str, line: int = 0, file: str = "") -> FileProblem:
    return FileProblem(
        line=line,
        message=f"The article {article!r} of cluster {cluster!r} is stored with another text.",
        remedy="Give the new text another article id, or leave the article out: annotated text is never "
        "replaced.",
        file=file,
    )


def articles_runner() -> Runner:
    """How the job that stores articles is done."""
    return Runner(compute=_read_piece, store=_store_piece, finish=_finish)


def _near_filter(project: Project, key: str) -> NearFilter | None:
    """Decides whether an article is new to a cluster of the project; None where every article is taken."""
    if project.near_duplicate_share is None:
        return None
    near = NearFilter(project.near_duplicate_share)
    stored = Sentence.objects.filter(article__cluster__in=project.clusters.of_corpus().filter(key=key))
    rows = stored.order_by("article").values_list("article", "tokens")
    for _, sentences in groupby(rows.iterator(), key=itemgetter(0)):
        near.take(tokens.split(" ") for _, tokens in sentences)
    return near
