"""A stream of dated articles as a source of clusters: each article is put into the cluster of its event."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Protocol

from paragold import limits
from paragold.events.clustering import EVENT_NAME, DatedArticle, Terms, find_events
from paragold.events.settings import EventSpec
from paragold.problems import FileProblem
from paragold.text.segmenters import RULES, Segmenter

from .articles import ArticleRecord, LimitedNotes, Place, RawArticle, Source, read_article

# The share of the work that is done when all articles are read, and when they are clustered.
_READ, _CLUSTERED = 0.6, 0.9


ExistingArticle = tuple[DatedArticle, str, str]
"""An article that is in a cluster already, that cluster's key, and the hash of the article's content."""


class ExistingEvents(Protocol):
    """The existing clusters, which never change."""

    def articles(self, first: date, last: date, terms: Terms) -> Iterable[ExistingArticle]:
        """The articles of these days, the last included."""

    def names(self) -> Iterable[str]:
        """The keys of all clusters."""


class EventClusters(Source):
    """The articles of a source with the clusters that `find_events` puts them into.

    Each article needs a date (unless the settings have no window of days) and an id of its own. A given
    `cluster_id` is ignored, and noted. An article that exists already keeps its cluster.
    `progress` is given the share that is done, 0 to 1, and may raise to stop.
    """

    def __init__(
        self,
        source: Source,
        settings: EventSpec,
        existing: ExistingEvents | None = None,
        progress: Callable[[float], None] = lambda share: None,
        segmenter: Segmenter = RULES,
        folder: Path | None = None,
    ) -> None:
        self.problems, self.notes = source.problems, source.notes
        self._source = source
        self._settings = settings
        self._existing = existing
        self._progress = progress
        self._segmenter = segmenter
        self._folder = folder
        self._terms = Terms(settings)
        # The hash and the place of each article.
        self._records: dict[str, tuple[str, Place]] = {}

    def __iter__(self) -> Iterator[RawArticle]:
        with TemporaryFile("w+", encoding="utf-8", newline="\n", dir=self._folder) as spool:
            articles = list(self._read(spool))
            if self.problems:
                return
            try:
                clusters = self._clusters(articles)
            except FileProblem as problem:
                self.problems.append(problem)
            if self.problems:
                del self.problems[limits.PROBLEMS :]
                return
            spool.seek(0)
            for number, (line, cluster) in enumerate(zip(spool, clusters, strict=True)):
                self._report(_CLUSTERED + (1 - _CLUSTERED) * number / len(clusters))
                place, value = json.loads(line)
                yield Place(*place), value | {"cluster_id": cluster}

    def _report(self, share: float) -> None:
        self.share = share
        self._progress(share)

    def _read(self, spool: IO[str]) -> Iterator[DatedArticle]:
        """Write every article to the spool; yield what it is compared by."""
        clusters_given = 0
        empty = LimitedNotes(self.notes, "{} more articles have no sentences and were left out.")
        for place, value in self._source:
            if len(self.problems) >= limits.PROBLEMS:
                return
            self._report(_READ * self._source.share)
            try:
                article = self._dated_article(place, value)
            except FileProblem as refusal:
                self.problems.append(refusal.at(place.line, file=place.file))
                continue
            if article is None:
                empty.add(f'{place}: the article "{value["id"]}" has no sentences and was left out.')
                continue
            clusters_given += "cluster_id" in value
            value.pop("cluster_id", None)
            spool.write(json.dumps([place, value]) + "\n")
            yield article
        empty.sum_up()
        if clusters_given:
            ignored = f"The clusters given for {clusters_given:,} articles were ignored"
            self.notes.append(f"{ignored}: articles are clustered by event.")

    def _dated_article(self, place: Place, value: dict[str, Any]) -> DatedArticle | None:
        record = read_article(value, place=place, segmenter=self._segmenter)
        if record.key in self._records:
            _, earlier = self._records[record.key]
            raise FileProblem(
                f'The id "{record.key}" was used before ({earlier.file or f"line {earlier.line}"}).',
                "Without given clusters each article needs an id of its own.",
            )
        day = day_of(record) if self._settings.window_days is not None else None
        if not record.sentences:
            return None
        self._records[record.key] = (record.content_sha256, place)
        return record.key, day, self._terms(record.title, (s.tokens for s in record.sentences))

    def _clusters(self, articles: list[DatedArticle]) -> list[str]:
        days = [day for _, day, _ in articles if day]
        existing: list[tuple[DatedArticle, str]] = []
        clusters: dict[str, str] = {}
        names: Iterable[str] = ()
        if self._existing and days:
            reach = self._settings.window_days or 0
            first, last = _moved(min(days), -reach), _moved(max(days), reach)
            for article, cluster, content in self._existing.articles(first, last, self._terms):
                existing.append((article, cluster))
                if self._is_repeated(article[0], cluster, content):
                    clusters[article[0]] = cluster
            names = self._existing.names()
        repeated = len(clusters)
        fresh = [article for article in articles if article[0] not in clusters]
        events = find_events(
            fresh,
            self._settings,
            existing,
            names,
            progress=lambda share: self._report(_READ + (_CLUSTERED - _READ) * share),
        )
        clusters |= dict(zip((key for key, *_ in fresh), events, strict=True))
        there = {cluster for _, cluster in existing}
        joining = [event for event in events if event in there]
        new, joined = len(set(events) - there), len(set(joining))
        self.notes.append(f"{len(events) - len(joining):,} articles make {new:,} new clusters.")
        if joining:
            self.notes.append(f"{len(joining):,} articles join {joined:,} clusters that are there already.")
        if repeated:
            self.notes.append(f"{repeated:,} articles are there already and keep their clusters.")
        return [clusters[key] for key, *_ in articles]

    def _is_repeated(self, key: str, cluster: str, stored: str) -> bool:
        """Whether an article is stored already; another text under its id is refused."""
        content, place = self._records.get(key, ("", None))
        if place is None:
            return False
        if content != stored and EVENT_NAME.fullmatch(cluster):
            message = f'The article "{key}" is stored with another text, in the cluster "{cluster}".'
            remedy = "Give the new text another id, or leave the article out."
            self.problems.append(FileProblem(message, remedy, line=place.line, file=place.file))
        return content == stored


def day_of(record: ArticleRecord) -> date:
    """The day an article was published, as it was written there. Raises FileProblem when it has none."""
    if not record.published:
        raise FileProblem(
            f'The article "{record.key}" has no date; clustering by event needs one.',
            'Give it "published", such as "2004-08-31".',
        )
    return date.fromisoformat(record.published[:10])


def _moved(day: date, days: int) -> date:
    first, last = date.min.toordinal(), date.max.toordinal()
    return date.min + timedelta(min(max(day.toordinal() + days, first), last) - first)
