"""How long files are kept: uploads that were not imported, exports, archives of projects."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from alignment.models import Export
from corpus.services import importing, uploads
from jobs.services.removal import delete_with_files
from ops.archive import archive_storage

EXPORTS_AT_ONCE = 100


def sweep_files() -> None:
    """Remove what was kept long enough (UPLOADS_DAYS, EXPORTS_DAYS, and DAYS_KEPT of archives)."""
    importing.sweep_imports()
    uploads.sweep_leftovers()
    archive_storage.sweep_archives()
    if settings.EXPORTS_DAYS:
        until = timezone.now() - timedelta(days=settings.EXPORTS_DAYS)
        for export in Export.objects.filter(created_at__lt=until)[:EXPORTS_AT_ONCE]:
            with transaction.atomic():
                delete_with_files(export)
