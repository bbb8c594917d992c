"""Gold sub-clusters: JSON Lines, one cluster a line.

    {"cluster_id": "dam", "subclusters": [["a", "c"], ["b", "d", "e"]]}

The ids are those of articles, whose titles the headlines are. A headline of the cluster that is in no list
is alone.
"""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from paragold.formats.json_lines import Record, objects
from paragold.formats.text_files import read_text
from paragold.problems import FileProblem, located, quoted

Subclusters = list[list[str]]


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
            record = Record.of(value, "The line")
            cluster = record.text("cluster_id", filled=True)
            groups = record.groups("subclusters")
            record.finish()
            counted = Counter(key for group in groups for key in group)
            if twice := [key for key, count in counted.items() if count > 1]:
                raise record.error(f"the id {quoted(twice[0])} occurs twice.", "Leave it in one sub-cluster.")
            if cluster in subclusters:
                raise FileProblem(f"the cluster {quoted(cluster)} occurred before.", "Give each one line.")
            subclusters[cluster] = groups
    return subclusters


def read(path: Path) -> dict[str, Subclusters]:
    """Read a file; see `loads`."""
    with located(file=str(path)):
        return loads(read_text(path))
