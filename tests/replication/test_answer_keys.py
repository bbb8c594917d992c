import pytest

from paragold.cli.console import run_command
from replication.answer_keys import COMMAND, KeyDraftSpec, draft_key

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
    arguments = [*files, "--key", str(key), "--output", str(tmp_path / "key.tsv")]
    assert run_command(COMMAND, "answer_keys", arguments) == 0
    said = capsys.readouterr().out
    assert float(said.rsplit("F ", 1)[1].split(" ")[0]) > 80
    text = (tmp_path / "key.tsv").read_text(encoding="utf-8")
    assert text.startswith("first_ids\tsecond_ids\nM01.001\tW01.001\n")
