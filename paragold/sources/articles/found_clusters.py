"""A stream of dated articles as a source of clusters: they are found, not given."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from tempfile import TemporaryFile
from typing import IO, Protocol

from paragold import limits
from paragold.events.clustering import EVENT_NAME, DatedArticle, EventError, Terms, find_events
from paragold.events.settings import EventSpec
from paragold.problems import FileProblem
from paragold.sources.article_fields import read_article
from paragold.sources.records import ArticleRecord

from .given import GivenArticle, LimitedNotes, Place, Source

_READ, _PARTED = 0.6, 0.9


@dataclass(frozen=True, slots=True)
class StandingArticle:
    """An article that is in a cluster already; `sentences` are their tokens."""

    key: str
    content_sha256: str
    cluster: str
    day: date
    title: str
    sentences: list[list[str]]


class Standing(Protocol):
    """The existing clusters, which never change."""

    def articles(self, first: date, last: date) -> Iterable[StandingArticle]:
        """The articles of these days, the last included."""

    def names(self) -> Iterable[str]:
        """The keys of all clusters."""


class FoundClusters(Source):
    """The articles of a source with the clusters that `find_events` puts them into.

    Each article needs a date (unless the settings have no window of days) and an id that no other has. A
    `cluster_id` that is given is passed over, and noted. An article that exists keeps its cluster.
    `progress` is given the share that is done, 0 to 1, and may raise to stop.
    """

    share = 0.0

    def __init__(
        self,
        source: Source,
        settings: EventSpec,
        standing: Standing | None = None,
        progress: Callable[[float], None] = lambda share: None,
    ) -> None:
        self.problems, self.notes = source.problems, source.notes
        self._source = source
        self._settings = settings
        self._standing = standing
        self._progress = progress
        self._terms = Terms(settings)
        self._records: dict[str, tuple[str, Place]] = {}
        self._with_cluster = 0
        self._empty = LimitedNotes(self.notes, "{} more articles have no sentences and were left out.")

    def __iter__(self) -> Iterator[GivenArticle]:
        with TemporaryFile("w+", encoding="utf-8", newline="\n") as spool:
            articles = list(self._read(spool))
            if self.problems:
                return
            try:
                clusters = self._clusters(articles)
            except EventError as error:
                self.problems.append(FileProblem(error.message, error.remedy))
                return
            if self.problems:
                del self.problems[limits.PROBLEMS :]
                return
            spool.seek(0)
            for number, (line, cluster) in enumerate(zip(spool, clusters, strict=True)):
                self._report(_PARTED + (1 - _PARTED) * number / len(clusters))
                file, at, value = json.loads(line)
                yield GivenArticle(Place(file, at), value | {"cluster_id": cluster})

    def _report(self, share: float) -> None:
        self.share = share
        self._progress(share)

    def _read(self, spool: IO[str]) -> Iterator[DatedArticle]:
        """Every article goes to the spool; what it is compared by is kept."""
        for given in self._source:
            if len(self.problems) >= limits.PROBLEMS:
                return
            self._report(_READ * self._source.share)
            try:
                article = self._dated_article(given)
            except FileProblem as refusal:
                place = given.place
                self.problems.append(refusal.at(place.line, file=place.file))
                continue
            if article is None:
                self._empty.add(
                    f'{given.place}: the article "{given.value["id"]}" has no sentences and was left out.'
                )
                continue
            self._with_cluster += "cluster_id" in given.value
            value = {name: part for name, part in given.value.items() if name != "cluster_id"}
            spool.write(json.dumps([given.place.file, given.place.line, value]) + "\n")
            yield article
        self._empty.sum_up()
        if self._with_cluster:
            self.notes.append(
                f"The clusters given for {self._with_cluster:,} articles were passed over: they are found."
            )

    def _dated_article(self, given: GivenArticle) -> DatedArticle | None:
        record = read_article(given.value, line=given.place.line, tokenised=False)
        if record.key in self._records:
            _, earlier = self._records[record.key]
            raise FileProblem(
                f'The id "{record.key}" was used before ({earlier.file or f"line {earlier.line}"}).',
                "Without given clusters each article needs an id of its own.",
            )
        day = day_of(record) if self._settings.window_days is not None else None
        if not record.sentences:
            return None
        self._records[record.key] = (record.content_sha256, given.place)
        return DatedArticle(record.key, day, self._terms(record.title, (s.tokens for s in record.sentences)))

    def _clusters(self, articles: list[DatedArticle]) -> list[str]:
        days = [article.day for article in articles if article.day]
        standing: list[tuple[DatedArticle, str]] = []
        there: dict[str, str] = {}
        names: Iterable[str] = ()
        if self._standing and days:
            reach = self._settings.window_days or 0
            for article in self._standing.articles(_moved(min(days), -reach), _moved(max(days), reach)):
                terms = self._terms(article.title, article.sentences)
                standing.append((DatedArticle(article.key, article.day, terms), article.cluster))
                self._compare(article, there)
            names = self._standing.names()
        fresh = [article for article in articles if article.key not in there]
        found = find_events(
            fresh,
            self._settings,
            standing,
            names,
            progress=lambda share: self._report(_READ + (_PARTED - _READ) * share),
        )
        clusters = there | dict(zip((article.key for article in fresh), found, strict=True))
        self._sum_up(found, {cluster for _, cluster in standing}, len(there))
        return [clusters[article.key] for article in articles]

    def _compare(self, article: StandingArticle, there: dict[str, str]) -> None:
        """What comes again keeps its cluster; another text under an id of a found cluster is refused."""
        content, place = self._records.get(article.key, ("", None))
        if place is None:
            return
        if content == article.content_sha256:
            there[article.key] = article.cluster
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

    def _sum_up(self, found: list[str], standing: set[str], repeated: int) -> None:
        joining = [cluster for cluster in found if cluster in standing]
        fresh = len(set(found) - standing)
        self.notes.append(f"{len(found) - len(joining):,} articles make {fresh:,} new clusters.")
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
            f'The article "{record.key}" has no date, which finding the clusters needs.',
            'Give it "published", such as "2004-08-31".',
        )
    return date.fromisoformat(record.published[:10])


def _moved(day: date, days: int) -> date:
    first, last = date.min.toordinal(), date.max.toordinal()
    return date.min + timedelta(min(max(day.toordinal() + days, first), last) - first)
