"""The step `events`: a stream of dated articles, clustered by event, a range of days for each task.

The articles of a day are put together by average linkage, which takes most of the time, in one task for each
range of days; one task then goes through the days and joins their groups to events, with only the articles of
the window in memory. The events are those of `cluster-articles` (paragold.events.clustering).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from paragold.events.settings import EventSpec
from paragold.formats.json_lines import parse_object
from paragold.formats.text_files import RawLine
from paragold.problems import FileProblem, located
from paragold.shards.commits import part_name, place, record
from paragold.shards.plan import Plan
from paragold.shards.steps.step import Stage, Step, batched
from paragold.shards.steps.tokenise import ARTICLES, parsed_lines, tokenised
from paragold.sources.article_fields import read_article
from paragold.sources.articles_jsonl import articles_of

if TYPE_CHECKING:
    from paragold.events.clustering import DatedArticle

_TERMS = pa.schema(
    [
        ("row", pa.int64()),
        ("key", pa.string()),
        ("terms", pa.list_(pa.string())),
        ("counts", pa.list_(pa.float64())),
    ]
)
_ROWS_AT_ONCE = 1_000


class Placed(NamedTuple):
    """An article and where it is: the part, and its number among those of the part with sentences."""

    article: DatedArticle
    part: int
    row: int


class Events(Step):
    """The articles, an article a row, with the event of each as its `cluster_id`."""

    id, label = "events", "cluster a stream of articles by event"
    reads = gives = "articles"
    parameters = EventSpec

    def stages(self, plan: Plan) -> dict[str, Stage]:
        parts = len(plan.reads)
        return {
            "terms": Stage("count the words of articles", _count_terms, parts),
            "groups": Stage("group the articles of each day", _group, plan.shards, ("terms",)),
            "join": Stage("join the groups to events", _join, 1, ("terms", "groups")),
            "write": Stage("write parts", _write, parts, ("join",)),
        }

    def counts(self, folder: Path, plan: Plan, files: Mapping[str, Any]) -> dict[str, int]:
        counts = record(folder, "join", 0)
        return {name: counts[name] for name in ("articles", "clusters")}


def _settings(plan: Plan) -> EventSpec:
    return EventSpec.from_json(plan.settings)


def _count_terms(plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write the articles of a part by day: their weighted terms."""
    # Here and not above, as below: SciPy takes 30 MB, which no other step needs.
    from paragold.events.clustering import Terms
    from paragold.sources.articles.event_clusters import day_of

    settings = _settings(plan)
    terms = Terms(settings)

    def parse(line: RawLine) -> list[tuple[int, str, Mapping[str, float]]]:
        dated: list[tuple[int, str, Mapping[str, float]]] = []
        for value in articles_of(parse_object(line.decode("utf-8"))):
            article = read_article(value, line=line.number, tokenised=False)
            day = day_of(article).toordinal() if settings.window_days is not None else 0
            if article.sentences:
                counts = terms(article.title, (sentence.tokens for sentence in article.sentences))
                dated.append((day, article.key, counts))
        return dated

    articles = [article for line in parsed_lines(plan, number, parse) for article in line]
    days = np.array([day for day, _, _ in articles], np.int64)
    order = np.argsort(days, kind="stable")
    np.save(inside / "days.npy", days[order])
    rows = [
        {
            "row": row,
            "key": articles[row][1],
            "terms": list(articles[row][2]),
            "counts": list(articles[row][2].values()),
        }
        for row in order.tolist()
    ]
    with pa.ipc.new_file(inside / "terms.arrow", _TERMS) as file:
        file.write_table(pa.Table.from_pylist(rows, schema=_TERMS).combine_chunks())
    return {"articles": len(articles)}


def _days(plan: Plan, folder: Path) -> list[int]:
    """The days that have articles; 0 is that of articles without a window of days."""
    parts = [np.load(place(folder, "terms", part) / "days.npy") for part in range(len(plan.reads))]
    days: list[int] = np.unique(np.concatenate(parts)).tolist()
    return days


