"""Writing gold sets out as files: the same gold and the same options give the same bytes."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from alignment.models import Export, GoldAlignmentSet
from annotation.formats import manifest
from annotation.formats.errors import FormatError
from annotation.models import GoldSet
from corpus.errors import PublicError
from corpus.models import Cluster, Project
from corpus.writers.archive import LONG_AGO
from corpus.writers.card import data_card
from corpus.writers.rows import Splits, splits_from

from .export_cards import gold_card
from .gold_files import FORMATS, MEANINGS, GoldPairs, files_of, gold_pairs


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """How gold is written out.

    `wanted` is one of FORMATS; `strengths` "as_drawn", or "all_sure", which writes every link as SURE;
    `approved_only` leaves out pairs on which annotators differ and no adjudicator decided. With `splits`
    there is a folder of files for train, dev and test. `licence` and `limits` stand in the data card.
    """

    wanted: str = "all"
    strengths: str = "as_drawn"
    approved_only: bool = False
    splits: Splits | None = None
    licence: str = ""
    limits: str = ""

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> ExportOptions:
        """From JSON, as `asdict` gives it."""
        return cls(**{**fields, "splits": splits_from(fields["splits"])})


ALL = ExportOptions()


def export_contents(
    *,
    gold_set: GoldSet | None = None,
    gold_links: GoldAlignmentSet | None = None,
    options: ExportOptions = ALL,
) -> tuple[dict[str, bytes], manifest.Manifest]:
    """The files of an export by path, the manifest and the data card among them, and the manifest itself.

    Raises PublicError for an unknown format, when nothing would be in it, and for links or tokens that the
    format cannot hold.
    """
    if options.wanted not in FORMATS:
        raise PublicError(f"There is no format {options.wanted!r}; there are: {', '.join(FORMATS)}.")
    chosen = [gold for gold in (gold_set, gold_links) if gold is not None]
    title = " and ".join(map(str, chosen)) or "no gold set was chosen"
    every = gold_pairs(gold_set, gold_links, options.strengths)
    pairs = every.approved() if options.approved_only else every
    if every.keys and not pairs.keys:
        raise PublicError(
            f"Nothing to export: annotators differ on all {len(every.keys)} pairs of {title}, and an "
            "adjudicator has decided none. Review them, or export pairs that are not approved as well."
        )
    parts = pairs.parted(options.splits) if options.splits else {"": pairs}
    contents: dict[str, bytes] = {}
    try:
        for folder, part in parts.items():
            files = files_of(part, options.wanted)
            contents |= {f"{folder}/{name}" if folder else name: data for name, data in files.items()}
    except FormatError as error:
        raise PublicError(f"{gold_links} cannot be written as {options.wanted}. {error}") from error
    if not contents:
        raise PublicError(
            f"Nothing to export: {title} has no {options.wanted} file. Choose a gold set for msr, a gold "
            "alignment set for the formats of links, either of them for jsonl, parquet and csv."
        )
    counted = [(name, len(part.clusters), len(part.keys)) for name, part in parts.items()]
    project = chosen[0].project
    card = gold_card(
        project,
        gold_set=gold_set,
        gold_links=gold_links,
        clusters=Cluster.objects.filter(project=project, key__in=pairs.clusters),
        counted=counted if options.splits else [],
        files={path: MEANINGS[path.rpartition("/")[2]] for path in sorted(contents)},
        approved_only=options.approved_only,
        licence=options.licence,
        limits=options.limits,
    )
    contents["README.md"] = data_card(card).encode()
    description = _description(contents, pairs, gold_set, gold_links, options)
    contents["manifest.json"] = manifest.dumps(description).encode()
    return contents, description


def _description(
    contents: Mapping[str, bytes],
    pairs: GoldPairs,
    gold_set: GoldSet | None,
    gold_links: GoldAlignmentSet | None,
    options: ExportOptions,
) -> manifest.Manifest:
    counts: dict[str, int] = {"pairs": len(pairs.keys)}
    if options.splits:
        kept = sum(len(part.keys) for part in pairs.parted(options.splits).values())
        if kept < counts["pairs"]:
            counts |= {"pairs": kept, "pairs_between_splits": counts["pairs"] - kept}
    signatures: dict[str, str] = {}
    details: dict[str, Any] = {"export": asdict(options)}
    if gold_set is not None:
        counts |= {f"judgements.{name}": count for name, count in gold_set.counts.items()}
        signatures["judgements"] = gold_set.signature
        details["judgements"] = {
            "gold_set": str(gold_set),
            "agreement": gold_set.agreement,
            "datasets": sorted({b.dataset.signature for b in gold_set.batches.all() if b.dataset}),
        }
    if gold_links is not None:
        counts |= {f"links.{name}": count for name, count in gold_links.counts.items()}
        signatures["links"] = gold_links.signature
        details["links"] = {"gold_set": str(gold_links), "agreement": gold_links.agreement}
        if gold_links.lineage:
            details["links"]["lineage"] = gold_links.lineage
    return manifest.build_manifest(contents, counts=counts, signatures=signatures, details=details)


def zipped(contents: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name in sorted(contents):
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, contents[name])
    return buffer.getvalue()


def export_gold(
    *,
    project: Project,
    by: User | None,
    gold_set: GoldSet | None = None,
    gold_links: GoldAlignmentSet | None = None,
    options: ExportOptions = ALL,
) -> Export:
    """Write an export and keep it for download. The same content gives the export that exists."""
    for gold in (gold_set, gold_links):
        if gold is not None and gold.project_id != project.pk:
            raise PublicError(f"{gold} belongs to another project.")
    contents, description = export_contents(gold_set=gold_set, gold_links=gold_links, options=options)
    data = zipped(contents)
    sha256 = hashlib.sha256(data).hexdigest()
    title = " + ".join(str(gold) for gold in (gold_set, gold_links) if gold is not None)
    how = [
        options.wanted,
        *(["all sure"] if options.strengths == "all_sure" else []),
        *(["approved"] if options.approved_only else []),
        *(["in splits"] if options.splits else []),
    ]
    keep_file(project, sha256, data)
    with transaction.atomic():
        export, _ = Export.objects.get_or_create(
            project=project,
            sha256=sha256,
            defaults={
                "name": f"{title} ({', '.join(how)})"[:120],
                "filename": f"{project.slug}-{sha256[:8]}.zip",
                "bytes": len(data),
                "manifest": description,
                "created_by": by,
            },
        )
    return export


def export_path(project: Project, sha256: str) -> Path:
    return Path(settings.EXPORTS_DIR) / project.slug / f"{sha256}.zip"


def keep_file(project: Project, sha256: str, data: bytes) -> Path:
    """Put an export's file where it is downloaded from: whole or not at all."""
    path = export_path(project, sha256)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_bytes(data)
    partial.replace(path)
    return path


def write_files(contents: dict[str, bytes], folder: Path) -> None:
    """Write an export's files into a folder, which is created; other files there are left alone."""
    for name, data in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
