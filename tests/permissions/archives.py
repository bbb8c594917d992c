"""An archive of a project that is kept, and one that waits to be imported."""

from __future__ import annotations

from django.contrib.auth.models import User

from ops.archive.archive_storage import archive_path
from ops.archive.storing import open_staging
from ops.models import ArchiveImport, ArchiveState, ProjectArchive
from projects.models import Project


def archive_numbers(project: Project, by: User) -> dict[str, int]:
    archive = ProjectArchive.objects.create(project=project, sha256="0" * 64, bytes=1, rows=1, files=0)
    archive_path(archive).write_bytes(b"0")
    waiting = ArchiveImport.objects.create(
        state=ArchiveState.CHECKED,
        filename="a.zip",
        sha256="0" * 64,
        staging=open_staging(by),
        description={
            "project": {"slug": f"copy-of-{project.slug}", "created_by": by.username},
            "tables": {},
            "files": {},
            "pieces": {},
        },
        users=[by.username],
    )
    return {"archive": archive.pk, "archive import": waiting.pk}
