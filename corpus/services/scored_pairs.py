"""Pairs of sentences that a method scored, on their way to the candidate pairs, within clusters or across.

What a job that scores pairs needs beside its method: sentences (`sentences_of`), rows (`propose`), the result
of a chunk (`collected`), `store` and `finish`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from time import monotonic

import numpy as np
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from numpy.typing import NDArray

from corpus.models import Extraction, Finding, Sentence
from corpus.services import extraction
from jobs.models import Job, JobState
from jobs.services import ledger
from jobs.services.running import LeaseLost
from paragold.extraction.criteria import SHARED_WORD_LENGTH
from paragold.extraction.methods import DistinctSentences
from paragold.extraction.rapidfuzz_blocks import RapidfuzzBlocks

from .pair_storage import ROW, SCORES, remove_repeated_pairs, remove_unreferenced, store_pairs

ROWS_AT_ONCE = 2_000
ONE_PARTNER = "one_partner"


SENTENCE = np.dtype([("id", "i8"), ("article", "i8"), ("number", "i8"), ("cluster", "i8"), ("held_out", "?")])


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences by ascending id: rows of SENTENCE, (n,), and `texts`, their lower-case tokens, joined."""

    rows: NDArray[np.void]
    texts: list[str]

    def __len__(self) -> int:
        return len(self.texts)

    def take(self, chosen: Sequence[int]) -> Sentences:
        """The sentences of these numbers, which ascend."""
        return Sentences(self.rows[list(chosen)], [self.texts[row] for row in chosen])

    def __add__(self, other: Sentences) -> Sentences:
        """These and then others, whose ids are all higher."""
        return Sentences(np.concatenate((self.rows, other.rows)), self.texts + other.texts)

    def distinct(self) -> Sentences:
        """Each text twice at most, in different articles of one side of the hold-out, at its first places.

        Two of them always suffice: whatever the article of its partner, one is in another.
        """
        seen: dict[tuple[bool, str], tuple[int, ...]] = {}
        kept = []
        for number, (text, article, held_out) in enumerate(
            zip(self.texts, self.rows["article"].tolist(), self.rows["held_out"].tolist(), strict=True)
        ):
            known = seen.get((held_out, text), ())
            if len(known) < 2 and article not in known:
                seen[held_out, text] = (*known, article)
                kept.append(number)
        return self if len(kept) == len(self) else self.take(kept)


def sentences_of(rows: QuerySet[Sentence]) -> Sentences:
    """The sentences of a queryset by ascending id."""
    columns = rows.order_by("pk").values_list(
        "pk", "article_id", "number", "article__cluster_id", "article__cluster__held_out", "tokens"
    )
    numbers, texts = [], []
    for *row, tokens in columns.iterator(chunk_size=ROWS_AT_ONCE):
        numbers.append(tuple(row))
        texts.append(tokens.lower())
    return Sentences(np.array(numbers, dtype=SENTENCE), texts)


@dataclass(frozen=True, slots=True)
class Proposed:
    """Rows (`ROW`) and their scores (`SCORES`), with what was counted. Add them up with `joined`."""

    rows: NDArray[np.void]
    scores: NDArray[np.void]
    counts: dict[str, int] = field(default_factory=dict)

    @classmethod
    def joined(cls, parts: Iterable[Proposed]) -> Proposed:
        """All of them in the order in which rows are written, their counts added up."""
        listed = [cls(np.empty(0, ROW), np.empty(0, SCORES)), *parts]
        rows = np.concatenate([part.rows for part in listed])
        scores = np.concatenate([part.scores for part in listed])
        order = np.lexsort((rows["sentence_b_id"], rows["sentence_a_id"]))
        total: Counter[str] = Counter()
        for part in listed:
            total.update(part.counts)
        return cls(rows[order], scores[order], dict(total))


