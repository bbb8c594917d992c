"""The pairs of a dataset: dealt to splits, written as parts of files, and the parts as one archive."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from corpus.models import Dataset, Sentence
from paragold.formats import manifest
from paragold.formats.pairs.archives import JoinedArchive
from paragold.formats.pairs.card import data_card
from paragold.formats.pairs.files import PairFiles, PairRow
from paragold.formats.pairs.splits import SPLITS, Division, PairGroups, Splits
from projects.errors import PublicError

from .export_cards import dataset_card

FILE = "division.json"
IDS_AT_ONCE = 5_000


def divide_dataset(dataset: Dataset, splits: Splits, report: Callable[[], None]) -> Division:
    """Each sentence is read once, however many pairs it is in. `report` is called often and may raise."""
    groups = PairGroups()
    cluster_of: dict[int, str] = {}
    ids = dataset.pair_ids()
    for start in range(ids.start, ids.stop, IDS_AT_ONCE):
        some = range(start, min(start + IDS_AT_ONCE, ids.stop))
        pairs = list(dataset.pairs_among(some).values_list("cluster__key", "sentence_a_id", "sentence_b_id"))
        new = {sentence for _, *both in pairs for sentence in both} - cluster_of.keys()
        for pk, cluster, tokens in _sentences(list(new)):
            cluster_of[pk] = cluster
            groups.add_sentence(cluster, tokens)
        for cluster, _, second in pairs:
            groups.add_pair(cluster, cluster_of[second])
        report()
    return groups.divide(splits)


def _sentences(ids: Sequence[int]) -> list[tuple[int, str, str]]:
    rows = Sentence.objects.filter(pk__in=ids).order_by()
    return list(rows.values_list("pk", "article__cluster__key", "tokens"))


def write_division(division: Division, folder: Path) -> None:
    (folder / FILE).write_text(json.dumps(division.as_json()), encoding="utf-8")


def read_division(folder: Path) -> Division:
    return Division(**json.loads((folder / FILE).read_text(encoding="utf-8")))


COUNTED = "counted.json"
GONE = "Parts of this export are gone from the disk. Ask for the export again."
Row = tuple[PairRow, str, tuple[int, int]]
"""A pair, the key of the cluster of its second sentence (mostly that of the first), and its articles' ids."""

_NUMBERS = ("edit_distance", "length_a", "length_b", "shared_words")
_FIELDS = ("cluster__key", "sentence_a_id", "sentence_b_id", *_NUMBERS)
_SENTENCE = ("article__cluster__key", "article__key", "number", "text", "tokens", "article_id")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the files of a dataset's pairs are to be like."""

    formats: list[str]
    splits: Splits | None
    licence: str
    limits: str

    @property
    def stems(self) -> tuple[str, ...]:
        return SPLITS if self.splits else ("pairs",)


