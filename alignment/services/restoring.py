"""Getting back the file of an export that is gone from the disk."""

from __future__ import annotations

import hashlib
from pathlib import Path

from alignment.models import Export
from corpus.errors import PublicError

from .exporting import FORMATS, export_contents, export_path, zipped


def export_file(*, export: Export) -> Path:
    """The file of an export; when it is gone, it is made again from the same gold.

    Raises PublicError when what is made now has another sha256 than the export had.
    """
    path = export_path(export.project, export.sha256)
    if path.is_file():
        return path
    if "dataset" in export.manifest.get("details", {}):
        raise PublicError(f"The file of {export.name} is gone. Export the dataset again.")
    data = _made_again(export)
    if data is None:
        raise PublicError(
            f"The file of {export.name} is gone, and this version of the program makes other bytes "
            f"(sha256 {export.sha256[:8]}... expected). Make a new export."
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_bytes(data)
    partial.replace(path)
    return path


def _made_again(export: Export) -> bytes | None:
    """The bytes of the export, tried in every format, since its row names the gold but not the format."""
    details = export.manifest.get("details", {})
    project = export.project
    gold_set = _called(project.gold_sets.all(), details.get("judgements"))
    gold_links = _called(project.gold_alignment_sets.all(), details.get("links"))
    strengths = details.get("links", {}).get("strengths", "as_drawn")
    for wanted in FORMATS:
        try:
            contents, _ = export_contents(
                gold_set=gold_set, gold_links=gold_links, wanted=wanted, strengths=strengths
            )
        except PublicError:
            continue
        data = zipped(contents)
        if hashlib.sha256(data).hexdigest() == export.sha256:
            return data
    return None


def _called(sets, described: dict[str, str] | None):
    """The gold set that a manifest describes, None for none."""
    if described is None:
        return None
    return next((found for found in sets if str(found) == described["gold_set"]), None)
