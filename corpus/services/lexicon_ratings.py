"""What people say of a lexicon's word pairs, and the goodness score (Brockett and Dolan 2005, 3.4)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction

from corpus.models import Lexicon, LexiconEntry, LexiconRating

# The paper looks at the 1,500 best word pairs.
RANKS = 1_500


@transaction.atomic
def rate_entry(*, entry: LexiconEntry, by: User, good: bool | None) -> None:
    """Store whether somebody calls a word pair good; None takes the rating back."""
    if good is None:
        LexiconRating.objects.filter(entry=entry, rater=by).delete()
    else:
        LexiconRating.objects.update_or_create(entry=entry, rater=by, defaults={"good": good})


@dataclass(frozen=True, slots=True)
class Goodness:
    """Of the best word pairs, trivial ones left out.

    pairs: how many they are; in_wordnet: of them; rated, good: of those that WordNet does not have, the
    pairs whose raters agree; disagreed: those whose raters do not, which count nowhere.
    """

    ranks: int
    pairs: int
    in_wordnet: int
    rated: int
    good: int
    disagreed: int

    @property
    def share_in_wordnet(self) -> float:
        return self.in_wordnet / self.pairs if self.pairs else 0.0

    @property
    def share_good(self) -> float | None:
        return self.good / self.rated if self.rated else None

    @property
    def score(self) -> float | None:
        """The share in WordNet, and of the rest the share that is good; 0 to 1, None without a rating."""
        if self.share_good is None:
            return None
        return self.share_in_wordnet + (1 - self.share_in_wordnet) * self.share_good


def goodness(lexicon: Lexicon, *, ranks: int = RANKS) -> Goodness | None:
    """The goodness of a lexicon's best `ranks` word pairs; None where nobody knows what WordNet has."""
    entries = lexicon.entries.filter(rank__lte=ranks, trivial=False)
    known = dict(entries.values_list("pk", "in_wordnet"))
    if not known or None in known.values():
        return None
    votes: dict[int, set[bool]] = defaultdict(set)
    rest = [pk for pk, inside in known.items() if not inside]
    for entry, good in LexiconRating.objects.filter(entry__in=rest).values_list("entry_id", "good"):
        votes[entry].add(good)
    agreed = [answers for answers in votes.values() if len(answers) == 1]
    return Goodness(
        ranks=min(ranks, lexicon.size),
        pairs=len(known),
        in_wordnet=len(known) - len(rest),
        rated=len(agreed),
        good=sum(True in answers for answers in agreed),
        disagreed=len(votes) - len(agreed),
    )