def propose(
    sentences: Sentences,
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    scores: NDArray[np.float64],
    jaccard: NDArray[np.float64] | None = None,
    *,
    in_order: bool = False,
) -> Proposed:
    """Pairs of different sentences by their numbers, each once, measured as candidate pairs are.

    The sentence with the lower number is the first of its pair; with `in_order` that in `first` is.

    Left out and counted: pairs of one article, of clusters of which only one is held out, and of texts that
    differ in punctuation or case alone. scores, jaccard: 0 to 1; none is kept without `jaccard`.
    """
    a, b = (first, second) if in_order else (np.minimum(first, second), np.maximum(first, second))
    given = sentences.rows
    across = given["article"][a] != given["article"][b]
    one_side = given["held_out"][a] == given["held_out"][b]
    texts, number_of = _distinct(sentences, np.unique(np.concatenate((a, b))))
    same = texts.same_words(number_of[a], number_of[b]) if len(a) else np.zeros(0, dtype=bool)
    kept = across & one_side & ~same
    a, b = a[kept], b[kept]
    left, right = number_of[a], number_of[b]
    rows = np.empty(len(a), dtype=ROW)
    rows["cluster_id"] = given["cluster"][a]
    rows["sentence_a_id"], rows["sentence_b_id"] = given["id"][a], given["id"][b]
    rows["position_a"], rows["position_b"] = given["number"][a], given["number"][b]
    lengths = np.array([len(tokens) for tokens in texts.tokens], dtype=np.int64)
    rows["length_a"], rows["length_b"] = lengths[left], lengths[right]
    rows["edit_distance"] = RapidfuzzBlocks(texts.tokens).distances(left, right)
    rows["shared_words"] = texts.shared_words(left, right)
    rows["content_key"] = texts.content_keys(left, right)
    kept_scores = np.empty(len(a), dtype=SCORES)
    kept_scores["score"] = scores[kept]
    kept_scores["jaccard"] = np.nan if jaccard is None else jaccard[kept]
    return Proposed(
        rows,
        kept_scores,
        {
            "pairs_kept": len(rows),
            "rejected_same_text": int((across & same).sum()),
            "rejected_held_out": int((across & ~same & ~one_side).sum()),
            "pairs_across_clusters": int((given["cluster"][a] != given["cluster"][b]).sum()),
        },
    )


def _distinct(sentences: Sentences, used: NDArray[np.int64]) -> tuple[DistinctSentences, NDArray[np.int64]]:
    """The texts of the sentences used, and for each sentence the number of its text there (-1 for others)."""
    tokens = [tuple(sentences.texts[row].split(" ")) for row in used.tolist()]
    texts = DistinctSentences(range(len(tokens)), tokens, SHARED_WORD_LENGTH)
    number_of = np.full(len(sentences), -1, dtype=np.int64)
    for number, places in enumerate(texts.positions):
        number_of[used[places]] = number
    return texts, number_of


def collected(job: Job, parts: Iterable[Proposed], cap: int) -> Proposed:
    """The pairs of a chunk, with its time. Fails the job when it has stored more than `cap` pairs."""
    started = monotonic()
    proposed = Proposed.joined(parts)
    stop_beyond_cap(job, len(proposed.rows), cap)
    proposed.counts["milliseconds"] = round(1000 * (monotonic() - started))
    return proposed


def stop_beyond_cap(job: Job, more: int, cap: int) -> None:
    """Fail the job when, with `more` pairs, it has kept more than `cap` pairs; raises LeaseLost then.

    Unless the parameters say that it is "confirmed".
    """
    kept = Job.objects.values_list("counts", flat=True).get(pk=job.pk).get("pairs_kept", 0) + more
    if kept <= cap or job.parameters.get("confirmed"):
        return
    with transaction.atomic():
        ledger.lock(job)
        ledger.move(
            job,
            JobState.FAILED,
            finished_at=timezone.now(),
            error=f"More than {cap:,} pairs were found before the end, so the job was stopped. Launch it "
            "again with a higher threshold, or confirm that you want so many.",
        )
    raise LeaseLost


def store(job: Job, proposed: Proposed) -> dict[str, int]:
    store_pairs(job.extraction, proposed.rows, proposed.scores)
    return proposed.counts


def finish(job: Job) -> None:
    """Each two texts once; where asked for, each sentence with one partner; then the dataset is frozen."""
    extraction.take_back(job, "rejected_seen_before", remove_repeated_pairs(job.extraction))
    if job.parameters.get(ONE_PARTNER):
        extraction.take_back(job, "rejected_better_partner", one_partner_each(job.extraction))
    # Counted of what is left, not of what was found before the end.
    crossing = job.extraction.findings.exclude(pair__sentence_b__article__cluster=F("pair__cluster"))
    job.counts["pairs_across_clusters"] = crossing.count()
    extraction.freeze_result(job)


def one_partner_each(extraction: Extraction) -> int:
    """Keep pairs by falling score, passing over sentences that have a partner (Chung & Knight, section 4).

    Returns how many findings are taken back. Call it within a transaction, after `remove_repeated_pairs`.
    """
    rows = extraction.findings.order_by("-score", "pair__sentence_a", "pair__sentence_b")
    taken: set[int] = set()
    outbid: list[tuple[int, int]] = []
    for finding, pair, a, b in rows.values_list("pk", "pair_id", "pair__sentence_a", "pair__sentence_b"):
        if a in taken or b in taken:
            outbid.append((finding, pair))
        else:
            taken.update((a, b))
    for start in range(0, len(outbid), ROWS_AT_ONCE):
        part = outbid[start : start + ROWS_AT_ONCE]
        Finding.objects.filter(pk__in=[finding for finding, _ in part])._raw_delete(using="default")
        remove_unreferenced([pair for _, pair in part])
    return len(outbid)
