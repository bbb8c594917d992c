"""What gold files hold, counted as their rows are written: the one source of what card and manifest count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from paragold.formats.judgements.gold_jsonl import GoldPair

from .approved import PairLinks


@dataclass(slots=True)
class Counted:
    """`pairs`: one that is judged and linked is one. `articles` are (cluster, article), by their keys.

    `labels` are gold labels, `label_votes` and `link_votes` pairs by annotator, `origins` annotators' links
    by origin; `disputed` pairs had annotators who differ.
    """

    pairs: int = 0
    clusters: set[str] = field(default_factory=set)
    articles: set[tuple[str, str]] = field(default_factory=set)
    linked_keys: set[str] = field(default_factory=set)
    judged: int = 0
    disputed: int = 0
    adjudicated: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    label_votes: Counter[str] = field(default_factory=Counter)
    linked: int = 0
    sure: int = 0
    possible_only: int = 0
    link_votes: Counter[str] = field(default_factory=Counter)
    origins: Counter[str] = field(default_factory=Counter)

    def add_judged(self, pairs: Sequence[GoldPair]) -> None:
        """After linked ones."""
        self._add(pair.key for pair in pairs)
        for pair in pairs:
            self.judged += 1
            self.disputed += len({one.label for one in pair.judgements if one.label is not None}) > 1
            self.adjudicated += pair.adjudication is not None
            self.labels[pair.label] += 1
            self.label_votes.update(one.annotator for one in pair.judgements if one.label is not None)

    def add_linked(self, pairs: Sequence[PairLinks]) -> None:
        keys = [one.pair.key for one in pairs]
        self._add(keys)
        self.linked_keys.update(keys)
        for one in pairs:
            self.linked += 1
            self.sure += len(one.pair.links.sure)
            self.possible_only += len(one.pair.links.possible_only)
            self.link_votes.update(one.annotators)
            self.origins.update(link[3] for links in one.versions for link in links if len(link) > 3)

    def _add(self, keys: Iterable[str]) -> None:
        for key in keys:
            self.pairs += key not in self.linked_keys
            for sentence in key.split("|"):
                cluster, _, place = sentence.partition("/")
                self.clusters.add(unquote(cluster))
                self.articles.add((unquote(cluster), unquote(place.rpartition("#")[0])))

    def merge(self, other: Counted) -> None:
        """Add what other files hold; no pair is in both."""
        for name in self.__slots__:
            mine, theirs = getattr(self, name), getattr(other, name)
            setattr(self, name, mine | theirs if isinstance(mine, set) else mine + theirs)

    def as_counts(self) -> dict[str, int]:
        """For the manifest."""
        counts = {"pairs": self.pairs, "clusters": len(self.clusters), "articles": len(self.articles)}
        if self.judged:
            counts |= {
                "judgements.pairs": self.judged,
                "judgements.disputed": self.disputed,
                "judgements.adjudicated": self.adjudicated,
                **{f"judgements.{label}": count for label, count in sorted(self.labels.items())},
            }
        if self.linked:
            counts |= {
                "links.pairs": self.linked,
                "links.sure": self.sure,
                "links.possible_only": self.possible_only,
            }
        return counts
