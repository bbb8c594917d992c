"""Gold as files, with and without a job."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from alignment.models import Export, GoldAlignmentSet
from alignment.services.export_store import export_of
from alignment.services.exporting import ALL, write_gold
from alignment.services.gold_exports import request_gold_export
from alignment.specs import GoldExportSpec
from annotation.models import GoldSet
from paragold.formats.publishing import Manifest


def export_gold(**arguments: Any) -> Export:
    """The export that `request_gold_export` writes at once."""
    export = export_of(request_gold_export(**arguments))
    assert export is not None
    return export


def export_contents(
    *, gold_set: GoldSet | None = None, gold_links: GoldAlignmentSet | None = None, spec: GoldExportSpec = ALL
) -> tuple[dict[str, bytes], Manifest]:
    """The files of an export by path, as `write_gold` writes them, and the manifest."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        description = write_gold(folder, gold_set=gold_set, gold_links=gold_links, spec=spec)
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}, description
