"""Writing gold sets out as files: the same gold and the same options give the same bytes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from alignment.models import GoldAlignmentSet
from annotation.formats import manifest
from annotation.formats.errors import FormatError
from annotation.models import GoldSet
from corpus.errors import PublicError
from corpus.models import Cluster
from corpus.writers.archive import LONG_AGO
from corpus.writers.card import data_card
from corpus.writers.files import described_file
from corpus.writers.rows import SPLITS, Splits, splits_from

from .approved import judgement_settled, links_settled
from .export_cards import gold_card
from .gold_files import FORMATS, MEANINGS, Counted, GoldFiles, kinds_of, split_of
from .gold_links import STRENGTHS, batches_with_versions
from .gold_reading import judged_batches


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


def check_options(
    gold_set: GoldSet | None, gold_links: GoldAlignmentSet | None, options: ExportOptions
) -> None:
    """Raises PublicError for what is wrong whatever the pairs: unknown options, formats without files."""
    if options.wanted not in FORMATS:
        raise PublicError(f"There is no format {options.wanted!r}; there are: {', '.join(FORMATS)}.")
    if options.strengths not in STRENGTHS:
        raise PublicError(f"The strengths are {' or '.join(STRENGTHS)}, not {options.strengths!r}.")
    chosen = {kind for kind, gold in (("pairs", gold_set), ("links", gold_links)) if gold is not None}
    if not chosen & kinds_of(options.wanted):
        raise _nothing(gold_set, gold_links, options)


def _nothing(
    gold_set: GoldSet | None, gold_links: GoldAlignmentSet | None, options: ExportOptions
) -> PublicError:
    return PublicError(
        f"Nothing to export: {title_of(gold_set, gold_links)} has no {options.wanted} file. Choose a gold "
        "set for msr, a gold alignment set for the formats of links, either of them for jsonl, parquet "
        "and csv."
    )


def title_of(gold_set: GoldSet | None, gold_links: GoldAlignmentSet | None, between: str = " and ") -> str:
    chosen = [str(gold) for gold in (gold_set, gold_links) if gold is not None]
    return between.join(chosen) or "no gold set was chosen"


def write_gold(
    folder: Path,
    *,
    gold_set: GoldSet | None = None,
    gold_links: GoldAlignmentSet | None = None,
    options: ExportOptions = ALL,
    tell: Callable[[int], None] = lambda pairs: None,
) -> manifest.Manifest:
    """Write the files of an export into a folder, and return its manifest, which is the last of them.

    Other files there are left alone. `tell` is told how many pairs were read, many times, and may raise to
    stop. Raises PublicError for an unknown option, when nothing would be in it, and for links or tokens that
    the format cannot hold.
    """
    check_options(gold_set, gold_links, options)
    parts = {name: GoldFiles(folder / name, options.wanted) for name in (SPLITS if options.splits else ("",))}
    between = Counted()
    try:
        left_out = _write_pairs(parts, between, gold_set, gold_links, options, tell)
    except FormatError as error:
        raise PublicError(f"{gold_links} cannot be written as {options.wanted}. {error}") from error
    finally:
        for part in parts.values():
            part.close()
    kept = sum(part.counted.pairs for part in parts.values())
    if left_out and not kept + between.pairs:
        raise PublicError(
            f"Nothing to export: annotators differ on all {left_out} pairs of "
            f"{title_of(gold_set, gold_links)}, and an adjudicator has decided none. Review them, or export "
            "pairs that are not approved as well."
        )
    names = [f"{name}/{file}" if name else file for name, part in parts.items() for file in part.names]
    chosen = gold_set or gold_links
    if not names or chosen is None:
        raise _nothing(gold_set, gold_links, options)
    clusters = between.clusters.union(*(part.counted.clusters for part in parts.values()))
    counted = [(name, len(part.counted.clusters), part.counted.pairs) for name, part in parts.items()]
    card = gold_card(
        chosen.project,
        gold_set=gold_set,
        gold_links=gold_links,
        clusters=Cluster.objects.filter(project=chosen.project, key__in=clusters),
        counted=counted if options.splits else [],
        files={path: MEANINGS[path.rpartition("/")[2]] for path in sorted(names)},
        approved_only=options.approved_only,
        licence=options.licence,
        limits=options.limits,
    )
    _write(folder / "README.md", data_card(card))
    counts = {"pairs": kept} | ({"pairs_between_splits": between.pairs} if between.pairs else {})
    files = {name: described_file(folder / name) for name in sorted([*names, "README.md"])}
    description = _description(files, counts, gold_set, gold_links, options)
    _write(folder / "manifest.json", manifest.dumps(description))
    return description


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def _write_pairs(
    parts: Mapping[str, GoldFiles],
    between: Counted,
    gold_set: GoldSet | None,
    gold_links: GoldAlignmentSet | None,
    options: ExportOptions,
    tell: Callable[[int], None],
) -> int:
    """Read all pairs, linked ones first; returns how many were left out as not approved.

    Pairs of two clusters that fall into different splits are counted in `between` alone.
    """
    read, left_out = 0, 0

    def part_of(key: str) -> str | None:
        return split_of(key, options.splits) if options.splits else ""

    if gold_links is not None:
        for batch in batches_with_versions(gold_links, options.strengths):
            linked = [one for one in batch if links_settled(one)] if options.approved_only else batch
            for name, some in _by_part(linked, lambda one: part_of(one.pair.key)).items():
                if name is None:
                    between.add_linked(one.pair.key for one in some)
                else:
                    parts[name].add_linked(some)
            left_out += len(batch) - len(linked)
            read += len(batch)
            tell(read)
    if gold_set is not None:
        for pairs in judged_batches(gold_set):
            judged = [pair for pair in pairs if judgement_settled(pair)] if options.approved_only else pairs
            for name, chosen in _by_part(judged, lambda pair: part_of(pair.key)).items():
                if name is None:
                    between.add(pair.key for pair in chosen)
                else:
                    parts[name].add_judged(chosen)
            left_out += len(pairs) - len(judged)
            read += len(pairs)
            tell(read)
    return left_out


def _by_part(pairs: list[Any], part_of: Callable[[Any], str | None]) -> dict[str | None, list[Any]]:
    found: dict[str | None, list[Any]] = {}
    for pair in pairs:
        found.setdefault(part_of(pair), []).append(pair)
    return found


def _description(
    files: Mapping[str, Mapping[str, Any]],
    counts: Mapping[str, int],
    gold_set: GoldSet | None,
    gold_links: GoldAlignmentSet | None,
    options: ExportOptions,
) -> manifest.Manifest:
    told = dict(counts)
    signatures: dict[str, str] = {}
    details: dict[str, Any] = {"export": asdict(options)}
    if gold_set is not None:
        told |= {f"judgements.{name}": count for name, count in gold_set.counts.items()}
        signatures["judgements"] = gold_set.signature
        details["judgements"] = {
            "gold_set": str(gold_set),
            "agreement": gold_set.agreement,
            "datasets": sorted({b.dataset.signature for b in gold_set.batches.all() if b.dataset}),
        }
    if gold_links is not None:
        told |= {f"links.{name}": count for name, count in gold_links.counts.items()}
        signatures["links"] = gold_links.signature
        details["links"] = {"gold_set": str(gold_links), "agreement": gold_links.agreement}
        if gold_links.lineage:
            details["links"]["lineage"] = gold_links.lineage
    return manifest.of_files(files, counts=told, signatures=signatures, details=details)


def export_contents(
    *,
    gold_set: GoldSet | None = None,
    gold_links: GoldAlignmentSet | None = None,
    options: ExportOptions = ALL,
) -> tuple[dict[str, bytes], manifest.Manifest]:
    """The files of an export by path, as `write_gold` writes them, and the manifest."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        description = write_gold(folder, gold_set=gold_set, gold_links=gold_links, options=options)
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}, description


def zipped(contents: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name in sorted(contents):
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, contents[name])
    return buffer.getvalue()
