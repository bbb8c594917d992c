"""A stream of dated articles as a source of clusters: each article is put into the cluster of its event."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from tempfile import TemporaryFile
from typing import IO, Protocol

from paragold import limits
from paragold.events.clustering import EVENT_NAME, DatedArticle, Terms, find_events
from paragold.events.settings import EventSpec
from paragold.problems import FileProblem
from paragold.text.segmenters import RULES, Segmenter

from .articles import ArticleRecord, LimitedNotes, Place, RawArticle, Source, read_article

# The share of the work that is done when all articles are read, and when they are clustered.
_READ, _CLUSTERED = 0.6, 0.9


@dataclass(frozen=True, slots=True)
class ExistingArticle:
    """An article that is in a cluster already; `sentences` are their tokens."""

    key: str
    content_sha256: str
    cluster: str
    day: date
    title: str
    sentences: list[list[str]]


class ExistingEvents(Protocol):
    """The existing clusters, which never change."""

    def articles(self, first: date, last: date) -> Iterable[ExistingArticle]:
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
    ) -> None:
        self.problems, self.notes = source.problems, source.notes
        self._source = source
        self._settings = settings
        self._existing = existing
        self._progress = progress
        self._segmenter = segmenter
        self._terms = Terms(settings)
        self._records: dict[str, tuple[str, Place]] = {}
        self._with_cluster = 0
        self._empty = LimitedNotes(self.notes, "{} more articles have no sentences and were left out.")

    def __iter__(self) -> Iterator[RawArticle]:
        with TemporaryFile("w+", encoding="utf-8", newline="\n") as spool:
            articles = list(self._read(spool))
            if self.problems:
                return
            try:
                clusters = self._clusters(articles)
            except FileProblem as problem:
                self.problems.append(problem)
                return
            if self.problems:
                del self.problems[limits.PROBLEMS :]
                return
            spool.seek(0)
            for number, (line, cluster) in enumerate(zip(spool, clusters, strict=True)):
                self._report(_CLUSTERED + (1 - _CLUSTERED) * number / len(clusters))
                file, at, value = json.loads(line)
                yield RawArticle(Place(file, at), value | {"cluster_id": cluster})

    def _report(self, share: float) -> None:
        self.share = share
        self._progress(share)

    def _read(self, spool: IO[str]) -> Iterator[DatedArticle]:
        """Write every article to the spool; yield what it is compared by."""
        for raw in self._source:
            if len(self.problems) >= limits.PROBLEMS:
                return
            self._report(_READ * self._source.share)
            place, value = raw.place, raw.value
            try:
                article = self._dated_article(raw)
            except FileProblem as refusal:
                self.problems.append(refusal.at(place.line, file=place.file))
                continue
            if article is None:
                self._empty.add(f'{place}: the article "{value["id"]}" has no sentences and was left out.')
                continue
            self._with_cluster += "cluster_id" in value
            value = {name: part for name, part in value.items() if name != "cluster_id"}
            spool.write(json.dumps([place.file, place.line, value]) + "\n")
            yield article
        self._empty.sum_up()
        if self._with_cluster:
            self.notes.append(
                f"The clusters given for {self._with_cluster:,} articles were ignored: "
                "articles are clustered by event."
            )

    def _dated_article(self, raw: RawArticle) -> DatedArticle | None:
        record = read_article(raw.value, line=raw.place.line, tokenised=False, segmenter=self._segmenter)
        if record.key in self._records:
            _, earlier = self._records[record.key]
            raise FileProblem(
                f'The id "{record.key}" was used before ({earlier.file or f"line {earlier.line}"}).',
                "Without given clusters each article needs an id of its own.",
            )
        day = day_of(record) if self._settings.window_days is not None else None
        if not record.sentences:
            return None
        self._records[record.key] = (record.content_sha256, raw.place)
        return DatedArticle(record.key, day, self._terms(record.title, (s.tokens for s in record.sentences)))

    def _clusters(self, articles: list[DatedArticle]) -> list[str]:
        days = [article.day for article in articles if article.day]
        existing: list[tuple[DatedArticle, str]] = []
        cluster_of_known: dict[str, str] = {}
        names: Iterable[str] = ()
        if self._existing and days:
            reach = self._settings.window_days or 0
            for article in self._existing.articles(_moved(min(days), -reach), _moved(max(days), reach)):
                terms = self._terms(article.title, article.sentences)
                existing.append((DatedArticle(article.key, article.day, terms), article.cluster))
                self._compare(article, cluster_of_known)
            names = self._existing.names()
        fresh = [article for article in articles if article.key not in cluster_of_known]
        events = find_events(
            fresh,
            self._settings,
            existing,
            names,
            progress=lambda share: self._report(_READ + (_CLUSTERED - _READ) * share),
        )
        clusters = cluster_of_known | dict(zip((article.key for article in fresh), events, strict=True))
        self._sum_up(events, {cluster for _, cluster in existing}, len(cluster_of_known))
        return [clusters[article.key] for article in articles]

    def _compare(self, article: ExistingArticle, cluster_of_known: dict[str, str]) -> None:
        """Note the cluster of an article that is stored already; refuse another text under its id."""
        content, place = self._records.get(article.key, ("", None))
        if place is None:
            return
        if content == article.content_sha256:
            cluster_of_known[article.key] = article.cluster
        elif EVENT_NAME.fullmatch(article.cluster):
            self.problems.append(
                FileProblem(
                    f'The article "{article.key}" is stored with another text, in the cluster '
                    f'"{article.cluster}".',
                    "Give the new text another id, or leave the article out.",
                    line=place.line,
                    file=place.file,
                )
            )

    def _sum_up(self, events: list[str], existing: set[str], repeated: int) -> None:
        joining = [event for event in events if event in existing]
        fresh = len(set(events) - existing)
        self.notes.append(f"{len(events) - len(joining):,} articles make {fresh:,} new clusters.")
        if joining:
            self.notes.append(
                f"{len(joining):,} articles join {len(set(joining)):,} clusters that are there already."
            )
        if repeated:
            self.notes.append(f"{repeated:,} articles are there already and keep their clusters.")


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
