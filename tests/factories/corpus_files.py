"""Lexicons of uploaded files, made through the services."""

from __future__ import annotations

from corpus.models import Lexicon
from corpus.services.lexicon_files import launch_import
from corpus.services.uploads import keep_upload
from jobs.services.running import run_here
from projects.models import Project


def imported_lexicon(project: Project, kind: str, content: bytes, *, name: str = "outside") -> Lexicon:
    """A lexicon of a file with this content; one with a problem is not finished."""
    upload = keep_upload(
        pieces=[content], size=len(content), filename=f"{kind}.txt", encoding="utf-8", project=project,
        user=project.created_by,
    )  # fmt: skip
    lexicon = launch_import(
        project=project, by=project.created_by, kind=kind, name=f"{name} {kind}", upload=upload
    )
    run_here(job=lexicon.job)
    lexicon.refresh_from_db()
    return lexicon
