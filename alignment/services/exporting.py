"""Writing gold sets out as files: the same gold gives the same bytes."""

from __future__ import annotations

import hashlib
import io
import zipfile
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from alignment.formats import edinburgh, giza, jsonl, multimwa, naacl, parallel_text, pharaoh
from alignment.models import Export, GoldAlignmentSet
from annotation.formats import gold_jsonl, manifest, pairs_tsv
from annotation.formats.errors import FormatError
from annotation.models import GoldSet, Label
from corpus.errors import PublicError
from corpus.models import Project

from .gold_links import linked_pairs, pair_key

FORMATS = ("all", "msr", "jsonl", "pharaoh", "naacl", "edinburgh", "multimwa", "giza")
# Zip archives carry times; a fixed one keeps the bytes equal.
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def gold_pairs(gold_set: GoldSet) -> list[gold_jsonl.GoldPair]:
    """The pairs of a gold set with every judgement, in the order of the batches."""
    judgements = gold_set.judgements.select_related(
        "item__pair__cluster",
        "item__pair__sentence_a__article__cluster",
        "item__pair__sentence_b__article__cluster",
    )
    return [
        gold_jsonl.GoldPair(
            key=pair_key(gold.item.pair),
            cluster=gold.item.pair.cluster.key,
            label=gold.label,
            a=_sentence(gold.item.pair.sentence_a),
            b=_sentence(gold.item.pair.sentence_b),
            judgements=tuple(_judgement(vote) for vote in gold.votes if vote["at"]),
            adjudication=_adjudication(gold.adjudication),
        )
        for gold in judgements
    ]


def _sentence(sentence: Any) -> gold_jsonl.GoldSentence:
    return gold_jsonl.GoldSentence(
        article=sentence.article.key,
        sentence=sentence.number,
        text=sentence.text,
        tokens=tuple(sentence.token_list),
        starts=tuple(sentence.starts),
    )


def _judgement(vote: dict[str, Any]) -> gold_jsonl.GoldJudgement:
    return gold_jsonl.GoldJudgement(
        annotator=vote["annotator"],
        label=vote["label"],
        time=vote["at"],
        comment=vote["comment"],
        flagged=vote["flagged"],
        skipped=vote["skipped"],
    )


def _adjudication(decision: dict[str, Any] | None) -> gold_jsonl.Adjudication | None:
    if decision is None:
        return None
    return gold_jsonl.Adjudication(
        adjudicator=decision["adjudicator"],
        label=decision["label"],
        time=decision["at"],
        comment=decision["comment"],
    )


def judgement_files(gold_set: GoldSet, wanted: str) -> dict[str, str]:
    pairs = gold_pairs(gold_set)
    files = {}
    if wanted in {"all", "msr"}:
        files["pairs.tsv"] = pairs_tsv.dumps(
            pairs_tsv.LabelledPair(
                paraphrase=pair.label == Label.PARAPHRASE,
                first_key=pair.key.split("|")[0],
                second_key=pair.key.split("|")[1],
                first_text=pair.a.text,
                second_text=pair.b.text,
            )
            for pair in pairs
        )
    if wanted in {"all", "jsonl"}:
        files["pairs.jsonl"] = gold_jsonl.dumps(pairs)
    return files


def link_files(gold_set: GoldAlignmentSet, wanted: str, strengths: str) -> dict[str, str]:
    pairs = linked_pairs(gold_set, strengths)
    files = {}
    if wanted in {"all", "pharaoh"}:
        files["links.pharaoh"] = pharaoh.dumps(pair.links for pair in pairs)
    if wanted in {"all", "naacl"}:
        files["links.naacl"] = naacl.dumps({n: pair.links for n, pair in enumerate(pairs, start=1)})
    if wanted in {"all", "pharaoh", "naacl"}:
        files["links.src"], files["links.tgt"] = parallel_text.dumps(pair.tokens for pair in pairs)
    if wanted in {"all", "jsonl"}:
        files["links.jsonl"] = jsonl.dumps(pairs)
    if wanted in {"all", "edinburgh"}:
        files["links.json"] = edinburgh.dumps(pairs)
    if wanted in {"all", "multimwa"}:
        files["links.tsv"] = multimwa.dumps(pairs)
    # GIZA++ knows one strength: among all formats it is written where that is enough.
    if wanted == "giza" or (wanted == "all" and not any(pair.links.possible_only for pair in pairs)):
        files["links.A3.final"] = giza.dumps(pairs)
    return files


