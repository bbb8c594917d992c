"""The word pairs of an association lexicon as a classifier may use them."""

from __future__ import annotations

from collections.abc import Sequence

from corpus.models import Lexicon
from corpus.services.lexicon_pairs import associate_dataset, texts_of
from paragold.sources.labelled_pairs import TextPair


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
