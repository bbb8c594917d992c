"""Lexicons and vectors of uploaded files: read and checked by a job, kept, and removed with their rows."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from corpus.models import Lexicon
from corpus.services.lexicon_files import file_path, launch_import, read_evidence
from corpus.services.uploads import Upload
from jobs.models import JobState
from jobs.services.removal import delete
from ops.archive.storing import import_project
from ops.archive.writing import export_project
from ops.backup.writing import NAME, files
from ops.deletion.projects import delete_project, remove_now
from ops.deletion.retention import sweep_files
from projects import storage
from projects.errors import PublicError
from projects.models import Project
from tests.factories.corpus import ProjectFactory
from tests.factories.corpus_files import imported_lexicon

pytestmark = pytest.mark.django_db
PAIRS = b"firm\tcompany\t2.5\nfirm\tthe business\n"
VECTORS = b"3 2\nfirm 3 4\ncompany 4 3\ndam 1 0\n"


@pytest.fixture(autouse=True)
def var(settings: Any, tmp_path: Path) -> Path:
    settings.VAR, settings.EXPORTS_DIR = tmp_path, tmp_path / "exports"
    settings.UPLOADS_DIR = tmp_path / "uploads"
    return tmp_path


@pytest.fixture
def project() -> Project:
    return ProjectFactory()


def kept(var: Path, folder: str) -> list[str]:
    return sorted(one.place.name for one in storage.list_files(var / folder))


@pytest.mark.parametrize(
    ("kind", "content", "size", "figures", "ending"),
    [("paraphrases", PAIRS, 2, {}, "tsv"), ("vectors", VECTORS, 3, {"dimensions": 2}, "npy")],
)
def test_a_file_is_read_and_kept(
    project: Project, var: Path, kind: str, content: bytes, size: int, figures: dict[str, int], ending: str,
    django_capture_on_commit_callbacks,
) -> None:  # fmt: skip
    with django_capture_on_commit_callbacks(execute=True):
        lexicon = imported_lexicon(project, kind, content)
    sha256 = hashlib.sha256(content).hexdigest()
    assert (lexicon.size, lexicon.figures, lexicon.sha256) == (size, figures, sha256)
    assert sha256 in lexicon.signature
    assert kept(var, "lexicons") == [f"{project.pk}-lexicon-{sha256}.{ending}"]
    assert kept(var, "uploads") == []
    evidence = read_evidence(lexicon, {"firm"})
    assert evidence.values(["firm"], ["company"])[0, 0, 0] == pytest.approx(0.96 if figures else 1, abs=1e-3)
    assert evidence.file == sha256
    assert [name for name, place in files() if place == file_path(lexicon) and NAME.fullmatch(name)]
    file_path(lexicon).unlink()
    with pytest.raises(PublicError, match="Restore it from a backup, or upload it again"):
        read_evidence(lexicon, {"firm"})


@pytest.mark.parametrize(
    ("kind", "content", "problem"),
    [
        ("paraphrases", b"a\tb\nc\td\tx\n\te\tf\tg\n", "paraphrases.txt, line 2, column 5: The score 'x'"),
        ("vectors", b"a 1 2\nb 1 two\n", "vectors.txt, line 2, column 5: It has something else than numbers"),
        ("vectors", b"", "It has no vectors"),
    ],
)
def test_of_a_file_with_a_problem_nothing_is_kept(
    project: Project, var: Path, kind: str, content: bytes, problem: str
) -> None:
    lexicon = imported_lexicon(project, kind, content)
    assert lexicon.job.state == JobState.FAILED
    assert problem in lexicon.job.error
    assert (lexicon.sha256, lexicon.size, kept(var, "lexicons")) == ("", 0, [])
    if kind == "paraphrases":
        assert "line 3: 4 columns instead of 2 or 3" in lexicon.job.error


def test_what_cannot_be_launched(project: Project) -> None:
    upload = Upload("0" * 32, "a", "utf-8", project.pk, 0, 3)
    for kind, name, message in (("association", "a", "Choose one of"), ("vectors", " ", "needs a name")):
        with pytest.raises(PublicError, match=message):
            launch_import(project=project, by=None, kind=kind, name=name, upload=upload)


def test_a_file_is_removed_with_the_last_version_of_it(
    project: Project, var: Path, django_capture_on_commit_callbacks
) -> None:
    first, second = (imported_lexicon(project, "vectors", VECTORS) for _ in range(2))
    assert (first.version, second.version) == (1, 2)
    for lexicon, left in ((first, 1), (second, 0)):
        with django_capture_on_commit_callbacks(execute=True):
            delete(obj=lexicon, by=project.created_by)
        assert len(kept(var, "lexicons")) == left


def test_an_archive_has_the_files(project: Project, tmp_path: Path) -> None:
    made = [imported_lexicon(project, "vectors", VECTORS), imported_lexicon(project, "paraphrases", PAIRS)]
    path = tmp_path / "project.zip"
    export_project(project=project, path=path)
    copy = import_project(path=path, slug="copy").project
    found = {one.kind: one for one in Lexicon.objects.filter(project=copy)}
    for lexicon in made:
        other = found[lexicon.kind]
        assert file_path(other) != file_path(lexicon)
        assert read_evidence(other, {"dam"}).signature == read_evidence(lexicon, {"dam"}).signature
    export_project(project=copy, path=tmp_path / "copy.zip")
    Lexicon.objects.filter(project=copy, kind="vectors").update(sha256="../aligners/other")
    export_project(project=copy, path=tmp_path / "else.zip")
    with pytest.raises(PublicError, match=r"corpus\.Lexicon\.jsonl, line 2: Enter a valid value"):
        import_project(path=tmp_path / "else.zip", slug="other")


def test_files_go_with_their_project(var: Path, project: Project) -> None:
    imported_lexicon(project, "vectors", VECTORS)
    imported_lexicon(ProjectFactory(), "vectors", VECTORS)
    delete_project(project=project, by=project.created_by, confirmed=project.name)
    remove_now(project=project)
    assert len(kept(var, "lexicons")) == 1


def test_what_a_killed_worker_left_is_removed_after_a_day(var: Path, project: Project) -> None:
    lexicon = imported_lexicon(project, "vectors", VECTORS)
    left, under_way = (file_path(lexicon).with_name(f"{project.pk}-{name}.partial") for name in ("a", "b"))
    for path in (left, under_way):
        path.write_bytes(b"half of it")
    os.utime(left, (time.time() - storage.LEFTOVER_SECONDS - 60,) * 2)
    sweep_files()
    assert not left.exists() and under_way.exists() and file_path(lexicon).exists()


def test_the_command(project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pairs.tsv").write_bytes(PAIRS)
    arguments = ["--project", project.slug, "--kind", "paraphrases", "--file", str(tmp_path / "pairs.tsv")]
    call_command("import_lexicon", *arguments)
    assert "paraphrases v1 (2 pairs of words or phrases), sha256 " in capsys.readouterr().out
