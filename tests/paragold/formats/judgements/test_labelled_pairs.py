from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, strategies as st

from paragold.formats.labelled_pairs import TextPair, dumps, one_line, read_pairs
from paragold.formats.pair_files import TSV_COLUMNS
from paragold.problems import FileProblem

CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.text(CHARACTERS, min_size=1).filter(lambda text: text.strip())
KEYS = TEXTS.filter(lambda key: not set(key) & set("\t\n\r"))


def written(tmp_path, text):
    path = tmp_path / "pairs.tsv"
    path.write_bytes(text.encode())
    return path


def msr_pair(label, first_key, second_key, first, second):
    return TextPair(first, second, label, "", (first_key, second_key), 0)


PAIR = msr_pair(True, "a:1", "b:2", 'He said "no".', "«Non», dit-il.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0\ta b\tc d\n\n", (False, "", "a b", "c d")),
        *(
            (f"{first} said\tc d\n", (None, "", f"{first} said", "c d"))
            for first in ("<unk>", "[Applause]", "{")
        ),
        ("\t".join(TSV_COLUMNS) + "\nc\tone\t0\ttwo\t4\t3\tA b .\tC d .\n", (None, "c", "A b .", "C d .")),
    ],
)
def test_layouts_without_labels_or_a_header(tmp_path, text, expected):
    (pair,) = read_pairs(written(tmp_path, text))
    assert (pair.label, pair.cluster, pair.first, pair.second) == expected
    assert pair.keys == (("one:0", "two:4") if pair.cluster else ("", ""))


def reread(pairs):
    """The pairs after they were written and read."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.tsv"
        path.write_text(dumps(pairs), encoding="utf-8", newline="")
        return [msr_pair(bool(pair.label), *pair.keys, pair.first, pair.second) for pair in read_pairs(path)]


def test_written_form():
    header = "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n"
    assert dumps([PAIR, msr_pair(False, "3", "4", "x", " two\nlines\t and\u2028more\u00a0 ")]) == (
        header + '1\ta:1\tb:2\tHe said "no".\t«Non», dit-il.\n0\t3\t4\tx\ttwo lines and more\n'
    )
    with pytest.raises(FileProblem, match="line 2: a sentence has no text"):
        dumps([msr_pair(True, "1", "2", "a", " \n")])


@given(st.lists(st.builds(msr_pair, st.booleans(), KEYS, KEYS, TEXTS, TEXTS), min_size=1, max_size=4))
def test_round_trip_up_to_white_space(pairs):
    assert reread(pairs) == [
        msr_pair(bool(pair.label), *pair.keys, one_line(pair.first), one_line(pair.second)) for pair in pairs
    ]


@pytest.mark.parametrize("key", ["", "a\tb", "a\r"])
def test_key_that_would_break_the_table_is_not_written(key):
    with pytest.raises(FileProblem, match="line 3: the key"):
        dumps([PAIR, msr_pair(True, key, "2", "a", "b")])


@pytest.mark.real_data
def test_the_real_corpus_is_read_and_written_back_up_to_white_space(shared_data):
    path = shared_data / "paraphrase" / "msr_paraphrase_train.txt"
    pairs = read_pairs(path)
    assert len(pairs) == 4076
    assert sum(bool(pair.label) for pair in pairs) == 2753
    official = path.read_bytes().decode("utf-8-sig").split("\n")
    lines = zip(dumps(pairs).split("\n"), official, strict=True)
    assert all(new.split() == old.split() for new, old in lines)
