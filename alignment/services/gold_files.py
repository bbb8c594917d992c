"""Gold sets as files of every format, to which pairs are added as they come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote

from annotation.schemes import Label
from paragold.formats import gold_jsonl, labelled_pairs
from paragold.formats.gold_jsonl import GoldPair
from paragold.formats.judgement_files import JUDGEMENT_FORMATS, scheme_of
from paragold.formats.judgement_formats import BINARY, JudgedPair
from paragold.formats.link_files import LINK_FORMATS, PairWriter, texts_of_sides
from paragold.formats.link_formats import LinkFormat
from paragold.formats.pair_files import PAIR_FORMATS
from paragold.formats.tables import CsvTable, ParquetTable
from paragold.formats.text_files import write_text

from .gold_links import PairLinks, judgement_settled, links_settled

JUDGED: Mapping[str, type] = {
    **{"id": str, "cluster": str, "label": str},
    **{"article_a": str, "sentence_a": int, "article_b": str, "sentence_b": int},
    **{"text_a": str, "text_b": str, "tokens_a": str, "tokens_b": str},
    **{"label_count": int, "approved": bool, "adjudicated": bool},
}
"""Columns of judged pairs and their types."""
LINKED: Mapping[str, type] = {
    **{"id": str, "cluster": str, "tokens_a": str, "tokens_b": str, "sure": str, "possible": str},
    **{"annotators": int, "approved": bool, "adjudicated": bool, "suggestions": str},
}
"""Columns of linked pairs and their types."""
_OF_BOTH = {
    "id": "cluster/article#sentence of both, separated by |",
    "cluster": "key of the cluster, of the first sentence where there are two",
    "tokens_a, tokens_b": "the sentences' tokens, separated by spaces",
    "approved": "annotators agree, or an adjudicator decided",
    "adjudicated": "an adjudicator decided",
}
JUDGED_MEANINGS = _OF_BOTH | {
    "label": "the gold label",
    "article_a, article_b": "keys of the articles",
    "sentence_a, sentence_b": "index of the sentence in its article, from 0",
    "text_a, text_b": "the sentences, as imported",
    "label_count": "annotators who gave a label",
}
LINKED_MEANINGS = _OF_BOTH | {
    "sure": "SURE links as i-j, indices of tokens from 0, separated by spaces",
    "possible": "POSSIBLE links that are not SURE, in the same way",
    "annotators": "annotators who linked the pair",
    "suggestions": "aligners whose links annotators were shown, separated by ;, none: no suggestions",
}


def judged_rows(pairs: Sequence[GoldPair]) -> list[tuple[Any, ...]]:
    return [
        (
            *(pair.key, pair.cluster, pair.label),
            *(pair.a.article, pair.a.sentence, pair.b.article, pair.b.sentence),
            *(pair.a.text, pair.b.text, " ".join(pair.a.tokens), " ".join(pair.b.tokens)),
            sum(judgement.label is not None for judgement in pair.judgements),
            *(judgement_settled(pair), pair.adjudication is not None),
        )
        for pair in pairs
    ]


def linked_rows(pairs: Sequence[PairLinks]) -> list[tuple[Any, ...]]:
    return [
        (
            *(linked.pair.key, linked.cluster),
            *(" ".join(side) for side in linked.pair.tokens),
            *(_written(links) for links in (linked.pair.links.sure, linked.pair.links.possible_only)),
            len(linked.versions),
            *(links_settled(linked), linked.adjudicated, "; ".join(sorted({*linked.conditions}))),
        )
        for linked in pairs
    ]


def _written(links: Any) -> str:
    return " ".join(f"{a}-{b}" for a, b in sorted(links))


TABLES: Mapping[str, type[ParquetTable | CsvTable]] = {"parquet": ParquetTable, "csv": CsvTable}
"""What writes columns and rows, by the ending of the file."""


@dataclass(slots=True)
class Counted:
    """`pairs`: one that is judged and linked is one. `articles` are (cluster, article), by their keys.

    `labels` are gold labels, `label_votes` and `link_votes` pairs by annotator, `origins` annotators' links
    by origin; `disputed` pairs had annotators who differ. `by_clusters` are pairs by the keys of both
    clusters.
    """

    pairs: int = 0
    clusters: set[str] = field(default_factory=set)
    by_clusters: Counter[tuple[str, str]] = field(default_factory=Counter)
    articles: set[tuple[str, str]] = field(default_factory=set)
    linked_keys: set[str] = field(default_factory=set)
    judged: int = 0
    disputed: int = 0
    adjudicated: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    label_votes: Counter[str] = field(default_factory=Counter)
    linked: int = 0
    sure: int = 0
    possible_only: int = 0
    link_votes: Counter[str] = field(default_factory=Counter)
    origins: Counter[str] = field(default_factory=Counter)

    def add_judged(self, pairs: Sequence[GoldPair]) -> None:
        """After linked ones."""
        self._add(pair.key for pair in pairs)
        for pair in pairs:
            self.judged += 1
            self.disputed += len({vote.label for vote in pair.judgements if vote.label is not None}) > 1
            self.adjudicated += pair.adjudication is not None
            self.labels[pair.label] += 1
            self.label_votes.update(vote.annotator for vote in pair.judgements if vote.label is not None)

    def add_linked(self, pairs: Sequence[PairLinks]) -> None:
        keys = [linked.pair.key for linked in pairs]
        self._add(keys)
        self.linked_keys.update(keys)
        for linked in pairs:
            self.linked += 1
            self.sure += len(linked.pair.links.sure)
            self.possible_only += len(linked.pair.links.possible_only)
            self.link_votes.update(linked.annotators)
            self.origins.update(link[3] for links in linked.versions for link in links if len(link) > 3)

    def _add(self, keys: Iterable[str]) -> None:
        for key in keys:
            if key not in self.linked_keys:
                self.pairs += 1
                self.by_clusters[clusters_of(key)] += 1
            for sentence in key.split("|"):
                cluster, _, place = sentence.partition("/")
                self.clusters.add(unquote(cluster))
                self.articles.add((unquote(cluster), unquote(place.rpartition("#")[0])))

    def merge(self, other: Counted) -> None:
        """Add what other files hold; no pair is in both."""
        for name in self.__slots__:
            mine, theirs = getattr(self, name), getattr(other, name)
            setattr(self, name, mine | theirs if isinstance(mine, set) else mine + theirs)

    def as_counts(self) -> dict[str, int]:
        """For the manifest."""
        counts = {"pairs": self.pairs, "clusters": len(self.clusters), "articles": len(self.articles)}
        if self.judged:
            counts |= {
                "judgements.pairs": self.judged,
                "judgements.disputed": self.disputed,
                "judgements.adjudicated": self.adjudicated,
                **{f"judgements.{label}": count for label, count in sorted(self.labels.items())},
            }
        if self.linked:
            counts |= {
                "links.pairs": self.linked,
                "links.sure": self.sure,
                "links.possible_only": self.possible_only,
            }
        return counts


PARALLEL_TEXT: Mapping[str, str] = {
    "links.src": "first sentences, tokens separated by spaces",
    "links.tgt": "second sentences, tokens separated by spaces",
}


def formats() -> dict[str, str]:
    """Id and label of each format of an export; "all" are all but those of annotation tools."""
    judged = {form.id: f"{form.label}: judged pairs" for form in _WRITTEN}
    linked = {form.id: _label(form) for form in LINK_FORMATS if form.id != "jsonl"}
    both = {
        name: judged[name].replace("judged", "judged and linked") for name in judged.keys() & linked.keys()
    }
    return {
        "all": "All, except the formats of other annotation tools",
        "msr": "MSR-style TSV of the judged pairs",
        "jsonl": "JSONL with every judgement and link",
        **{name: PAIR_FORMATS.get(name).label for name in TABLES},
        **(linked | judged | both),
    }


def _label(link_format: LinkFormat) -> str:
    text = "" if link_format.carries_text else ", with both texts"
    strengths = ", which has only one strength: choose all sure" if link_format.one_strength else ""
    return f"{link_format.label}: linked pairs{text}{strengths}"


def meanings() -> dict[str, str]:
    """What each file holds, by its name."""
    return {
        "pairs.tsv": "judged pairs, as the Microsoft Research Paraphrase Corpus has them",
        "pairs.jsonl": "judged pairs with every judgement",
        "pairs.parquet": "judged pairs, typed columns",
        "pairs.csv": "judged pairs for a spreadsheet",
        "links.parquet": "linked pairs, typed columns",
        "links.csv": "linked pairs for a spreadsheet",
        **PARALLEL_TEXT,
        **{form.file_name("links"): form.help for form in LINK_FORMATS},
        **{form.file_name("pairs"): form.help for form in _WRITTEN},
        **dict.fromkeys(_beside(), "labelling configuration of Label Studio"),
    }


_WRITTEN = [form for form in JUDGEMENT_FORMATS if form.extension]


def _beside() -> set[str]:
    """The files that some formats have beside their pairs."""
    links = {name for form in LINK_FORMATS for name in form.beside}
    return links | {name for form in _WRITTEN for name in form.beside(BINARY)}


Dumps = Callable[[Sequence[Any], int], str]
"""What some pairs look like in a file that has so many already."""


def _names(format_id: str) -> set[str]:
    """The files of a format."""
    names = {"msr": {"pairs.tsv"}, "jsonl": {"pairs.jsonl"}}
    names |= {table: {f"pairs.{table}", f"links.{table}"} for table in TABLES}
    for link_format in LINK_FORMATS:
        text = set() if link_format.carries_text else set(PARALLEL_TEXT)
        names[link_format.id] = (
            names.get(link_format.id, set()) | {link_format.file_name("links"), *link_format.beside} | text
        )
    for judged in _WRITTEN:
        files = {judged.file_name("pairs"), *judged.beside(BINARY)}
        names[judged.id] = names.get(judged.id, set()) | files
    if format_id != "all":
        return names[format_id]
    # Formats of other tools and of plug-ins only where they are asked for.
    asked_for = {
        link_format.id
        for link_format in LINK_FORMATS
        if link_format.tool or LINK_FORMATS.plugin(link_format.id)
    }
    asked_for |= {link_format.id for link_format in _WRITTEN}
    return set().union(*(files for name, files in names.items() if name not in asked_for))


def kinds_of(format_id: str) -> set[str]:
    """What has files of a format: "pairs" that are judged, "links", or both."""
    return {name.partition(".")[0] for name in _names(format_id)}


def _msr(pair: gold_jsonl.GoldPair) -> labelled_pairs.TextPair:
    first, second = pair.key.split("|")
    label = pair.label == Label.PARAPHRASE
    return labelled_pairs.TextPair(pair.a.text, pair.b.text, label, pair.cluster, (first, second), line=0)


def _said(pair: GoldPair) -> JudgedPair:
    """The pair with its gold label, and what the adjudicator or else the annotators wrote about it."""
    decided = pair.adjudication.comment if pair.adjudication else ""
    comments = [decided] if decided else [vote.comment for vote in pair.judgements if vote.comment]
    flagged = any(vote.flagged for vote in pair.judgements)
    comment = "\n".join(comments)
    return JudgedPair(pair.key, pair.a.text, pair.b.text, pair.label, comment=comment, flagged=flagged)


_JUDGED: Mapping[str, Dumps] = {
    "pairs.tsv": lambda pairs, before: labelled_pairs.dumps(
        map(_msr, pairs), first_line=before + 2 if before else 1
    ),
    "pairs.jsonl": lambda pairs, before: gold_jsonl.dumps(pairs),
}
_TEXTS: Mapping[str, Dumps] = {
    "links.src": lambda pairs, before: texts_of_sides(pair.tokens for pair in pairs)[0],
    "links.tgt": lambda pairs, before: texts_of_sides(pair.tokens for pair in pairs)[1],
}


class _Lines:
    def __init__(self, path: Path, dumps: Dumps) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._dumps = dumps
        self._pairs = 0

    def add(self, pairs: Sequence[Any]) -> None:
        self._file.write(self._dumps(pairs, self._pairs))
        self._pairs += len(pairs)

    def close(self) -> None:
        self._file.close()


class Writer(Protocol):
    def add(self, pairs: Sequence[Any], /) -> None: ...
    def close(self) -> None: ...


class GoldFiles:
    """Files of a format, or of all, in a folder, to which pairs are added as they come.

    Files without pairs are not made. Raises FileProblem for what the format cannot hold; among all formats,
    one that knows one strength is written where that is enough. Linked pairs come before judged ones.
    """

    def __init__(self, folder: Path, format_id: str) -> None:
        self.counted = Counted()
        self._folder = folder
        self._names = _names(format_id)
        self._kinds = kinds_of(format_id)
        self._optional = format_id == "all"
        self._recorded: bool | None = None
        self._writers: dict[str, Writer] = {}

    def add_judged(self, pairs: Sequence[gold_jsonl.GoldPair]) -> None:
        rows = judged_rows(pairs)
        for name, dumps in _JUDGED.items():
            self._add(name, pairs, partial(_Lines, dumps=dumps))
        for written in _WRITTEN:
            name = written.file_name("pairs")
            if name in self._names:
                self._add(name, list(map(_said, pairs)), partial(PairWriter, form=written))
        self._tables("pairs", JUDGED, rows)
        if "pairs" in self._kinds:
            self.counted.add_judged(pairs)

    def add_linked(self, pairs: Sequence[PairLinks]) -> None:
        linked = [pair.pair for pair in pairs]
        for link_format in LINK_FORMATS:
            name = link_format.file_name("links")
            if (
                self._optional
                and link_format.one_strength
                and any(pair.links.possible_only for pair in linked)
            ):
                self._drop(name)
            self._add(name, linked, partial(PairWriter, form=link_format))
        for name, dumps in _TEXTS.items():
            self._add(name, linked, partial(_Lines, dumps=dumps))
        if self._recorded is None:
            # Gold from before they were recorded is written as ever, to the byte.
            self._recorded = any(linked.conditions for linked in pairs)
        rows, columns = linked_rows(pairs), dict(LINKED)
        if not self._recorded:
            rows = [row[:-1] for row in rows]
            del columns["suggestions"]
        self._tables("links", columns, rows)
        if "links" in self._kinds:
            self.counted.add_linked(pairs)

    def _add(self, name: str, pairs: Sequence[Any], made: Callable[[Path], Writer]) -> None:
        if name in self._names and pairs:
            writer = self._writers.get(name) or self._open(name, made(self._path(name)))
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
        return [*self._writers, *self._beside()]

    def _beside(self) -> dict[str, str]:
        """The texts of the files beside those that were made."""
        scheme = scheme_of(self.counted.labels)
        links = [form.beside for form in LINK_FORMATS if form.file_name("links") in self._writers]
        judged = [form.beside(scheme) for form in _WRITTEN if form.file_name("pairs") in self._writers]
        return {name: text for files in (*links, *judged) for name, text in files.items()}

    def close(self) -> None:
        for writer in self._writers.values():
            writer.close()
        for name, text in self._beside().items():
            write_text(self._path(name), text)


def clusters_of(key: str) -> tuple[str, str]:
    """The keys of the clusters of both sentences of a pair, by the pair's key (`pair_key`)."""
    first, second = (unquote(sentence.partition("/")[0]) for sentence in key.split("|"))
    return first, second
