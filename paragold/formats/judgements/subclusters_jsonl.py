"""Gold sub-clusters: JSON Lines, one cluster a line.

    {"cluster_id": "dam", "subclusters": [["a", "c"], ["b", "d", "e"]]}

The ids are those of articles, whose titles the headlines are. A headline of the cluster that is in no list
is alone.
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from paragold.formats.json_lines import Id, no_other_fields, objects, read_as
from paragold.formats.text_files import read_text
from paragold.problems import FileProblem, located, quoted

Subclusters = list[list[str]]


@no_other_fields
@dataclass(frozen=True, slots=True)
class _Line:
    cluster_id: Id
    subclusters: list[Annotated[list[Id], Field(min_length=1)]]


def dumps(clusters: Iterable[tuple[str, Subclusters]]) -> str:
    """The file's text of clusters with their sub-clusters, in their order."""
    return "".join(
        json.dumps({"cluster_id": cluster, "subclusters": groups}, ensure_ascii=False) + "\n"
        for cluster, groups in clusters
    )


def loads(text: str) -> dict[str, Subclusters]:
    """The sub-clusters by cluster, in the file's order.

    Raises FileProblem for a line that is not of this format, a cluster given twice, and an id that is
    in two sub-clusters of a cluster.
    """
    subclusters: dict[str, Subclusters] = {}
    for line, value in objects(text):
        with located(line):
            record = read_as(_Line, value)
            cluster = record.cluster_id
            counted = Counter(key for group in record.subclusters for key in group)
            if twice := [key for key, count in counted.items() if count > 1]:
                raise FileProblem(f"the id {quoted(twice[0])} occurs twice.", "Leave it in one sub-cluster.")
            if cluster in subclusters:
                raise FileProblem(f"the cluster {quoted(cluster)} occurred before.", "Give each one line.")
            subclusters[cluster] = record.subclusters
    return subclusters


def read(path: Path) -> dict[str, Subclusters]:
    """Read a file; see `loads`."""
    with located(file=str(path)):
        return loads(read_text(path))
