from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from corpus.imports import import_corpus, options_json
from corpus.models import Article, ImportState
from corpus.services.importing import begin_storing, launch_check
from corpus.services.uploads import keep_upload
from jobs.services.running import run_here
from paragold.events.settings import EventSpec
from paragold.sources.article_sources import SourceOptions
from projects.models import Project
from tests.factories.corpus import ProjectFactory, member

pytestmark = pytest.mark.django_db

STORM = "A storm hit the coast at Northport on Monday and flooded forty houses, the mayor said."
STORM_AGAIN = "The storm at Northport flooded houses on the coast; forty families left, said the mayor."
VOTE = "Lawmakers in Elmsford passed the library bill by a single vote after a long debate."
VOTE_AGAIN = "By one vote the library bill passed in Elmsford, where lawmakers had a long debate."
FIRST_DAY = [("post-1", "2004-08-31", STORM), ("post-2", "2004-08-31T09:30:00Z", VOTE)]
LATER = [("mail-1", "2004-09-01", STORM_AGAIN), ("mail-2", "2004-09-02", VOTE_AGAIN)]
FOUND = {
    "post-1": "2004-08-31-001",
    "mail-1": "2004-08-31-001",
    "post-2": "2004-08-31-002",
    "mail-2": "2004-08-31-002",
}


@pytest.fixture
def project():
    project = ProjectFactory(slug="dams")
    member(project, "manager", "mira")
    return project


def lines(articles):
    objects: list[dict[str, Any]] = [
        {"id": key, "published": day, "text": text} for key, day, text in articles
    ]
    return b"".join(json.dumps(value).encode() + b"\n" for value in objects)


def run(project, tmp_path, articles):
    path = tmp_path / "stream.jsonl"
    path.write_bytes(lines(articles))
    options = SourceOptions(events=EventSpec())
    return import_corpus(project=project, by=None, path=path, filename=path.name, options=options)


def stored(project):
    return dict(Article.objects.filter(cluster__project=project).values_list("key", "cluster__key"))


def test_clusters_are_found_and_the_way_is_kept(project, tmp_path):
    report = run(project, tmp_path, FIRST_DAY + LATER)
    assert (report.state, report.counts["clusters"]) == ("imported", 2)
    assert "4 articles make 2 new clusters." in report.notes
    assert stored(project) == FOUND
    assert project.imports.get().found_by == EventSpec().as_json()
    assert set(project.imports.get().options) == {"format", "encoding", "mapping", "story_model", "events"}


def test_what_comes_in_meanwhile_is_not_mixed_up(project, tmp_path):
    mira = User.objects.get(username="mira")
    content = lines(LATER)
    upload = keep_upload(
        pieces=[content],
        size=len(content),
        filename="later.jsonl",
        encoding="utf-8",
        project=project,
        user=mira,
    )
    options = SourceOptions(format="jsonl", events=EventSpec())
    source = launch_check(project=project, by=mira, uploads={"file": upload}, options=options_json(options))
    run_here(job=source.job)
    # Another file with a cluster of that day, which would be called the same.
    run(project, tmp_path, [("other", "2004-09-01", "A museum in Westbrook opened its doors.")])
    source.refresh_from_db()
    assert source.state == ImportState.CHECKED
    run_here(job=begin_storing(source=source, by=mira))
    source.refresh_from_db()
    assert source.state == ImportState.REFUSED
    assert "were imported since" in source.problems[0]["message"]
    assert stored(project) == {"other": "2004-09-01-001"}
    assert not Project.everything.filter(staging=True).exists()
