"""Imports of pages that wait, marked pages and models of story text for tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from benchmarks.news_pages.pages import NewsPage, news_pages
from benchmarks.story_text import marks_of
from corpus.models import CorpusImport, MarkedPage
from corpus.services.importing import launch_check
from corpus.services.main_text import train_main_text
from corpus.services.uploads import Upload, new_token, upload_path
from jobs.services.running import run_here
from paragold.sources.articles.registry import SourceOptions
from paragold.sources.pages.blocks import blocks_of
from paragold.sources.pages.marking import block_rows, blocks_sha256
from projects.models import Project


def zipped(files: Mapping[str, bytes | str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def waiting_import(project: Project, files: Mapping[str, bytes | str] | None = None) -> CorpusImport:
    """A checked import of an archive of pages, which waits to be stored."""
    data = zipped(files or {f"dam/{number}.html": page.html for number, page in enumerate(news_pages()[:3])})
    token = new_token()
    upload_path(token).write_bytes(data)
    upload = Upload(token, "pages.zip", "utf-8", project.pk, 0, len(data))
    source = launch_check(project=project, by=None, upload=upload, options=SourceOptions("archive"))
    run_here(job=source.job)
    source.refresh_from_db()
    return source


def marked(project: Project, page: NewsPage) -> MarkedPage:
    """A page, marked as a careful person would."""
    blocks = blocks_of(page.html)
    return MarkedPage.objects.create(
        project=project,
        name=f"{page.layout}.html",
        sha256=blocks_sha256(blocks),
        blocks=block_rows(blocks),
        marks=marks_of(page, blocks),
    )


def story_numbers(project: Project) -> dict[str, int]:
    """One of each for the permission matrix, by the names that it uses."""
    pages = [marked(project, page) for page in news_pages()[3:7]]
    return {
        "import of pages": waiting_import(project).pk,
        "marked page": pages[0].pk,
        "story model": train_main_text(project=project, by=None).pk,
    }
