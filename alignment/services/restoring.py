"""Getting back the file of an export that is gone from the disk."""

from __future__ import annotations

import shutil
from pathlib import Path

from alignment.models import Export
from paragold.formats.manifest import sha256_of
from projects.errors import PublicError

from .export_store import export_path, fresh_folder
from .exporting import ExportOptions, write_gold
from .gold_exports import pack


def export_file(*, export: Export) -> Path:
    """The file of an export; when it is gone, it is made again from the same gold.

    Raises PublicError when it cannot be made, or has another sha256 than the export had.
    """
    path = export_path(export.project, export.sha256)
    if path.is_file():
        return path
    if "dataset" in export.manifest.get("details", {}):
        raise PublicError(f"The file of {export.name} is gone. Export the dataset again.")
    with fresh_folder(export.project, f"again-{export.pk}") as folder:
        try:
            archive = _made_again(export, folder)
        except (KeyError, TypeError, ValueError) as error:
            raise PublicError(
                f"The file of {export.name} is gone, and its manifest does not say how to make it again. "
                "Make a new export."
            ) from error
        except PublicError as error:
            raise PublicError(
                f"The file of {export.name} is gone and cannot be made again. {error} Make a new export."
            ) from error
        if sha256_of(archive) != export.sha256:
            raise PublicError(
                f"The file of {export.name} is gone, and this version of the program makes other bytes "
                f"(sha256 {export.sha256[:8]}... expected). Make a new export."
            )
        archive.replace(path)
        shutil.rmtree(folder)
    return path


def _made_again(export: Export, folder: Path) -> Path:
    """The archive of an export with the options that its manifest names."""
    details = export.manifest["details"]
    project = export.project
    files, archive = folder / "files", folder / "export.zip"
    files.mkdir()
    write_gold(
        files,
        gold_set=_called(project.gold_sets.all(), details.get("judgements")),
        gold_links=_called(project.gold_alignment_sets.all(), details.get("links")),
        options=ExportOptions.of(details["export"]),
    )
    pack(files, archive)
    return archive


def _called(sets, described: dict[str, str] | None):
    """The gold set that a manifest describes, None for none."""
    if described is None:
        return None
    return next((found for found in sets if str(found) == described["gold_set"]), None)
