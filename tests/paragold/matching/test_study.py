"""Pairs against an answer key: figures by hand, curves, scatter, time against n; drafts of keys."""

from itertools import count

import numpy as np
import pytest

from paragold.cli.main import main
from paragold.matching import study
from paragold.matching.key_drafts import Bead, KeyDraftSpec, draft_key
from paragold.matching.similar_pairs import ScoredPairs
from paragold.matching.study import AnswerKey, StudyTexts, best_f, best_row_f, score_curve

TEXTS = [
    *("harbour lay quiet under moon", "two boats came in at dawn", "nobody spoke"),
    *("under moon harbour lay quiet", "at dawn two boats came in laden", "why"),
]


@pytest.fixture
def texts():
    return StudyTexts([text.split() for text in TEXTS], 3)


@pytest.fixture
def key():
    return AnswerKey.from_rows([[0, 3], [1, 4, 5]], 3)


def test_the_curve_is_that_of_its_definitions(texts, key):
    result = study.quality(texts, key, study.EXACT, seed=1)
    rows = {row[0]: row[1:] for row in result["curve"]}
    assert len(rows) == 91
    assert rows[0.5] == [2, 2, 1.0, pytest.approx(2 / 3, abs=1e-6), pytest.approx(0.8), 1.0, 1.0]
    assert rows[1.0][:3] == [1, 1, 1.0]
    assert result["best"]["threshold"] == 0.85
    assert result["best_by_rows"]["row_f"] == 1.0
    assert result["paper_one_partner"]["threshold"] == 0.33


def test_estimates_are_spread_as_theory_says():
    words = [[f"w{n}" for n in range(start, start + 20)] for start in range(40)]
    result = study.scatter(StudyTexts(words, 0), 256, seed=3)
    assert all(jaccard >= study.LOWEST_THRESHOLD for jaccard, _ in result["points"])
    assert abs(result["bias"]) < 0.01
    assert result["deviation"] == pytest.approx(result["expected"], rel=0.35)
    assert result == study.scatter(StudyTexts(words, 0), 256, seed=3)
    nothing = study.scatter(StudyTexts([["a"], ["b"]], 1), 16, seed=1)
    assert (nothing["points"], nothing["bias"]) == ([], None)


@pytest.mark.parametrize("method", [study.EXACT, "16"])
def test_times_are_the_least_of_three(texts, method):
    ticks = count()
    rows = study.times(StudyTexts(texts.words * 4, 12), method, seed=1, clock=lambda: float(next(ticks)))
    assert rows == [[n, 1.0] for n in (4, 6, 12, 18, 24)]


def test_tables_hold_every_figure(texts, key):
    figures = {
        "quality": {"16": study.quality(texts, key, "16", seed=1)},
        "scatter": {"16": study.scatter(texts, 16, seed=1)},
        "times": {"16": [[6, 0.5]]},
    }
    tables = study.tables(figures)
    assert [len(tables[name]) for name in ("curves", "scatter", "times")] == [183, 3, 2]
    assert {len(row) for row in tables["curves"]} == {10}
    assert tables["times"][1] == ("16", 6, 0.5)


# Texts 0 to 2 are of one file, 3 to 6 of the other; text 1 corresponds to two texts together.
OF_TWO_FILES = AnswerKey.from_rows([(0, 3), (1, 4, 5), (2,)], split=3)
PROPOSED = ScoredPairs.sorted(np.array([0, 1, 2, 1]), np.array([3, 4, 6, 5]), np.array([0.9, 0.8, 0.6, 0.4]))


def test_a_row_gives_the_pairs_across_the_files_or_all_of_one():
    assert OF_TWO_FILES.pairs == {(0, 3): (0,), (1, 4): (1,), (1, 5): (1,)}
    assert OF_TWO_FILES.rows == 2
    assert set(AnswerKey.from_rows([(4, 1, 5)]).pairs) == {(1, 4), (1, 5), (4, 5)}


def test_figures_at_each_threshold():
    low, middle, high, none = curve = score_curve(PROPOSED, OF_TWO_FILES, [0.4, 0.6, 0.8, 0.95])
    assert (low.proposed, low.right, low.precision, low.recall, low.row_recall) == (4, 3, 0.75, 1.0, 1.0)
    assert (middle.proposed, middle.right) == (3, 2)
    assert (high.precision, high.recall, high.row_recall) == (1.0, pytest.approx(2 / 3), 1.0)
    assert (none.proposed, none.precision, none.recall, none.f) == (0, 1.0, 0.0, 0.0)
    assert low.f == pytest.approx(2 * 0.75 / 1.75)
    assert (best_f(curve).threshold, best_row_f(curve).threshold) == (0.4, 0.8)


FIRST = [
    "The harbour lay quiet under the moon, and nobody spoke on the long pier.",
    "Two boats came in at dawn with their nets full of herring and mackerel.",
    "This paragraph about the weather in the mountains was left out by the other translator.",
    "The captain asked who had seen the light. Nobody answered him for a while, then one sailor did.",
]
SECOND = [
    "Under the moon the harbour lay quiet; nobody on the long pier spoke.",
    "At dawn two boats came in, their nets full of mackerel and herring.",
    "The captain asked who had seen the light.",
    "Nobody answered him for a while, then one sailor did.",
]


def test_texts_are_joined_in_order():
    beads = draft_key(FIRST, SECOND, KeyDraftSpec())
    assert beads == [Bead((0,), (0,)), Bead((1,), (1,)), Bead((2,), ()), Bead((3,), (2, 3))]


def test_without_the_filter_lengths_alone_decide():
    texts = ["aaa bbb " * 9, "ccc " * 30]
    others = ["xxx yyy " * 9, "zzz " * 30]
    assert draft_key(texts, others, KeyDraftSpec(min_jaccard=0)) == [Bead((0,), (0,)), Bead((1,), (1,))]
    assert all(not (bead.first and bead.second) for bead in draft_key(texts, others, KeyDraftSpec()))


def test_every_text_is_in_one_bead():
    beads = draft_key(FIRST * 5, SECOND * 6, KeyDraftSpec(min_jaccard=0.4))
    assert [one for bead in beads for one in bead.first] == list(range(20))
    assert [one for bead in beads for one in bead.second] == list(range(24))
    for first, second in (([], []), (["a b"], []), ([], ["a b", "c"])):
        assert len(draft_key(first, second, KeyDraftSpec())) == len(first) + len(second)


@pytest.mark.real_data
def test_leagues_part_one(shared_data, tmp_path, capsys):
    leagues = shared_data / "leagues"
    files = [str(leagues / f"{name}_part_one.tsv") for name in ("mercier", "walter")]
    key = leagues / "silver_paragraph_key_part_one.tsv"
    assert main(["draft-key", *files, "--key", str(key), "--output", str(tmp_path / "key.tsv")]) == 0
    said = capsys.readouterr().out
    assert float(said.rsplit("F ", 1)[1].split(" ")[0]) > 80
    drafted = (tmp_path / "key.tsv").read_text(encoding="utf-8")
    assert drafted.startswith("first_ids\tsecond_ids\nM01.001\tW01.001\n")