def export_contents(
    *,
    gold_set: GoldSet | None = None,
    gold_links: GoldAlignmentSet | None = None,
    wanted: str = "all",
    strengths: str = "as_drawn",
) -> tuple[dict[str, bytes], manifest.Manifest]:
    """The files of an export by name, the manifest among them, and the manifest itself.

    With the strengths "all_sure" every link is written as SURE, and the manifest says so.

    Raises PublicError for an unknown format, when nothing would be in it, and for links or tokens that the
    format cannot hold.
    """
    if wanted not in FORMATS:
        raise PublicError(f"There is no format {wanted!r}; there are: {', '.join(FORMATS)}.")
    texts: dict[str, str] = {}
    counts: dict[str, int] = {}
    signatures: dict[str, str] = {}
    details: dict[str, Any] = {}
    if gold_set is not None:
        texts |= judgement_files(gold_set, wanted)
        counts |= {f"judgements.{name}": count for name, count in gold_set.counts.items()}
        signatures["judgements"] = gold_set.signature
        details["judgements"] = {
            "gold_set": str(gold_set),
            "agreement": gold_set.agreement,
            "datasets": sorted({b.dataset.signature for b in gold_set.batches.all() if b.dataset}),
        }
    if gold_links is not None:
        try:
            texts |= link_files(gold_links, wanted, strengths)
        except FormatError as error:
            raise PublicError(f"{gold_links} cannot be written as {wanted}. {error}") from error
        counts |= {f"links.{name}": count for name, count in gold_links.counts.items()}
        signatures["links"] = gold_links.signature
        details["links"] = {"gold_set": str(gold_links), "agreement": gold_links.agreement}
        if gold_links.lineage:
            details["links"]["lineage"] = gold_links.lineage
        if strengths != "as_drawn":
            details["links"]["strengths"] = strengths
    if not texts:
        chosen = [str(gold) for gold in (gold_set, gold_links) if gold is not None]
        raise PublicError(
            f"Nothing to export: {' and '.join(chosen) or 'no gold set was chosen'} has no {wanted} file. "
            "Choose a gold set for msr and jsonl, a gold alignment set for jsonl and the formats of links."
        )
    contents = {name: text.encode() for name, text in texts.items()}
    description = manifest.build_manifest(contents, counts=counts, signatures=signatures, details=details)
    contents["manifest.json"] = manifest.dumps(description).encode()
    return contents, description


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
    wanted: str = "all",
    strengths: str = "as_drawn",
) -> Export:
    """Write an export and keep it for download. The same content gives the export that exists."""
    for gold in (gold_set, gold_links):
        if gold is not None and gold.project_id != project.pk:
            raise PublicError(f"{gold} belongs to another project.")
    contents, description = export_contents(
        gold_set=gold_set, gold_links=gold_links, wanted=wanted, strengths=strengths
    )
    data = zipped(contents)
    sha256 = hashlib.sha256(data).hexdigest()
    title = " + ".join(str(gold) for gold in (gold_set, gold_links) if gold is not None)
    path = export_path(project, sha256)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_bytes(data)
    partial.replace(path)
    with transaction.atomic():
        export, _ = Export.objects.get_or_create(
            project=project,
            sha256=sha256,
            defaults={
                "name": f"{title} ({wanted}{', all sure' if strengths == 'all_sure' else ''})"[:120],
                "filename": f"{project.slug}-{sha256[:8]}.zip",
                "bytes": len(data),
                "manifest": description,
                "created_by": by,
            },
        )
    return export


def export_path(project: Project, sha256: str) -> Path:
    return Path(settings.EXPORTS_DIR) / project.slug / f"{sha256}.zip"


def write_files(contents: dict[str, bytes], folder: Path) -> None:
    """Write an export's files into a folder, which is created; other files there are left alone."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in contents.items():
        (folder / name).write_bytes(data)
