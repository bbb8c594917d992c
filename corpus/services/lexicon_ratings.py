"""What people say of a lexicon's word pairs, and the goodness score (Brockett and Dolan 2005, 3.4)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction

from corpus.models import Lexicon, LexiconEntry, LexiconRating
from paragold.classification.measures import share_interval

# The paper looks at the 1,500 best word pairs.
RANKS = 1_500
# With fewer rated pairs the interval is so wide that the score says nothing.
MIN_RATED = 30


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
    pairs whose raters agree; disagreed: those whose raters do not, which count nowhere; rated_by_two: those
    that at least two people have rated.
    """

    ranks: int
    pairs: int
    in_wordnet: int
    rated: int
    good: int
    disagreed: int
    rated_by_two: int

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

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of `score`: Wilson's of the share that is good; None without a rating."""
        if not self.rated:
            return None
        low, high = share_interval(self.good, self.rated)
        known = self.share_in_wordnet
        return known + (1 - known) * low, known + (1 - known) * high

    @property
    def enough(self) -> bool:
        """Whether so many pairs are rated that the score says something."""
        return self.rated >= MIN_RATED

    @property
    def agreement(self) -> float | None:
        """Of the pairs that two or more people have rated, the share on which all agree; 0 to 1."""
        return (self.rated_by_two - self.disagreed) / self.rated_by_two if self.rated_by_two else None

    @property
    def agreement_interval(self) -> tuple[float, float] | None:
        """Its 95 % interval (Wilson)."""
        if not self.rated_by_two:
            return None
        low, high = share_interval(self.rated_by_two - self.disagreed, self.rated_by_two)
        return low, high


def goodness(lexicon: Lexicon, *, ranks: int = RANKS) -> Goodness | None:
    """The goodness of a lexicon's best `ranks` word pairs; None where nobody knows what WordNet has."""
    entries = lexicon.entries.filter(rank__lte=ranks, trivial=False)
    known = dict(entries.values_list("pk", "in_wordnet"))
    if not known or None in known.values():
        return None
    votes: dict[int, list[bool]] = defaultdict(list)
    rest = [pk for pk, inside in known.items() if not inside]
    for entry, good in LexiconRating.objects.filter(entry__in=rest).values_list("entry_id", "good"):
        votes[entry].append(good)
    agreed = [answers for answers in votes.values() if len(set(answers)) == 1]
    return Goodness(
        ranks=min(ranks, lexicon.size),
        pairs=len(known),
        in_wordnet=len(known) - len(rest),
        rated=len(agreed),
        good=sum(True in answers for answers in agreed),
        disagreed=len(votes) - len(agreed),
        rated_by_two=sum(len(answers) > 1 for answers in votes.values()),
    )
