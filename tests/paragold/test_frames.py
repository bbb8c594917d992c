"""Tables of results: every row, exact values, and what cannot be a table."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from paragold import frames
from paragold.extraction.files import extract_file
from paragold.extraction.presets import get_preset
from paragold.formats.gold_jsonl import GoldJudgement, GoldPair, GoldSentence
from paragold.metrics.error_rate import score_table
from paragold.metrics.link_agreement import link_agreement_table
from paragold.metrics.links import LinkedPair, Links, TokenPair

ROOT = Path(__file__).resolve().parents[2]
TOKENS = TokenPair(("The", "dam", "broke"), ("the", "dam", "burst", "."))
GOLD = LinkedPair("17", TOKENS, Links.of([(0, 0), (1, 1)], [(2, 2)]))


def test_candidate_pairs_are_those_of_the_file(tmp_path):
    criteria = get_preset("L12").criteria
    counts = extract_file(ROOT / "demo" / "corpus.jsonl", criteria, tmp_path / "pairs.tsv", processes=1)
    table = frames.extract(ROOT / "demo" / "corpus.jsonl", criteria, processes=1)
    assert len(table) == counts.pairs_kept == table.attrs["counts"]["pairs_kept"] > 0
    pd.testing.assert_frame_equal(table, frames.candidate_pairs(tmp_path / "pairs.tsv"))
    lines = (tmp_path / "pairs.tsv").read_text(encoding="utf-8").splitlines()
    assert ["\t".join(map(str, row)) for row in table.itertuples(index=False)] == lines[1:]
    assert table["edit_distance"].dtype == int
    nothing = criteria.replace(**{"min_shared_words": 1000})
    table = frames.extract(ROOT / "demo" / "corpus.jsonl", nothing, processes=1)
    assert table.empty and "text_a" in table.columns


def test_links_have_their_words():
    assert frames.links([GOLD]).to_numpy().tolist() == [
        ["17", 0, 0, "The", "the", "sure"],
        ["17", 1, 1, "dam", "dam", "sure"],
        ["17", 2, 2, "broke", "burst", "possible"],
    ]
    assert frames.links([]).empty


def test_scores_are_those_of_the_table():
    table = score_table([[(0, 0), (2, 2)]], [GOLD.links], [TOKENS], seed=1)
    row = frames.scores({"mine": table}).loc[("mine", "all")]
    assert (row["aer"], row["precision"], row["recall"]) == (table["all"]["aer"], 1.0, 0.5)
    assert (row["drawn"], row["sure"], row["pairs"]) == (2, 2, 1)
    assert pd.isna(row["low"])


def said(annotator, label):
    return GoldJudgement(
        annotator, label, "2026-01-01T00:00:00+00:00", "", flagged=False, skipped=label is None
    )


def test_agreement_of_judgements():
    sentence = GoldSentence("a", 0, "Yes", ("Yes",), (0,))
    labels = [("y", "y"), ("n", "n"), ("y", "n"), ("y", None)]
    pairs = [
        GoldPair(str(key), "c", "y", sentence, sentence, (said("1", one), said("2", two)), None)
        for key, (one, two) in enumerate(labels)
    ]
    judged = frames.judgements(pairs)
    assert len(judged) == 8 and judged["label"].isna().sum() == 1
    table = frames.agreement(judged)
    assert table.loc["observed", "value"] == pytest.approx(2 / 3)
    assert table.loc["observed", "items"] == 3
    # Krippendorff (2011): coincidences yy 2, nn 2, yn and ny 1 each; alpha = 1 - 5 * 2 / (2 * 9).
    assert table.loc["alpha_nominal", "value"] == pytest.approx(4 / 9)
    with pytest.raises(ValueError, match="twice"):
        frames.agreement(pd.concat([judged, judged]))
    with pytest.raises(ValueError, match="'n' is not among y"):
        frames.agreement(judged, ["y"])


def test_agreement_on_links():
    table = frames.link_agreement(link_agreement_table([(TOKENS, GOLD.links, Links.of([(0, 0), (1, 1)]))]))
    assert list(table.index) == ["all", "identical", "non_identical"]
    assert table.loc["identical", "agreement"] == 1.0
    assert table.loc["all", "drawn"] == 3


def test_pandas_is_named_where_it_is_missing():
    program = (
        "import sys; sys.modules['pandas'] = None\nfrom paragold import frames\n"
        "try: frames.links([])\nexcept ImportError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "pip install pandas" in done.stdout
