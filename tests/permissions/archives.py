"""An archive of a project that is kept."""

from ops.archive.archive_storage import archive_path
from ops.models import ProjectArchive


def archive_numbers(project):
    archive = ProjectArchive.objects.create(project=project, sha256="0" * 64, bytes=1, rows=1, files=0)
    archive_path(archive).write_bytes(b"0")
    return {"archive": archive.pk}
