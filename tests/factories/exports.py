"""Gold as files, without a job."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from alignment.models import GoldAlignmentSet
from alignment.services.exporting import ALL, ExportOptions, write_gold
from annotation.models import GoldSet
from paragold.formats.manifest import Manifest


def export_contents(
    *,
    gold_set: GoldSet | None = None,
    gold_links: GoldAlignmentSet | None = None,
    options: ExportOptions = ALL,
) -> tuple[dict[str, bytes], Manifest]:
    """The files of an export by path, as `write_gold` writes them, and the manifest."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        description = write_gold(folder, gold_set=gold_set, gold_links=gold_links, options=options)
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}, description
