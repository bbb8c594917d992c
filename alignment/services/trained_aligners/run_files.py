"""The links of a run as files: the same run gives the same bytes."""

from __future__ import annotations

from alignment.models import AlignerRun
from alignment.services.exporting import zipped
from alignment.services.gold_links import pair_key
from jobs.models import JobState
from paragold.formats import manifest
from paragold.formats.links import jsonl, naacl, parallel_text, pharaoh
from paragold.metrics.links import LinkedPair, Links, TokenPair
from projects.errors import PublicError

from .programs import of_draw

FORMATS = ("pharaoh", "naacl", "jsonl")
ROWS_AT_ONCE = 2_000


def linked_pairs_of(run: AlignerRun) -> list[LinkedPair]:
    """The pairs of a run with their links, which count as SURE, in the order in which they were found."""
    rows = run.alignments.select_related(
        "pair__sentence_a__article__cluster", "pair__sentence_b__article__cluster"
    ).order_by("pair__sentence_a_id", "pair__sentence_b_id")
    return [
        LinkedPair(
            key=pair_key(row.pair),
            tokens=TokenPair(tuple(row.pair.sentence_a.token_list), tuple(row.pair.sentence_b.token_list)),
            links=Links.of(row.link_list),
        )
        for row in rows.iterator(chunk_size=ROWS_AT_ONCE)
    ]


def run_archive(run: AlignerRun, wanted: str) -> bytes:
    """A zip with the links in one of FORMATS, the text they belong to, and a manifest.

    Raises PublicError for another format and while the run is not done.
    """
    if wanted not in FORMATS:
        raise PublicError(f"There is no format {wanted!r}; there are: {', '.join(FORMATS)}.")
    if run.job.state != JobState.DONE:
        raise PublicError("This run is not done yet; its files are there when it is.")
    pairs = linked_pairs_of(run)
    draw = of_draw(run.trained, [sorted(pair.links.possible) for pair in pairs])
    texts: dict[str, str] = {}
    if wanted == "jsonl":
        texts["links.jsonl"] = jsonl.dumps(pairs)
    else:
        texts["links.src"], texts["links.tgt"] = parallel_text.dumps(pair.tokens for pair in pairs)
        if wanted == "pharaoh":
            texts["links.pharaoh"] = pharaoh.dumps(pair.links for pair in pairs)
        else:
            texts["links.naacl"] = naacl.dumps({n: pair.links for n, pair in enumerate(pairs, start=1)})
    contents = {name: text.encode() for name, text in texts.items()}
    description = manifest.build_manifest(
        contents,
        counts={"pairs": len(pairs), "links": sum(len(pair.links.possible) for pair in pairs)},
        signatures={"aligner": run.trained.signature + draw, "pairs": run.target.signature},
        details={"aligner": str(run.trained), "aligner_sha256": run.trained.sha256, "of": str(run.target)},
    )
    contents["manifest.json"] = manifest.dumps(description).encode()
    return zipped(contents)
