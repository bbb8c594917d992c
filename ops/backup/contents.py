"""What a backup is made of, and what of the data folder goes into it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from corpus.models import CorpusImport, ImportState
from ops.models import ArchiveImport, ArchiveState

VERSION = 2
MANIFEST = "manifest.json"
# Made anew, or of this machine alone: the secret key, logins, the queue, logs, archives of projects.
FOLDERS = ("exports", "aligners", "uploads")
NAME = re.compile(r"files/(exports/[\w-]+/[0-9a-f]{64}\.zip|aligners/[\w-]+\.npz|uploads/[0-9a-f]{32}\.\w+)")
_WAITING = (ImportState.CHECKING, ImportState.CHECKED, ImportState.STORING)


def files() -> Iterator[tuple[str, Path]]:
    """(name in the backup, place) of the files of the data folder that the database needs, by name.

    Exports and the numbers of aligners, and the uploads of imports that are on their way.
    """
    root = Path(settings.VAR)
    tokens = set(CorpusImport.objects.filter(state__in=_WAITING).values_list("token", flat=True))
    tokens |= set(
        ArchiveImport.objects.exclude(state__in=(ArchiveState.IMPORTED, ArchiveState.REFUSED)).values_list(
            "token", flat=True
        )
    )
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = f"files/{path.relative_to(root).as_posix()}"
            wanted = NAME.fullmatch(name) and path.is_file() and not path.is_symlink()
            if wanted and (folder != "uploads" or path.name.partition(".")[0] in tokens):
                yield name, path


def place_of(name: str) -> Path:
    """Where a file of a backup belongs."""
    return Path(settings.VAR) / name.removeprefix("files/")
