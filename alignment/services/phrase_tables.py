"""Tables of phrase pairs of gold links and runs of aligners, computed on request; the last one is cached."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from alignment.models import AlignerRun, GoldAlignmentSet
from corpus.models import KeptNumbers
from corpus.services.characteristics import cached_while
from jobs.models import JobState
from paragold.aligners.phrases import COLUMNS, PhrasePair, PhraseSpec, as_columns, phrase_table
from paragold.formats.tables import tsv_lines
from paragold.metrics.links import LinkedPair, Links, links_of
from projects.errors import PublicError

from .submitted_links import links_from_rows

Linked = GoldAlignmentSet | AlignerRun

MAX_SENTENCE_PAIRS = 10_000
# Read in some six seconds of a processor.
MAX_PHRASES = 500_000
ROWS_CACHED = 20_000
MAX_TEXT = 200
ROWS_AT_ONCE = 2_000


def most_frequent(linked: Linked, spec: PhraseSpec) -> tuple[list[PhrasePair], int, int]:
    """The ROWS_CACHED most frequent phrase pairs of a table, how many it has, and of how many sentence pairs.

    Only the first pairs of a large set of links are read: at most MAX_SENTENCE_PAIRS, or as many as have
    MAX_PHRASES phrase pairs. One table is cached for each set of links, that of the latest `spec`.
    Raises PublicError for a run that is not done.
    """

    def compute() -> dict[str, object]:
        pairs, sentence_pairs = whole_table(linked, spec)
        rows = [[first, second, count, *shares] for count, first, second, *shares in pairs[:ROWS_CACHED]]
        return {"sentence_pairs": sentence_pairs, "phrase_pairs": len(pairs), "rows": rows}

    check_done(linked)
    known = cached_while(linked.project, cache_name(linked), spec.signature(), compute)
    pairs = [(count, first, second, *shares) for first, second, count, *shares in known["rows"]]
    return pairs, known["phrase_pairs"], known["sentence_pairs"]


def whole_table(linked: Linked, spec: PhraseSpec) -> tuple[list[PhrasePair], int]:
    """The same with all phrase pairs, never cached."""
    check_done(linked)
    return phrase_table(_linked_pairs(linked), spec, max_phrases=MAX_PHRASES)


def as_tsv(linked: Linked, spec: PhraseSpec, *, text: str = "", min_count: int = 1) -> Iterator[str]:
    """The phrase pairs under these filters as tab-separated lines below a header."""
    pairs, _ = whole_table(linked, spec)
    return tsv_lines(COLUMNS, map(as_columns, narrowed(pairs, text=text, min_count=min_count)))


def narrowed(pairs: list[PhrasePair], *, text: str = "", min_count: int = 1) -> list[PhrasePair]:
    """The pairs with the text in either phrase (case is ignored) and at least this count."""
    text_lower = text.lower()
    return [
        pair
        for pair in pairs
        if pair[0] >= min_count and any(text_lower in phrase.lower() for phrase in pair[1:3])
    ]


def sentence_pairs_of(linked: Linked) -> int:
    """How many sentence pairs have links, or may have."""
    return linked.alignments.count()


def check_done(linked: Linked) -> None:
    if isinstance(linked, AlignerRun) and linked.job.state != JobState.DONE:
        raise PublicError("This run is not done yet. Its phrase pairs are available when it has ended.")


def cache_name(linked: Linked) -> str:
    return f"phrase pairs of {linked._meta.model_name} {linked.pk}"


def cached_tables(linked: Linked) -> QuerySet[KeptNumbers]:
    """What is cached, to be deleted with the links."""
    return KeptNumbers.objects.filter(project=linked.project_id, name=cache_name(linked))


def _links(kept: Any) -> Links:
    return Links.of(links_of(kept)) if isinstance(kept, str) else links_from_rows(kept)


def _linked_pairs(linked: Linked) -> Iterator[LinkedPair]:
    """At most MAX_SENTENCE_PAIRS pairs in the order of the batch, or of their ids; keys are not needed."""
    place, order = (
        ("item__pair", "item__number") if isinstance(linked, GoldAlignmentSet) else ("pair", "pair_id")
    )
    rows = linked.alignments.order_by(order)
    ids = list(rows.values_list("pk", flat=True)[:MAX_SENTENCE_PAIRS])
    for start in range(0, len(ids), ROWS_AT_ONCE):
        some = rows.filter(pk__in=ids[start : start + ROWS_AT_ONCE])
        sides = (f"{place}__sentence_a__tokens", f"{place}__sentence_b__tokens")
        for links, first, second in some.values_list("links", *sides):
            yield LinkedPair("", tuple(first.split(" ")), tuple(second.split(" ")), _links(links))
