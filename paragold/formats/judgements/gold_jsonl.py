"""Gold pairs with everything that was said about them, one JSON object a line.

Texts are as they were imported, line breaks included; annotators appear as pseudonyms.
`docs/formats/pairs.md` describes every field.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from paragold.formats.json_lines import Record, UniqueIds, objects
from paragold.formats.text_files import read_text, write_text
from paragold.problems import located, quoted


@dataclass(frozen=True, slots=True)
class GoldSentence:
    """One sentence: the key of its article, its index there from 0, its text and its frozen tokens.

    `starts` are offsets in code points: `text[start:start + len(token)] == token`.
    """

    article: str
    sentence: int
    text: str
    tokens: tuple[str, ...]
    starts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GoldJudgement:
    """What one annotator, under a pseudonym, answered; `label` is None when the pair was skipped.

    `time` is an ISO 8601 date and time with its offset from UTC.
    """

    annotator: str
    label: str | None
    time: str
    comment: str = ""
    flagged: bool = False
    skipped: bool = False


@dataclass(frozen=True, slots=True)
class Adjudication:
    """The answer that settled a disagreement, by whom (a pseudonym), when and why."""

    adjudicator: str
    label: str
    time: str
    comment: str = ""


@dataclass(frozen=True, slots=True)
class ExternalPlace:
    """Where a pair that was drawn from an external dataset stands in it: part, and row there from 0."""

    dataset: str
    part: str
    row: int


@dataclass(frozen=True, slots=True)
class GoldPair:
    """One pair of a gold set: its gold label and every judgement it rests on."""

    key: str
    cluster: str
    label: str
    a: GoldSentence
    b: GoldSentence
    judgements: tuple[GoldJudgement, ...]
    adjudication: Adjudication | None = None
    external: ExternalPlace | None = None


def dumps(pairs: Iterable[GoldPair]) -> str:
    """The file's text, a line for each pair, letters outside ASCII as they are."""
    return "".join(json.dumps(_fields(pair), ensure_ascii=False) + "\n" for pair in pairs)


def _fields(pair: GoldPair) -> Mapping[str, object]:
    fields = asdict(pair)
    if pair.external is None:
        del fields["external"]
    return {"id": fields.pop("key"), **fields}


def loads(text: str) -> list[GoldPair]:
    """The pairs in order; blank lines are passed over.

    Raises FileProblem for a line that is not such an object, an unknown field,
    tokens that are not in the text where they should be, or an id that occurs twice.
    """
    pairs: list[GoldPair] = []
    ids = UniqueIds()
    for line, value in objects(text):
        with located(line):
            pairs.append(_pair(Record.of(value, "the line")))
            ids.add(pairs[-1].key, line)
    return pairs


def _pair(record: Record) -> GoldPair:
    pair = GoldPair(
        record.text("id", filled=True),
        record.text("cluster"),
        record.text("label", filled=True),
        _sentence(record.record("a")),
        _sentence(record.record("b")),
        tuple(map(_judgement, record.records("judgements"))),
        None if record.is_null("adjudication") else _adjudication(record.record("adjudication")),
        _external(record.record("external")) if "external" in record.values else None,
    )
    record.finish()
    return pair


def _external(record: Record) -> ExternalPlace:
    place = ExternalPlace(record.text("dataset"), record.text("part"), record.index("row"))
    record.finish()
    return place


def _sentence(record: Record) -> GoldSentence:
    sentence = GoldSentence(
        record.text("article"),
        record.index("sentence"),
        record.text("text"),
        record.texts("tokens"),
        record.indices("starts"),
    )
    if len(sentence.tokens) != len(sentence.starts):
        raise record.error("tokens and starts are not equally many.", "Give one start for each token.")
    for token, start in zip(sentence.tokens, sentence.starts, strict=True):
        if not token or not sentence.text.startswith(token, start):
            raise record.error(
                f"token {quoted(token)} is not at character {start} of the text.",
                "Count starts in code points from 0.",
            )
    record.finish()
    return sentence


def _judgement(record: Record) -> GoldJudgement:
    judgement = GoldJudgement(
        record.text("annotator", filled=True),
        None if record.is_null("label") else record.text("label", filled=True),
        record.text("time", filled=True),
        record.text("comment"),
        record.flag("flagged"),
        record.flag("skipped"),
    )
    record.finish()
    return judgement


def _adjudication(record: Record) -> Adjudication:
    adjudication = Adjudication(
        record.text("adjudicator", filled=True),
        record.text("label", filled=True),
        record.text("time", filled=True),
        record.text("comment"),
    )
    record.finish()
    return adjudication


def read(path: Path) -> list[GoldPair]:
    """Read a file; see `loads`."""
    with located(file=str(path)):
        return loads(read_text(path))


def write(path: Path, pairs: Iterable[GoldPair]) -> None:
    """Write a file; see `dumps`. Raises FileProblem for text that UTF-8 cannot carry."""
    write_text(path, dumps(pairs))
