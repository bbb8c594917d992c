"""The links of a run as files: the same run gives the same bytes."""

from __future__ import annotations

from alignment.models import AlignerRun
from alignment.services.exporting import zipped
from alignment.services.gold_links import pair_key
from corpus.errors import PublicError
from corpus.models import JobState
from paragold.formats import manifest
from paragold.formats.links import parallel_text
from paragold.formats.links.registry import LINK_FORMATS
from paragold.metrics.links import LinkedPair, Links, TokenPair
from paragold.registry import NotRegisteredError

from .programs import of_draw

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
    """A zip with the links in one of LINK_FORMATS, the text they belong to, and a manifest.

    Raises PublicError for another format and while the run is not done.
    """
    try:
        link_format = LINK_FORMATS.get(wanted)
    except NotRegisteredError as error:
        raise PublicError(str(error)) from error
    if run.job.state != JobState.DONE:
        raise PublicError("This run is not done yet; its files are there when it is.")
    pairs = linked_pairs_of(run)
    draw = of_draw(run.trained, [sorted(pair.links.possible) for pair in pairs])
    texts = {link_format.file_name("links"): link_format.write(pairs, 0) + link_format.end}
    if not link_format.carries_text:
        texts["links.src"], texts["links.tgt"] = parallel_text.dumps(pair.tokens for pair in pairs)
    contents = {name: text.encode() for name, text in texts.items()}
    description = manifest.build_manifest(
        contents,
        counts={"pairs": len(pairs), "links": sum(len(pair.links.possible) for pair in pairs)},
        signatures={"aligner": run.trained.signature + draw, "pairs": run.target.signature},
        details={"aligner": str(run.trained), "aligner_sha256": run.trained.sha256, "of": str(run.target)},
    )
    contents["manifest.json"] = manifest.dumps(description).encode()
    return zipped(contents)
