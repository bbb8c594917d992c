"""What an articles file holds and what of it was left out: counts, and notes in plain words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

from paragold import limits
from paragold.sources.article_fields import ARTICLE_KEYS
from paragold.sources.records import ArticleRecord, ClusterRecord

CLUSTER_KEYS = frozenset(("cluster_id", "articles", "tokenised"))

_COUNTED = (
    *("lines", "clusters", "articles", "sentences", "tokens"),
    *("duplicate_articles", "empty_sentences", "empty_paragraphs", "empty_articles", "empty_clusters"),
    "one_article_clusters",
)
_UNKNOWN_KEYS_COUNTED = 50
_FURTHER_KEYS = "(any further key)"


class ArticleFindings:
    """Filled while a file is read; `told_line` names a line in the notes."""

    def __init__(self, told_line: Callable[[int], str]) -> None:
        self.counts = dict.fromkeys(_COUNTED, 0)
        self.notes: list[str] = []
        self._told_line = told_line
        self._with_empty_parts = 0
        self._unused_keys: Counter[tuple[str, str]] = Counter()

    def count(self, cluster: ClusterRecord) -> None:
        self.counts["clusters"] += 1
        self.counts["articles"] += len(cluster.articles)
        self.counts["one_article_clusters"] += len(cluster.articles) == 1
        for article in cluster.articles:
            self.counts["sentences"] += len(article.sentences)
            self.counts["tokens"] += sum([len(sentence.tokens) for sentence in article.sentences])
            if article.empty_sentences or article.empty_paragraphs:
                self._note_empty_parts(cluster.key, article)

    def note_duplicate(self, key: str, record: ArticleRecord, same: str) -> None:
        self.counts["duplicate_articles"] += 1
        if self.counts["duplicate_articles"] <= limits.NOTES_OF_A_KIND:
            self.notes.append(
                f'{self._told_line(record.line)}: the article "{record.key}" of the cluster "{key}" has the '
                f'same sentences as "{same}" and was left out.'
            )

    def _note_empty_parts(self, key: str, record: ArticleRecord) -> None:
        self.counts["empty_sentences"] += record.empty_sentences
        self.counts["empty_paragraphs"] += record.empty_paragraphs
        self._with_empty_parts += 1
        if self._with_empty_parts <= limits.NOTES_OF_A_KIND:
            parts = [("sentence", record.empty_sentences), ("paragraph", record.empty_paragraphs)]
            counted = [f"{count:,} empty {name}{'s' * (count > 1)}" for name, count in parts if count]
            self.notes.append(
                f"{self._told_line(record.line)}: left out {' and '.join(counted)} of the article "
                f'"{record.key}" of the cluster "{key}".'
            )

    def note_empty_cluster(self, key: str, line: int) -> None:
        """A cluster without an article that has sentences, on its first line."""
        self.counts["empty_clusters"] += 1
        if self.counts["empty_clusters"] <= limits.NOTES_OF_A_KIND:
            self.notes.append(
                f'{self._told_line(line)}: the cluster "{key}" has no article with sentences and was left '
                "out."
            )

    def note_empty(self, key: str, record: ArticleRecord) -> None:
        self.counts["empty_articles"] += 1
        if self.counts["empty_articles"] <= limits.NOTES_OF_A_KIND:
            self.notes.append(
                f'{self._told_line(record.line)}: the article "{record.key}" of the cluster "{key}" has no '
                "sentences and was left out."
            )

    def note_unused(self, value: dict[str, Any], known: frozenset[str], owner: str) -> None:
        for key in value.keys() - known:
            counted = (owner, key) in self._unused_keys or len(self._unused_keys) < _UNKNOWN_KEYS_COUNTED
            self._unused_keys[owner, key if counted else _FURTHER_KEYS] += 1

    def sum_up(self) -> None:
        """The notes that can only be written at the end."""
        more = self.counts["duplicate_articles"] - limits.NOTES_OF_A_KIND
        if more > 0:
            self.notes.append(f"{more:,} more articles repeat others of their clusters and were left out.")
        more = self.counts["empty_articles"] - limits.NOTES_OF_A_KIND
        if more > 0:
            self.notes.append(f"{more:,} more articles have no sentences and were left out.")
        more = self.counts["empty_clusters"] - limits.NOTES_OF_A_KIND
        if more > 0:
            self.notes.append(f"{more:,} more clusters have no article with sentences and were left out.")
        more = self._with_empty_parts - limits.NOTES_OF_A_KIND
        if more > 0:
            self.notes.append(f"Empty sentences or paragraphs of {more:,} more articles were left out.")
        for (owner, key), times in sorted(self._unused_keys.items()):
            known = ARTICLE_KEYS if owner == "articles" else CLUSTER_KEYS
            meant = get_close_matches(key, known, n=1)
            hint = f' Was "{meant[0]}" meant?' if meant else ""
            self.notes.append(f'The key "{key}" of {owner} is not used (found {times:,} times).{hint}')
        alone = self.counts["one_article_clusters"]
        if alone and alone == self.counts["clusters"]:
            self.notes.append("Every cluster of this file has one article only: no pairs can come of it.")
        elif alone:
            self.notes.append(f"{alone:,} clusters have one article only: no pairs can come of them.")
