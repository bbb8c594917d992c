"""Writing gold sets out as files: the same gold and the same options give the same bytes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from alignment.models import GoldAlignmentSet
from annotation.models import GoldSet
from paragold.formats import manifest
from paragold.formats.manifest import described_file
from paragold.formats.pairs.archives import LONG_AGO
from paragold.formats.pairs.card import data_card
from paragold.formats.pairs.splits import SPLITS, Division, Splits, splits_from
from paragold.problems import FileProblem
from projects.errors import PublicError

from .export_cards import gold_card
from .gold_files import Counted, GoldFiles, clusters_of, formats, kinds_of, meanings
from .gold_links import STRENGTHS
from .gold_reading import Chosen, chosen_pairs, divide_gold


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """How gold is written out.

    `wanted` is one of `formats()`; `strengths` "as_drawn", or "all_sure", which writes every link as SURE;
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
    if options.wanted not in formats():
        raise PublicError(f"There is no format {options.wanted!r}; there are: {', '.join(formats())}.")
    if options.strengths not in STRENGTHS:
        raise PublicError(f"The strengths are {' or '.join(STRENGTHS)}, not {options.strengths!r}.")
    chosen = {kind for kind, gold in (("pairs", gold_set), ("links", gold_links)) if gold is not None}
    if not chosen & kinds_of(options.wanted):
        raise _nothing(gold_set, gold_links, options)


def _nothing(
    gold_set: GoldSet | None, gold_links: GoldAlignmentSet | None, options: ExportOptions
) -> PublicError:
    sources = {"pairs": "a gold set", "links": "a gold alignment set"}
    needed = " or ".join(name for kind, name in sources.items() if kind in kinds_of(options.wanted))
    return PublicError(
        f"Nothing to export: {title_of(gold_set, gold_links)} has no {options.wanted} file. Choose {needed}."
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

    def batches() -> Iterator[Chosen]:
        return chosen_pairs(
            gold_set, gold_links, strengths=options.strengths, approved_only=options.approved_only
        )

    division = divide_gold(batches(), options.splits) if options.splits else None
    try:
        left_out = _write_pairs(parts, division, batches(), tell)
    except FileProblem as error:
        raise PublicError(f"{gold_links} cannot be written as {options.wanted}. {error}") from error
    finally:
        for part in parts.values():
            part.close()
    counted = Counted()
    for part in parts.values():
        counted.merge(part.counted)
    if left_out and not counted.pairs:
        raise PublicError(
            f"Nothing to export: annotators differ on all {left_out} pairs of "
            f"{title_of(gold_set, gold_links)}, and an adjudicator has decided none. Review them, or export "
            "pairs that are not approved as well."
        )
    names = [f"{name}/{file}" if name else file for name, part in parts.items() for file in part.names]
    chosen = gold_set or gold_links
    if not names or chosen is None:
        raise _nothing(gold_set, gold_links, options)
    divided = _divided(division, options.splits, parts)
    card = gold_card(
        chosen.project,
        gold_set=gold_set,
        gold_links=gold_links,
        counted=counted,
        divided=divided,
        files={path: meanings()[path.rpartition("/")[2]] for path in sorted(names)},
        approved_only=options.approved_only,
        licence=options.licence,
        limits=options.limits,
    )
    _write(folder / "README.md", data_card(card))
    files = {name: described_file(folder / name) for name in sorted([*names, "README.md"])}
    description = _description(files, counted.as_counts(), gold_set, gold_links, options, divided)
    _write(folder / "manifest.json", manifest.dumps(description))
    return description


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def _divided(
    division: Division | None, splits: Splits | None, parts: Mapping[str, GoldFiles]
) -> dict[str, Any]:
    if division is None or splits is None:
        return {}
    pairs = {name: part.counted.pairs for name, part in parts.items()}
    clusters = {name: len(part.counted.clusters) for name, part in parts.items()}
    return division.described(splits, pairs, clusters)


def _write_pairs(
    parts: Mapping[str, GoldFiles],
    division: Division | None,
    batches: Iterable[Chosen],
    tell: Callable[[int], None],
) -> int:
    """Write all pairs, linked ones first; returns how many were left out as not approved."""
    read, left_out = 0, 0

    def part_of(key: str) -> str:
        return division.split_of[clusters_of(key)[0]] if division else ""

    for chosen in batches:
        for name, linked in _by_part(chosen.linked, lambda one: part_of(one.pair.key)).items():
            parts[name].add_linked(linked)
        for name, judged in _by_part(chosen.judged, lambda pair: part_of(pair.key)).items():
            parts[name].add_judged(judged)
        left_out += chosen.left_out
        read += chosen.read
        tell(read)
    return left_out


def _by_part(pairs: Iterable[Any], part_of: Callable[[Any], str]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for pair in pairs:
        found.setdefault(part_of(pair), []).append(pair)
    return found


def _description(
    files: Mapping[str, Mapping[str, Any]],
    counts: Mapping[str, int],
    gold_set: GoldSet | None,
    gold_links: GoldAlignmentSet | None,
    options: ExportOptions,
    divided: Mapping[str, Any],
) -> manifest.Manifest:
    signatures: dict[str, str] = {}
    details: dict[str, Any] = {"export": asdict(options), **divided}
    if gold_set is not None:
        signatures["judgements"] = gold_set.signature
        details["judgements"] = {
            "gold_set": str(gold_set),
            "gold_set_counts": gold_set.counts,
            "agreement": gold_set.agreement,
            "datasets": sorted({b.dataset.signature for b in gold_set.batches.all() if b.dataset}),
        }
    if gold_links is not None:
        signatures["links"] = gold_links.signature
        details["links"] = {
            "gold_set": str(gold_links),
            "gold_set_counts": gold_links.counts,
            "agreement": gold_links.agreement,
        }
        if gold_links.lineage:
            details["links"]["lineage"] = gold_links.lineage
    return manifest.build_manifest(files, counts=counts, signatures=signatures, details=details)


def zipped(contents: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name in sorted(contents):
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, contents[name])
    return buffer.getvalue()
