"""Drafts of answer keys: in order, by lengths, with the filter by words."""

from pathlib import Path

import pytest

from paragold.cli.main import main
from paragold.matching.key_drafts import Bead, KeyDraftSpec, draft_key

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


def test_texts_are_joined_in_order() -> None:
    beads = draft_key(FIRST, SECOND, KeyDraftSpec())
    assert beads == [Bead((0,), (0,)), Bead((1,), (1,)), Bead((2,), ()), Bead((3,), (2, 3))]


def test_without_the_filter_lengths_alone_decide() -> None:
    texts = ["aaa bbb " * 9, "ccc " * 30]
    others = ["xxx yyy " * 9, "zzz " * 30]
    assert draft_key(texts, others, KeyDraftSpec(min_jaccard=0)) == [Bead((0,), (0,)), Bead((1,), (1,))]
    assert all(not (bead.first and bead.second) for bead in draft_key(texts, others, KeyDraftSpec()))


@pytest.mark.parametrize(("first", "second"), [([], []), (["a b"], []), ([], ["a b", "c"])])
def test_an_empty_side_has_no_counterparts(first: list[str], second: list[str]) -> None:
    beads = draft_key(first, second, KeyDraftSpec())
    assert len(beads) == len(first) + len(second)


def test_every_text_is_in_one_bead() -> None:
    beads = draft_key(FIRST * 5, SECOND * 6, KeyDraftSpec(min_jaccard=0.4))
    assert [one for bead in beads for one in bead.first] == list(range(20))
    assert [one for bead in beads for one in bead.second] == list(range(24))


@pytest.mark.real_data
def test_leagues_part_one(shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    leagues = shared_data / "leagues"
    files = [str(leagues / f"{name}_part_one.tsv") for name in ("mercier", "walter")]
    key = leagues / "silver_paragraph_key_part_one.tsv"
    assert main(["draft-key", *files, "--key", str(key), "--output", str(tmp_path / "key.tsv")]) == 0
    said = capsys.readouterr().out
    assert float(said.rsplit("F ", 1)[1].split(" ")[0]) > 80
    drafted = (tmp_path / "key.tsv").read_text(encoding="utf-8")
    assert drafted.startswith("first_ids\tsecond_ids\nM01.001\tW01.001\n")
