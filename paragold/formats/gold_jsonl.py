"""Gold as JSON Lines: pairs with everything that was said about them, and sub-clusters of headlines.

Texts of pairs are as they were imported, line breaks included; annotators appear as pseudonyms.
`docs/formats/pairs.md` describes every field. A line of sub-clusters is a cluster,

    {"cluster_id": "dam", "subclusters": [["a", "c"], ["b", "d", "e"]]}

whose ids are those of articles, whose titles the headlines are. A headline of the cluster that is in no list
is alone.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field, with_config

from paragold.formats.json_lines import (
    CORRECT,
    Filled,
    Flag,
    Id,
    Index,
    Name,
    field_of,
    no_other_fields,
    objects,
    read_as,
)
from paragold.formats.text_files import numbered, read_text
from paragold.problems import FileProblem, located, quoted


@no_other_fields
@dataclass(frozen=True, slots=True)
class GoldSentence:
    """One sentence: the key of its article, its index there from 0, its text and its frozen tokens.

    `starts` are offsets in code points: `text[start:start + len(token)] == token`.
    """

    article: Name
    sentence: Index
    text: str
    tokens: tuple[str, ...]
    starts: tuple[Index, ...]


def _check_places(sentence: GoldSentence) -> GoldSentence:
    """Raises FileProblem for tokens that are not in the text where they should be."""
    if len(sentence.tokens) != len(sentence.starts):
        raise FileProblem("tokens and starts are not equally many.", "Give one start for each token.")
    for token, start in zip(sentence.tokens, sentence.starts, strict=True):
        if not token or not sentence.text.startswith(token, start):
            raise FileProblem(
                f"token {quoted(token)} is not at character {start} of the text.",
                "Count starts in code points from 0.",
            )
    return sentence


_Placed = Annotated[GoldSentence, AfterValidator(_check_places)]


@no_other_fields
@dataclass(frozen=True, slots=True)
class GoldJudgement:
    """The answer of one annotator, under a pseudonym; `label` is None when the pair was skipped.

    `time` is an ISO 8601 date and time with its offset from UTC.
    """

    annotator: Filled
    label: Filled | None
    time: Filled
    comment: str
    flagged: Flag
    skipped: Flag


@no_other_fields
@dataclass(frozen=True, slots=True)
class Adjudication:
    """The answer that settled a disagreement, by whom (a pseudonym), when and why."""

    adjudicator: Filled
    label: Filled
    time: Filled
    comment: str


# By its name the key comes back from the process that parses uploads, as `id` from files.
@with_config(ConfigDict(extra="forbid", validate_by_name=True, validate_by_alias=True))
@dataclass(frozen=True, slots=True)
class GoldPair:
    """One pair of a gold set: its gold label and every judgement it rests on."""

    key: Annotated[Id, Field(alias="id")]
    cluster: Name
    label: Filled
    a: _Placed
    b: _Placed
    judgements: tuple[GoldJudgement, ...]
    adjudication: Adjudication | None


def dumps(pairs: Iterable[GoldPair]) -> str:
    """The file's text, a line for each pair, letters outside ASCII as they are."""
    return "".join(json.dumps(_fields(pair), ensure_ascii=False) + "\n" for pair in pairs)


def _fields(pair: GoldPair) -> Mapping[str, object]:
    fields = asdict(pair)
    return {"id": fields.pop("key"), **fields}


def gold_pair(value: Mapping[str, object]) -> GoldPair:
    """The pair of the object of a line.

    Raises FileProblem for one that is not such an object, an unknown field, and tokens that are not in the
    text where they should be.
    """
    if "key" in value:
        raise FileProblem("the line: key is not a field of this format.", "Remove or rename it.")
    return read_as(GoldPair, value)


Subclusters = list[list[str]]
_GROUPS = list[Annotated[list[Id], Field(min_length=1)]]


def subclusters_text(clusters: Iterable[tuple[str, Subclusters]]) -> str:
    """The file's text of clusters with their sub-clusters, in their order."""
    return "".join(
        json.dumps({"cluster_id": cluster, "subclusters": groups}, ensure_ascii=False) + "\n"
        for cluster, groups in clusters
    )


def subclusters_of(text: str) -> dict[str, Subclusters]:
    """The sub-clusters by cluster, in the file's order.

    Raises FileProblem for a line that is not of this format, a cluster given twice, and an id that is
    in two sub-clusters of a cluster.
    """
    subclusters: dict[str, Subclusters] = {}
    for line, value in objects(numbered([text])):
        with located(line):
            cluster, groups = field_of(value, "cluster_id", Id), field_of(value, "subclusters", _GROUPS)
            if others := [name for name in value if name not in ("cluster_id", "subclusters")]:
                raise FileProblem(f"the line: {others[0]} is not a field of this format.", CORRECT)
            counted = Counter(key for group in groups for key in group)
            if twice := [key for key, count in counted.items() if count > 1]:
                raise FileProblem(f"the id {quoted(twice[0])} occurs twice.", "Leave it in one sub-cluster.")
            if cluster in subclusters:
                raise FileProblem(f"the cluster {quoted(cluster)} occurred before.", "Give each one line.")
            subclusters[cluster] = groups
    return subclusters


def read_subclusters(path: Path) -> dict[str, Subclusters]:
    """Read a file; see `subclusters_of`."""
    with located(file=str(path)):
        return subclusters_of(read_text(path))
