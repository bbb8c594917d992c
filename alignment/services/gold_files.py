"""Gold sets as files of every format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote

from alignment.formats import edinburgh, giza, jsonl, multimwa, naacl, parallel_text, pharaoh
from alignment.models import GoldAlignmentSet
from annotation.formats import gold_jsonl, pairs_tsv
from annotation.models import GoldSet, Label
from corpus.writers.rows import SPLITS, Splits

from .approved import PairLinks, judgement_settled, links_settled
from .gold_links import pair_key, pairs_with_versions
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
    "links.src": "first sentences, tokens parted by spaces",
    "links.tgt": "second sentences, tokens parted by spaces",
    "links.jsonl": "linked pairs with tokens",
    "links.json": "linked pairs, as the Edinburgh++ corpus has them",
    "links.tsv": "linked pairs, as MultiMWA has them",
    "links.A3.final": "links as GIZA++ writes them",
    "links.parquet": "linked pairs, typed columns",
    "links.csv": "linked pairs for a spreadsheet",
}
"""What each file holds, by its name."""


@dataclass(frozen=True, slots=True)
class GoldPairs:
    """The pairs of an export: judged ones, linked ones, or both."""

    judged: list[gold_jsonl.GoldPair]
    linked: list[PairLinks]

    def approved(self) -> GoldPairs:
        """Those on which nobody differs, or which an adjudicator decided."""
        return replace(
            self,
            judged=[pair for pair in self.judged if judgement_settled(pair)],
            linked=[one for one in self.linked if links_settled(one)],
        )

    def parted(self, splits: Splits) -> dict[str, GoldPairs]:
        """By split, each of which whole clusters fall into.

        A pair of two clusters that fall into different ones is in none of them.
        """
        return {
            name: GoldPairs(
                [pair for pair in self.judged if _split_of(pair.key, splits) == name],
                [one for one in self.linked if _split_of(one.pair.key, splits) == name],
            )
            for name in SPLITS
        }

    @property
    def clusters(self) -> set[str]:
        return {cluster for key in self.keys for cluster in _clusters_of(key)}

    @property
    def keys(self) -> set[str]:
        """Of the pairs; one that was judged and linked is one pair."""
        return {pair.key for pair in self.judged} | {one.pair.key for one in self.linked}


def _clusters_of(key: str) -> set[str]:
    """The keys of the clusters that a pair's key (`pair_key`) names."""
    return {unquote(sentence.partition("/")[0]) for sentence in key.split("|")}


def _split_of(key: str, splits: Splits) -> str | None:
    names = {splits.of(cluster) for cluster in _clusters_of(key)}
    return names.pop() if len(names) == 1 else None


def gold_pairs(
    gold_set: GoldSet | None, gold_links: GoldAlignmentSet | None, strengths: str = "as_drawn"
) -> GoldPairs:
    """The pairs with every judgement and all links, in the order of the batches."""
    return GoldPairs(
        [] if gold_set is None else _judged(gold_set),
        [] if gold_links is None else pairs_with_versions(gold_links, strengths),
    )


def files_of(pairs: GoldPairs, wanted: str) -> dict[str, bytes]:
    """The files of a format, or of all, by name. Raises FormatError for what the format cannot hold."""
    judged, linked = pairs.judged, [one.pair for one in pairs.linked]
    writers: dict[str, dict[str, Callable[[], str | bytes]]] = {"judged": {}, "linked": {}}
    if judged:
        rows = judged_rows(judged)
        writers["judged"] = {
            "pairs.tsv": lambda: pairs_tsv.dumps(map(_msr, judged)),
            "pairs.jsonl": lambda: gold_jsonl.dumps(judged),
            **{f"pairs.{end}": _table(end, JUDGED, rows) for end in TABLES},
        }
    if linked:
        cells = linked_rows(pairs.linked)
        texts = parallel_text.dumps(pair.tokens for pair in linked)
        writers["linked"] = {
            "links.pharaoh": lambda: pharaoh.dumps(pair.links for pair in linked),
            "links.naacl": lambda: naacl.dumps({n: pair.links for n, pair in enumerate(linked, start=1)}),
            "links.src": lambda: texts[0],
            "links.tgt": lambda: texts[1],
            "links.jsonl": lambda: jsonl.dumps(linked),
            "links.json": lambda: edinburgh.dumps(linked),
            "links.tsv": lambda: multimwa.dumps(linked),
            "links.A3.final": lambda: giza.dumps(linked),
            **{f"links.{end}": _table(end, LINKED, cells) for end in TABLES},
        }
    found = writers["judged"] | writers["linked"]
    names = [name for name in found if name in _names(wanted, linked)]
    return {name: _bytes(found[name]()) for name in names}


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


def _names(wanted: str, linked: list[Any]) -> set[str]:
    if wanted != "all":
        return set(_BY_FORMAT[wanted])
    names = {name for group in _BY_FORMAT.values() for name in group}
    # GIZA++ knows one strength: among all formats it is written where that is enough.
    if any(pair.links.possible_only for pair in linked):
        names.remove("links.A3.final")
    return names


def _table(ending: str, columns: Mapping[str, type], rows: list[tuple[Any, ...]]) -> Callable[[], bytes]:
    return lambda: TABLES[ending](columns, rows)


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def _msr(pair: gold_jsonl.GoldPair) -> pairs_tsv.LabelledPair:
    first, second = pair.key.split("|")
    return pairs_tsv.LabelledPair(pair.label == Label.PARAPHRASE, first, second, pair.a.text, pair.b.text)


def _judged(gold_set: GoldSet) -> list[gold_jsonl.GoldPair]:
    judgements = gold_set.judgements.select_related(
        "item__pair__cluster",
        "item__pair__sentence_a__article__cluster",
        "item__pair__sentence_b__article__cluster",
    )
    return [
        gold_jsonl.GoldPair(
            key=pair_key(gold.item.pair),
            cluster=gold.item.pair.cluster.key,
            label=gold.label,
            a=_sentence(gold.item.pair.sentence_a),
            b=_sentence(gold.item.pair.sentence_b),
            judgements=tuple(_judgement(vote) for vote in gold.votes if vote["at"]),
            adjudication=_adjudication(gold.adjudication),
        )
        for gold in judgements
    ]


def _sentence(sentence: Any) -> gold_jsonl.GoldSentence:
    return gold_jsonl.GoldSentence(
        article=sentence.article.key,
        sentence=sentence.number,
        text=sentence.text,
        tokens=tuple(sentence.token_list),
        starts=tuple(sentence.starts),
    )


def _judgement(vote: dict[str, Any]) -> gold_jsonl.GoldJudgement:
    return gold_jsonl.GoldJudgement(
        annotator=vote["annotator"],
        label=vote["label"],
        time=vote["at"],
        comment=vote["comment"],
        flagged=vote["flagged"],
        skipped=vote["skipped"],
    )


def _adjudication(decision: dict[str, Any] | None) -> gold_jsonl.Adjudication | None:
    if decision is None:
        return None
    return gold_jsonl.Adjudication(
        adjudicator=decision["adjudicator"],
        label=decision["label"],
        time=decision["at"],
        comment=decision["comment"],
    )
