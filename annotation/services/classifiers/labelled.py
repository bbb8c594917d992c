"""The labelled pairs that a classifier is trained on, and the word pairs that it may use."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from annotation.models import GoldSet, Label, TrainedClassifier
from corpus.models import Lexicon
from corpus.services.lexicons import associate_dataset, texts_of
from paragold.formats.judgements.labelled_pairs import TextPair, read_pairs
from paragold.problems import FileProblem
from paragold.sampling.sampling import AUDIT
from projects.errors import PublicError

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_PAIRS = 200_000


def pairs_of_gold(gold_set: GoldSet, *, with_audit: bool = False) -> list[TextPair]:
    """The pairs of a gold set in the order of their texts' keys; `line` is the item's id.

    Whatever is not a paraphrase in full counts as none. Two texts that were judged twice are one pair, a
    paraphrase only if both judgements say so. Pairs drawn for the audit of a classifier stay out unless
    `with_audit`: what it is measured by must not teach it.
    """
    rows = gold_set.judgements.select_related(
        "item__pair__sentence_a", "item__pair__sentence_b__article__cluster"
    )
    if not with_audit:
        rows = rows.exclude(item__stratum=AUDIT)
    found: dict[str, TextPair] = {}
    for judgement in rows.order_by("item__pair__content_key", "item_id"):
        pair = judgement.item.pair
        key = pair.content_key.hex
        label = judgement.label == Label.PARAPHRASE
        known = found.get(key)
        found[key] = TextPair(
            pair.sentence_a.text,
            pair.sentence_b.text,
            label and (known is None or bool(known.label)),
            str(pair.cluster_id),
            (key, ""),
            judgement.item_id if known is None else known.line,
            "" if pair.other_cluster is None else str(pair.other_cluster.pk),
        )
    return list(found.values())


def read_imported(path: Path, filename: str, *, encoding: str = "utf-8") -> tuple[bytes, str]:
    """A file of labelled pairs as it is kept, and the file's name with its SHA-256.

    Raises PublicError for a file that cannot be read, a pair without a label, and too many pairs.
    """
    try:
        pairs = read_pairs(path, encoding=encoding)
    except FileProblem as error:
        raise PublicError(str(error).replace(str(path), filename), field="pairs") from error
    if len(pairs) > MOST_PAIRS:
        raise PublicError(f"{filename} has {len(pairs):,} pairs; {MOST_PAIRS:,} are the most.", field="pairs")
    without = next((pair for pair in pairs if pair.label is None), None)
    if without is not None:
        raise PublicError(
            f"{filename}, line {without.line}: has no label. Give a label, a sentence and a sentence, "
            "separated by tabs, or the layout of the Microsoft Research Paraphrase Corpus.",
            field="pairs",
        )
    lines = [
        json.dumps([pair.first, pair.second, pair.label, pair.cluster, *pair.keys, pair.line])
        for pair in pairs
    ]
    digest = sha256(path.read_bytes()).hexdigest()
    return zlib.compress("\n".join(lines).encode(), 6), f"{filename[:100]}, SHA-256 {digest}"


def pairs_of_import(stored: bytes) -> list[TextPair]:
    """What `read_imported` kept."""
    rows = (json.loads(line) for line in zlib.decompress(stored).decode().split("\n"))
    return [TextPair(row[0], row[1], row[2], row[3], (row[4], row[5]), row[6]) for row in rows]


def pairs_of(classifier: TrainedClassifier) -> list[TextPair]:
    """The labelled pairs that a classifier was, or is to be, trained on."""
    if classifier.gold_set is not None:
        return pairs_of_gold(classifier.gold_set, with_audit=classifier.parameters["with_audit"])
    return pairs_of_import(bytes(classifier.imported_pairs or b""))


def check_trainable(pairs: Iterable[TextPair], *, folds: int) -> None:
    """Raises PublicError when the pairs are too few, or all of one label, for cross-validation."""
    import numpy as np

    from paragold.classification.cross_validation import assign_folds, group_pairs

    pairs = list(pairs)
    paraphrases = sum(bool(pair.label) for pair in pairs)
    if paraphrases in (0, len(pairs)):
        kind = "paraphrases" if paraphrases else "other than paraphrases"
        raise PublicError(
            f"All {len(pairs)} pairs are {kind}: a classifier needs both. Judge more pairs, then freeze them."
        )
    labels = np.array([pair.label for pair in pairs], dtype=bool)
    try:
        assign_folds(group_pairs(pairs), labels, folds=folds)
    except ValueError as error:
        raise PublicError(f"{error} Judge pairs of more clusters, then freeze them.") from error


def association_of(
    lexicon: Lexicon | None, labelled: Sequence[TextPair]
) -> tuple[list[tuple[str, str]] | None, list[str]]:
    """The word pairs, best first, and notes on them; None without a lexicon.

    Where the lexicon's dataset holds pairs that are labelled as well, the lexicon is built again without
    them: one made of the pairs that cross-validation holds back would flatter its figures.
    """
    if lexicon is None:
        return None, []
    known = {frozenset((pair.first, pair.second)) for pair in labelled}
    both = sum(frozenset(texts) in known for texts in texts_of(lexicon.dataset))
    if not both:
        entries = lexicon.entries.order_by("rank").values_list("first", "second")
        return list(entries), []
    found = associate_dataset(lexicon.dataset, lexicon.parameters, without=known)
    note = (
        f"{both:,} labelled pairs are in the dataset of {lexicon} as well. It was built again without them: "
        f"{len(found):,} word pairs instead of {lexicon.size:,}."
    )
    return [(one.first, one.second) for one in found], [note]
