from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragold.formats.judgements import pairs_tsv
from paragold.formats.judgements.pairs_tsv import LabelledPair, one_line
from paragold.problems import FileProblem

HEADER = "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n"
PAIR = LabelledPair(True, "a:1", "b:2", 'He said "no".', "«Non», dit-il.")
REAL_FILE = (
    Path(__file__).resolve().parents[4].parent / "shared" / "data" / "paraphrase" / "msr_paraphrase_train.txt"
)

CHARACTERS = st.characters(exclude_categories=["Cs"])
TEXTS = st.text(CHARACTERS, min_size=1).filter(lambda text: text.strip())
KEYS = TEXTS.filter(lambda key: not set(key) & set("\t\n\r"))


def test_written_form():
    other = LabelledPair(False, "3", "4", "x", "y")
    assert pairs_tsv.dumps([PAIR, other]) == (
        HEADER + '1\ta:1\tb:2\tHe said "no".\t«Non», dit-il.\n' + "0\t3\t4\tx\ty\n"
    )


def test_white_space_in_sentences_becomes_one_space():
    pair = LabelledPair(True, "1", "2", " two\nlines\t and\u2028more\u00a0 ", "b")
    assert pairs_tsv.loads(pairs_tsv.dumps([pair])) == [
        LabelledPair(True, "1", "2", "two lines and more", "b")
    ]


@given(st.lists(st.builds(LabelledPair, st.booleans(), KEYS, KEYS, TEXTS, TEXTS), max_size=4))
def test_round_trip_up_to_white_space(pairs):
    assert pairs_tsv.loads(pairs_tsv.dumps(pairs)) == [
        LabelledPair(
            pair.paraphrase,
            pair.first_key,
            pair.second_key,
            one_line(pair.first_text),
            one_line(pair.second_text),
        )
        for pair in pairs
    ]


@pytest.mark.parametrize("key", ["", " ", "a\tb", "a\nb", "a\r"])
def test_key_that_would_break_the_table_is_not_written(key):
    with pytest.raises(FileProblem, match="line 3: the key"):
        pairs_tsv.dumps([PAIR, LabelledPair(True, key, "2", "a", "b")])


def test_sentence_without_text_is_not_written():
    with pytest.raises(FileProblem, match="line 2: a sentence has no text"):
        pairs_tsv.dumps([LabelledPair(True, "1", "2", "a", " \n")])


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 0, "is empty"),
        ("1\ta\tb\tc\td\n", 1, "the header is missing"),
        (HEADER + "1\ta\tb\tc\n", 2, "4 columns instead of 5"),
        (HEADER + "1\ta\tb\tc\td\n\n", 3, "1 columns instead of 5"),
        (HEADER + "2\ta\tb\tc\td\n", 2, "Quality is '2'"),
        (HEADER + "1\ta\t\tc\td\n", 2, "a column is empty"),
    ],
)
def test_bad_files_are_refused_by_line(text, line, message):
    with pytest.raises(FileProblem) as caught:
        pairs_tsv.loads(text)
    assert caught.value.line == line
    assert message in str(caught.value)


@pytest.mark.parametrize("byte_order_mark", [False, True])
def test_files_with_and_without_byte_order_mark(tmp_path, byte_order_mark):
    path = tmp_path / "pairs.tsv"
    pairs_tsv.write(path, [PAIR], byte_order_mark=byte_order_mark)
    assert path.read_bytes().startswith(b"\xef\xbb\xbf") is byte_order_mark
    assert pairs_tsv.read(path) == [PAIR]


@pytest.mark.real_data
def test_official_corpus_is_read_and_written_back_up_to_white_space(tmp_path):
    if not REAL_FILE.is_file():
        pytest.skip(f"no paraphrase data at {REAL_FILE}")
    pairs = pairs_tsv.read(REAL_FILE)
    assert len(pairs) == 4076
    assert sum(pair.paraphrase for pair in pairs) == 2753
    pairs_tsv.write(tmp_path / "again.txt", pairs, byte_order_mark=True)
    official = REAL_FILE.read_bytes().split(b"\n")
    again = (tmp_path / "again.txt").read_bytes().split(b"\n")
    assert len(again) == len(official)
    differing = [(new, old) for new, old in zip(again, official, strict=True) if new != old]
    assert len(differing) == 6
    assert all(new.split() == old.split() for new, old in differing)
