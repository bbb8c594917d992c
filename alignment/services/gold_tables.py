"""Gold pairs as flat rows for Parquet and CSV: one row a pair, what everybody said is in the JSONL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from paragold.formats.judgements.gold_jsonl import GoldPair
from paragold.formats.tables import CsvTable, ParquetTable

from .approved import PairLinks, judgement_settled, links_settled

JUDGED: Mapping[str, type] = {
    **{"id": str, "cluster": str, "label": str},
    **{"article_a": str, "sentence_a": int, "article_b": str, "sentence_b": int},
    **{"text_a": str, "text_b": str, "tokens_a": str, "tokens_b": str},
    **{"label_count": int, "approved": bool, "adjudicated": bool},
}
"""Columns of judged pairs and their types."""
LINKED: Mapping[str, type] = {
    **{"id": str, "cluster": str, "tokens_a": str, "tokens_b": str, "sure": str, "possible": str},
    **{"annotators": int, "approved": bool, "adjudicated": bool},
}
"""Columns of linked pairs and their types."""
_OF_BOTH = {
    "id": "cluster/article#sentence of both, separated by |",
    "cluster": "key of the cluster, of the first sentence where there are two",
    "tokens_a, tokens_b": "the sentences' tokens, separated by spaces",
    "approved": "no two annotators differ, or an adjudicator decided",
    "adjudicated": "an adjudicator decided",
}
JUDGED_MEANINGS = _OF_BOTH | {
    "label": "the gold label",
    "article_a, article_b": "keys of the articles",
    "sentence_a, sentence_b": "index of the sentence in its article, from 0",
    "text_a, text_b": "the sentences, as they came",
    "label_count": "annotators who gave a label",
}
LINKED_MEANINGS = _OF_BOTH | {
    "sure": "SURE links as i-j, indices of tokens from 0, separated by spaces",
    "possible": "POSSIBLE links that are not SURE, in the same way",
    "annotators": "annotators who linked the pair",
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
            *(one.pair.key, one.cluster),
            *(" ".join(side) for side in (one.pair.tokens.source, one.pair.tokens.target)),
            *(_written(links) for links in (one.pair.links.sure, one.pair.links.possible_only)),
            len(one.versions),
            *(links_settled(one), one.adjudicated),
        )
        for one in pairs
    ]


def _written(links: Any) -> str:
    return " ".join(f"{a}-{b}" for a, b in sorted(links))


TABLES: Mapping[str, type[ParquetTable | CsvTable]] = {"parquet": ParquetTable, "csv": CsvTable}
"""What writes columns and rows, by the ending of the file."""
