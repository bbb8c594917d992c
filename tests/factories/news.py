"""Projects with the articles of a file, and extractions of their pairs."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from corpus.imports import import_corpus
from corpus.models import Article, CandidatePair, Cluster, CorpusImport, Sentence
from corpus.services.extraction import launch_extraction
from corpus.services.pair_storage import refresh_statistics
from jobs.models import JobState
from jobs.services.running import run_here
from projects.models import Project

from .corpus import ProjectFactory

DEMO = Path(settings.BASE_DIR) / "demo" / "corpus.jsonl"

_read: dict[tuple[Path, float], tuple[CorpusImport, list[Cluster], list[Article], list[Sentence]]] = {}


def project_with(path, **fields):
    """A new project with the articles of the file."""
    project: Project = ProjectFactory(**fields)
    add_articles(project, path)
    return project


def add_articles(project, path=DEMO):
    """The articles of the file, as the importer stores them: it reads the file once in a process, and what it
    stored then is copied into further projects."""
    key = (path, project.held_out_share)
    if key in _read:
        _copy(project, *_read[key])
        return
    report = import_corpus(project=project, by=None, path=path, filename=path.name)
    assert report.state == "imported"
    _read[key] = (
        project.imports.get(),
        list(Cluster.objects.filter(project=project).order_by("pk")),
        list(Article.objects.filter(cluster__project=project).order_by("pk")),
        list(Sentence.objects.filter(article__cluster__project=project).order_by("pk")),
    )


def _copy(
    project,
    source,
    clusters,
    articles,
    sentences,
):
    imported = _again(source, project=project)
    imported.save()
    new_clusters = {one.pk: _again(one, project=project) for one in clusters}
    Cluster.objects.bulk_create(new_clusters.values())
    new_articles = {
        one.pk: _again(one, cluster=new_clusters[one.cluster_id], corpus_import=imported) for one in articles
    }
    Article.objects.bulk_create(new_articles.values())
    Sentence.objects.bulk_create(_again(one, article=new_articles[one.article_id]) for one in sentences)
    refresh_statistics(Cluster, Article, Sentence)


def _again(row, **relations):
    """A row with the same values, not yet stored, that belongs to others."""
    fields = [field for field in row._meta.concrete_fields if not field.primary_key and not field.is_relation]
    return type(row)(**{field.name: getattr(row, field.name) for field in fields}, **relations)


def extract(project, preset):
    extraction = launch_extraction(project=project, by=None, preset=preset)
    run_here(job=extraction.job)
    assert extraction.job.state == JobState.DONE
    return extraction


def stored(extraction):
    """Its pairs without ids, which differ between projects."""
    return sorted(
        CandidatePair.objects.found_by([extraction.pk]).values_list(
            "cluster__key",
            "sentence_a__article__key",
            "position_a",
            "sentence_b__article__key",
            "position_b",
            "edit_distance",
        )
    )
