"""Gold sets as files of every format, to which pairs are added as they come."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from annotation.models import Label
from paragold.formats.judgements import gold_jsonl, pairs_tsv
from paragold.formats.links import edinburgh, giza, jsonl, multimwa, naacl, parallel_text, pharaoh
from paragold.formats.tables import CsvTable, ParquetTable
from paragold.metrics.links import LinkedPair

from .approved import PairLinks
from .gold_counts import Counted
from .gold_tables import JUDGED, LINKED, TABLES, judged_rows, linked_rows

FORMATS: Mapping[str, str] = {
    "all": "All of it",
    "msr": "MSR-style TSV of the judged pairs",
    "jsonl": "JSONL with every judgement and link",
    "parquet": "Parquet, for datasets and pandas",
    "csv": "CSV, safe to open in a spreadsheet",
    "pharaoh": "Pharaoh links with both texts",
    "naacl": "NAACL-2003 links with both texts",
    "edinburgh": "Edinburgh/Jacana JSON of the linked pairs",
    "multimwa": "MultiMWA TSV of the linked pairs",
    "giza": "GIZA++ A3 of the linked pairs, which takes links of one strength: choose all sure",
}
MEANINGS: Mapping[str, str] = {
    "pairs.tsv": "judged pairs, as the Microsoft Research Paraphrase Corpus has them",
    "pairs.jsonl": "judged pairs with every judgement",
    "pairs.parquet": "judged pairs, typed columns",
    "pairs.csv": "judged pairs for a spreadsheet",
    "links.pharaoh": "links as 0-0 1?2, a line a pair",
    "links.naacl": "links as NAACL-2003 has them",
    "links.src": "first sentences, tokens separated by spaces",
    "links.tgt": "second sentences, tokens separated by spaces",
    "links.jsonl": "linked pairs with tokens",
    "links.json": "linked pairs, as the Edinburgh++ corpus has them",
    "links.tsv": "linked pairs, as MultiMWA has them",
    "links.A3.final": "links as GIZA++ writes them",
    "links.parquet": "linked pairs, typed columns",
    "links.csv": "linked pairs for a spreadsheet",
}
"""What each file holds, by its name."""


Dumps = Callable[[Sequence[Any], int], str]
"""What some pairs look like in a file that has so many already."""


_BY_FORMAT: Mapping[str, tuple[str, ...]] = {
    "msr": ("pairs.tsv",),
    "jsonl": ("pairs.jsonl", "links.jsonl"),
    "parquet": ("pairs.parquet", "links.parquet"),
    "csv": ("pairs.csv", "links.csv"),
    "pharaoh": ("links.pharaoh", "links.src", "links.tgt"),
    "naacl": ("links.naacl", "links.src", "links.tgt"),
    "edinburgh": ("links.json",),
    "multimwa": ("links.tsv",),
    "giza": ("links.A3.final",),
}


ONE_STRENGTH = "links.A3.final"


def _names(wanted: str) -> set[str]:
    groups = _BY_FORMAT.values() if wanted == "all" else [_BY_FORMAT[wanted]]
    return {name for group in groups for name in group}


def kinds_of(wanted: str) -> set[str]:
    """What has files of a format: "pairs" that are judged, "links", or both."""
    return {name.partition(".")[0] for name in _names(wanted)}


def _msr(pair: gold_jsonl.GoldPair) -> pairs_tsv.LabelledPair:
    first, second = pair.key.split("|")
    return pairs_tsv.LabelledPair(pair.label == Label.PARAPHRASE, first, second, pair.a.text, pair.b.text)


def _array(pairs: Sequence[LinkedPair], before: int) -> str:
    """More elements of the one JSON array that an Edinburgh file is; `_ENDS` closes it."""
    text = edinburgh.dumps(pairs).removesuffix(_ENDS["links.json"])
    return text if before == 0 else f",{text.removeprefix('[')}"


_ENDS = {"links.json": "\n]\n"}
_JUDGED: Mapping[str, Dumps] = {
    "pairs.tsv": lambda pairs, before: pairs_tsv.dumps(
        map(_msr, pairs), first_line=before + 2 if before else 1
    ),
    "pairs.jsonl": lambda pairs, before: gold_jsonl.dumps(pairs),
}
_LINKED: Mapping[str, Dumps] = {
    "links.pharaoh": lambda pairs, before: pharaoh.dumps(pair.links for pair in pairs),
    "links.naacl": lambda pairs, before: naacl.dumps(
        {number: pair.links for number, pair in enumerate(pairs, start=before + 1)}
    ),
    "links.src": lambda pairs, before: parallel_text.dumps(pair.tokens for pair in pairs)[0],
    "links.tgt": lambda pairs, before: parallel_text.dumps(pair.tokens for pair in pairs)[1],
    "links.jsonl": lambda pairs, before: jsonl.dumps(pairs),
    "links.json": _array,
    "links.tsv": lambda pairs, before: multimwa.dumps(pairs),
    ONE_STRENGTH: lambda pairs, before: giza.dumps(pairs, first=before + 1),
}


class _Lines:
    def __init__(self, path: Path, dumps: Dumps) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._dumps = dumps
        self._end = _ENDS.get(path.name, "")
        self._pairs = 0

    def add(self, pairs: Sequence[Any]) -> None:
        self._file.write(self._dumps(pairs, self._pairs))
        self._pairs += len(pairs)

    def close(self) -> None:
        self._file.write(self._end)
        self._file.close()


Writer = _Lines | ParquetTable | CsvTable


class GoldFiles:
    """Files of a format, or of all, in a folder, to which pairs are added as they come.

    Files without pairs are not made. Raises FileProblem for what the format cannot hold; GIZA++ knows one
    strength: among all formats it is written where that is enough. Linked pairs come before judged ones.
    """

    def __init__(self, folder: Path, wanted: str) -> None:
        self.counted = Counted()
        self._folder = folder
        self._names = _names(wanted)
        self._kinds = kinds_of(wanted)
        self._optional = wanted == "all"
        self._writers: dict[str, Writer] = {}

    def add_judged(self, pairs: Sequence[gold_jsonl.GoldPair]) -> None:
        rows = judged_rows(pairs)
        for name, dumps in _JUDGED.items():
            self._add(name, pairs, dumps)
        self._tables("pairs", JUDGED, rows)
        if "pairs" in self._kinds:
            self.counted.add_judged(pairs)

    def add_linked(self, pairs: Sequence[PairLinks]) -> None:
        linked = [one.pair for one in pairs]
        if self._optional and any(pair.links.possible_only for pair in linked):
            self._drop(ONE_STRENGTH)
        for name, dumps in _LINKED.items():
            self._add(name, linked, dumps)
        self._tables("links", LINKED, linked_rows(pairs))
        if "links" in self._kinds:
            self.counted.add_linked(pairs)

    def _add(self, name: str, pairs: Sequence[Any], dumps: Dumps) -> None:
        if name in self._names and pairs:
            writer = self._writers.get(name) or self._open(name, _Lines(self._path(name), dumps))
            writer.add(pairs)

    def _tables(self, stem: str, columns: Mapping[str, type], rows: Sequence[Sequence[Any]]) -> None:
        for ending, table in TABLES.items():
            name = f"{stem}.{ending}"
            if name in self._names and rows:
                writer = self._writers.get(name) or self._open(name, table(self._path(name), columns))
                writer.add(rows)

    def _path(self, name: str) -> Path:
        self._folder.mkdir(parents=True, exist_ok=True)
        return self._folder / name

    def _open(self, name: str, writer: Writer) -> Writer:
        self._writers[name] = writer
        return writer

    def _drop(self, name: str) -> None:
        self._names.discard(name)
        if writer := self._writers.pop(name, None):
            writer.close()
            self._path(name).unlink()

    @property
    def names(self) -> list[str]:
        """The files that were made."""
        return list(self._writers)

    def close(self) -> None:
        for writer in self._writers.values():
            writer.close()


def clusters_of(key: str) -> tuple[str, str]:
    """The keys of the clusters of both sentences of a pair, by the pair's key (`pair_key`)."""
    first, second = (unquote(sentence.partition("/")[0]) for sentence in key.split("|"))
    return first, second