def _articles_of(plan: Plan, folder: Path, day: int) -> list[Placed]:
    """The articles of a day in the order of their keys."""
    from paragold.events.clustering import DatedArticle

    placed = []
    for part in range(len(plan.reads)):
        own = place(folder, "terms", part)
        begin, end = np.searchsorted(np.load(own / "days.npy", mmap_mode="r"), [day, day + 1])
        if begin < end:
            with pa.memory_map(str(own / "terms.arrow")) as file:
                rows = pa.ipc.open_file(file).get_batch(0).slice(begin, end - begin).to_pylist()
            for row in rows:
                counts = dict(zip(row["terms"], row["counts"], strict=True))
                placed.append(Placed(DatedArticle(row["key"], _date(day), counts), part, row["row"]))
    return sorted(placed, key=lambda one: one.article.key)


def _date(day: int) -> date | None:
    return date.fromordinal(day) if day else None


def _group(plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write the groups of the articles of each day of a range."""
    from paragold.events.clustering import groups_of_day

    settings, days = _settings(plan), _days(plan, folder)
    own = days[len(days) * number // plan.shards : len(days) * (number + 1) // plan.shards]
    window = settings.window_days or 0
    held: dict[int, list[DatedArticle]] = {}
    for day in own:
        known = {other: held[other] for other in held if other >= day - window}
        held = {}
        for other in (one for one in days if day - window <= one <= day):
            held[other] = known.get(other) or [one.article for one in _articles_of(plan, folder, other)]
        near = [article for other, articles in held.items() if other != day for article in articles]
        with located(file=str(_date(day) or "")):
            np.save(inside / f"day-{day}.npy", groups_of_day(held[day], near, settings))
    return {"days": own}


def _join(plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write the event of each article, by part. Raises FileProblem for an id that occurs twice."""
    from paragold.events.clustering import EventStream

    settings = _settings(plan)
    stream = EventStream(settings)
    events = [
        np.empty(record(folder, "terms", part)["articles"], dtype=object) for part in range(len(plan.reads))
    ]
    ids: set[str] = set()
    clusters: set[str] = set()
    for shard in range(plan.shards):
        for day in record(folder, "groups", shard)["days"]:
            placed, on = _articles_of(plan, folder, day), _date(day)
            for one in placed:
                if one.article.key in ids:
                    raise FileProblem(
                        f'The id "{one.article.key}" is used twice.',
                        "Without given clusters each article needs an id of its own.",
                    )
                ids.add(one.article.key)
            groups = np.load(place(folder, "groups", shard) / f"day-{day}.npy")
            for one, event in zip(
                placed, stream.events_of(on, [one.article for one in placed], groups), strict=True
            ):
                events[one.part][one.row] = event
                clusters.add(event)
            if on is not None and settings.window_days is not None:
                stream.forget_before(on - timedelta(min(settings.window_days, day - 1)))
    for part, names in enumerate(events):
        pq.write_table(pa.table({"event": pa.array(names, pa.string())}), inside / f"events-{part}.parquet")
    return {"articles": len(ids), "clusters": len(clusters)}


def _write(plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write the articles of a part with their events."""
    events = pq.read_table(place(folder, "join", 0) / f"events-{number}.parquet")["event"].to_pylist()

    def parse(line: RawLine) -> list[dict[str, Any]]:
        return [tokenised(one) for one in articles_of(parse_object(line.decode("utf-8")))]

    articles = (one for line in parsed_lines(plan, number, parse) for one in line if one["sentences"])
    named = ({"cluster_id": event, **one} for event, one in zip(events, articles, strict=True))
    with pq.ParquetWriter(inside / part_name(number), ARTICLES, compression="zstd") as writer:
        for rows in batched(named, _ROWS_AT_ONCE):
            writer.write_table(pa.Table.from_pylist(rows, schema=ARTICLES))
    return {"articles": len(events)}
