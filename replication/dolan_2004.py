"""Dolan, Quirk & Brockett (2004), table 1: aligners trained on L12 and on F2."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.measuring import DATA, Row
from paragold.aligners.aligner import Pair, texts_of
from paragold.aligners.pair_files import read_training_pairs
from paragold.aligners.statistical import HMM, HMMSpec
from paragold.extraction.files import extract_file
from paragold.extraction.presets import get_preset
from paragold.formats.link_files import read_links
from paragold.metrics.error_rate import WORDS, counts_by_words, rates

NEWS = ("ecbplus_topics_1_35.jsonl", "multi_news_validation.jsonl")
TEST_SET = "edinburghpp.train.jsonl"
TRAINING_SETS = {
    "L12-2004": {}, "L12-2004, three shared words": {"min_shared_words": 3},
    "L12-2004-word": {}, "L12-2004-word, three shared words": {"min_shared_words": 3},
    "F2-2004": {},
}  # fmt: skip


def training_pairs(preset: str, news: tuple[str, ...] = NEWS, **settings: object) -> list[Pair]:
    """The pairs of a preset in EventCorefBank+ and Multi-News."""
    criteria = get_preset(preset).criteria.replace(**settings)
    pairs: list[Pair] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in news:
            output = Path(folder) / "pairs.tsv"
            extract_file(DATA / "news" / name, criteria, output, processes=1)
            pairs += read_training_pairs(output)
    return pairs


def table_1(*, most: int = 0, news: tuple[str, ...] = NEWS) -> list[Row]:
    """Table 1 of Dolan, Quirk & Brockett (2004) on public news: precision, recall and AER, in percent.

    The test set is Edinburgh++, training part, or `most` pairs of it. The aligner stands in for GIZA++ as in
    a replication within a project: the HMM with two tables that know nothing of words beforehand, Och's
    refined symmetrisation.
    """
    gold = read_links(DATA / "alignment" / TEST_SET)[: most or None]
    texts, rows = texts_of(gold), []
    for name, settings in TRAINING_SETS.items():
        pairs = training_pairs(name.partition(",")[0], news, **settings)
        spec = HMMSpec(one_language=False, identical=False, linking="refined")
        drawn = HMM(spec).fit([*pairs, *texts]).align_all(texts)
        counts = counts_by_words(drawn, gold)
        row: Row = {"training set": name, "pairs": len(pairs)}
        for words in WORDS:
            shares = zip(("precision", "recall", "AER"), rates(counts[words].sum(axis=0)), strict=True)
            row |= {f"{rate}, {words}": round(100 * float(share), 2) for rate, share in shares}
        rows.append(row)
    return rows