@dataclass(slots=True)
class Counted:
    """Pairs and clusters' keys by split ("pairs" without splits), and the ids of their articles."""

    pairs: dict[str, int] = field(default_factory=dict)
    clusters: dict[str, set[str]] = field(default_factory=dict)
    articles: set[int] = field(default_factory=set)

    def add(self, other: Counted) -> None:
        for name, pairs in other.pairs.items():
            self.pairs[name] = self.pairs.get(name, 0) + pairs
            self.clusters.setdefault(name, set()).update(other.clusters[name])
        self.articles |= other.articles

    @property
    def counts(self) -> dict[str, int]:
        return {"pairs": sum(self.pairs.values())}

    def write(self, path: Path) -> None:
        clusters = {name: sorted(keys) for name, keys in self.clusters.items()}
        path.write_text(json.dumps([self.pairs, clusters, sorted(self.articles)]), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Counted:
        pairs, clusters, articles = json.loads(path.read_text(encoding="utf-8"))
        return cls(pairs, {name: set(keys) for name, keys in clusters.items()}, set(articles))


def write_part(
    dataset: Dataset,
    ids: range,
    folder: Path,
    wanted: Wanted,
    division: Division | None,
    *,
    first: bool,
    tell: Callable[[int], None],
) -> Counted:
    """Write the pairs with these ids into a folder, with `COUNTED` beside the files.

    `first` is for the part whose files begin with headers. `tell` is told how many pairs are written, many
    times, and may raise to stop.
    """
    counted = Counted(dict.fromkeys(wanted.stems, 0), {name: set() for name in wanted.stems})
    done = 0
    with ExitStack() as stack:
        files = {
            name: stack.enter_context(PairFiles(folder, name, wanted.formats, first=first))
            for name in wanted.stems
        }
        for rows in _batches(dataset, ids):
            for name, part in _by_split(rows, division).items():
                files[name].add([row for row, *_ in part])
                counted.articles.update(article for *_, both in part for article in both)
                counted.clusters[name].update(
                    cluster for row, other, _ in part for cluster in (row.cluster, other)
                )
            done += len(rows)
            tell(done)
        counted.pairs = {name: file.rows for name, file in files.items()}
    counted.write(folder / COUNTED)
    return counted


def _by_split(rows: list[Row], division: Division | None) -> dict[str, list[Row]]:
    """The rows by the name of the file that they belong to. Both clusters of a pair are in one split."""
    if division is None:
        return {"pairs": rows}
    parts: dict[str, list[Row]] = {}
    for row in rows:
        parts.setdefault(division.split_of[row[0].cluster], []).append(row)
    return parts


def _batches(dataset: Dataset, ids: range) -> Iterator[list[Row]]:
    """The pairs in the order of their ids, some thousands at once.

    Each batch is read to its end: on SQLite no query may be open while progress is written. Sentences are in
    several pairs each, and looked up by their ids: PostgreSQL would read all of them to join some thousands.
    """
    for start in range(ids.start, ids.stop, IDS_AT_ONCE):
        some = range(start, min(start + IDS_AT_ONCE, ids.stop))
        pairs = list(dataset.pairs_among(some).order_by("pk").values_list(*_FIELDS))
        wanted = {sentence for _, a, b, *_ in pairs for sentence in (a, b)}
        found = Sentence.objects.filter(pk__in=wanted).order_by().values_list("pk", *_SENTENCE)
        sentences = {pk: fields for pk, *fields in found}
        if pairs:
            yield [_row(cluster, sentences[a], sentences[b], numbers) for cluster, a, b, *numbers in pairs]


def _row(cluster: str, a: Sequence[Any], b: Sequence[Any], numbers: Sequence[int]) -> Row:
    """`a` and `b` as _SENTENCE has it, `numbers` as _NUMBERS."""
    _, article_a, number_a, text_a, tokens_a, first = a
    other, article_b, number_b, text_b, tokens_b, second = b
    key = f"{cluster}/{article_a}#{number_a}|{other}/{article_b}#{number_b}"
    article_b = article_b if other == cluster else f"{other}/{article_b}"
    places = (article_a, number_a, article_b, number_b)
    return (
        PairRow._make((key, cluster, *places, *numbers, text_a, text_b, tokens_a, tokens_b)),
        other,
        (first, second),
    )


def pack_parts(
    dataset: Dataset,
    parts: list[Path],
    archive: Path,
    wanted: Wanted,
    division: Division | None,
    tell: Callable[[], None],
) -> manifest.Manifest:
    """Put the parts together in a new archive, with data card and manifest; returns the manifest.

    Raises PublicError when a part is gone.
    """
    counted = Counted()
    for part in parts:
        if not (part / COUNTED).is_file():
            raise PublicError(GONE)
        counted.add(Counted.read(part / COUNTED))
    found = sorted(path.name for path in parts[0].iterdir() if path.name != COUNTED)
    names = {
        f"{name.removesuffix('.arrow')}.parquet" if name.endswith(".arrow") else name: name for name in found
    }
    clusters = {name: len(keys) for name, keys in counted.clusters.items()}
    divided = division.described(wanted.splits, counted.pairs, clusters) if division and wanted.splits else {}
    card = dataset_card(
        dataset,
        formats=wanted.formats,
        pairs=counted.pairs,
        articles=counted.articles,
        written=sorted(names),
        divided=divided,
        licence=wanted.licence,
        limits=wanted.limits,
    )
    with JoinedArchive(archive, tell) as packed:
        packed.add_text("README.md", data_card(card))
        for name, part_name in sorted(names.items()):
            packed.add(name, [part / part_name for part in parts])
        splits = wanted.splits
        description = manifest.build_manifest(
            packed.files,
            counts=counted.counts,
            signatures={"dataset": dataset.signature},
            details={
                "dataset": dataset.name,
                "splits": asdict(splits) if splits else None,
                "licence": wanted.licence,
            }
            | divided,
        )
        packed.add_text("manifest.json", manifest.dumps(description))
    return description
