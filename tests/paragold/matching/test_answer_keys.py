"""Pairs against an answer key, and keys drafted for a person to correct."""

import numpy as np
import pytest

from paragold.cli.main import main
from paragold.matching.files import answer_key, best, draft_key, rows_of, score_curve
from paragold.matching.similar_pairs import scored_pairs
from paragold.matching.specs import KeyDraftSpec

# Texts 0 to 2 are of one file, 3 to 6 of the other; text 1 corresponds to two texts together.
OF_TWO_FILES = answer_key([(0, 3), (1, 4, 5), (2,)], split=3)
PROPOSED = scored_pairs(np.array([0, 1, 2, 1]), np.array([3, 4, 6, 5]), np.array([0.9, 0.8, 0.6, 0.4]))


def test_a_row_gives_the_pairs_across_the_files_or_all_of_one():
    assert OF_TWO_FILES == {(0, 3): (0,), (1, 4): (1,), (1, 5): (1,)}
    assert rows_of(OF_TWO_FILES) == 2
    assert set(answer_key([(4, 1, 5)])) == {(1, 4), (1, 5), (4, 5)}


def test_figures_at_each_threshold():
    curve = score_curve(PROPOSED, OF_TWO_FILES, [0.4, 0.6, 0.8, 0.95])
    low, middle, high, none = curve.itertuples()
    assert (low.proposed, low.right, low.precision, low.recall, low.row_recall) == (4, 3, 0.75, 1.0, 1.0)
    assert (middle.proposed, middle.right) == (3, 2)
    assert (high.precision, high.recall, high.row_recall) == (1.0, pytest.approx(2 / 3), 1.0)
    assert (none.proposed, none.precision, none.recall, none.f) == (0, 1.0, 0.0, 0.0)
    assert low.f == pytest.approx(2 * 0.75 / 1.75)
    assert (best(curve)["threshold"], best(curve, by="row_f")["threshold"]) == (0.4, 0.8)


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


def drafted(first, second, **spec):
    beads = draft_key(first, second, KeyDraftSpec(**spec))
    return [(list(one), list(other)) for one, other in beads]


def test_texts_are_joined_in_order():
    assert drafted(FIRST, SECOND) == [([0], [0]), ([1], [1]), ([2], []), ([3], [2, 3])]


def test_without_the_filter_lengths_alone_decide():
    texts = ["aaa bbb " * 9, "ccc " * 30]
    others = ["xxx yyy " * 9, "zzz " * 30]
    assert drafted(texts, others, min_jaccard=0) == [([0], [0]), ([1], [1])]
    assert all(not (first and second) for first, second in drafted(texts, others))


def test_every_text_is_in_one_bead():
    beads = drafted(FIRST * 5, SECOND * 6, min_jaccard=0.4)
    assert [text for first, _ in beads for text in first] == list(range(20))
    assert [text for _, second in beads for text in second] == list(range(24))
    for first, second in (([], []), (["a b"], []), ([], ["a b", "c"])):
        assert len(drafted(first, second)) == len(first) + len(second)


@pytest.mark.real_data
def test_leagues_part_one(shared_data, tmp_path, capsys):
    leagues = shared_data / "leagues"
    files = [str(leagues / f"{name}_part_one.tsv") for name in ("mercier", "walter")]
    key = leagues / "silver_paragraph_key_part_one.tsv"
    assert main(["draft-key", *files, "--key", str(key), "--output", str(tmp_path / "key.tsv")]) == 0
    said = capsys.readouterr().out
    assert float(said.rsplit("F ", 1)[1].split(" ")[0]) > 80
    text = (tmp_path / "key.tsv").read_text(encoding="utf-8")
    assert text.startswith("first_ids\tsecond_ids\nM01.001\tW01.001\n")
