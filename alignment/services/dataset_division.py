"""How the pairs of a dataset are dealt to splits, worked out from all of them before any is written."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from corpus.models import Dataset, Sentence
from paragold.formats.pairs.splits import Division, PairGroups, Splits

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
