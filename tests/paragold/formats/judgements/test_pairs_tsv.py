from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragold.formats.judgements import pairs_tsv
from paragold.formats.judgements.pairs_tsv import LabelledPair, one_line
from paragold.problems import FileProblem
from paragold.sources.labelled_pairs import read_pairs

HEADER = "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n"
PAIR = LabelledPair(True, "a:1", "b:2", 'He said "no".', "«Non», dit-il.")
REAL_FILE = (
    Path(__file__).resolve().parents[4].parent / "shared" / "data" / "paraphrase" / "msr_paraphrase_train.txt"
)

CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.text(CHARACTERS, min_size=1).filter(lambda text: text.strip())
KEYS = TEXTS.filter(lambda key: not set(key) & set("\t\n\r"))


def reread(pairs):
    """The pairs after they were written and read."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.tsv"
        path.write_text(pairs_tsv.dumps(pairs), encoding="utf-8", newline="")
        return [
            LabelledPair(bool(pair.label), *pair.keys, pair.first, pair.second) for pair in read_pairs(path)
        ]


def test_written_form():
    other = LabelledPair(False, "3", "4", "x", "y")
    assert pairs_tsv.dumps([PAIR, other]) == (
        HEADER + '1\ta:1\tb:2\tHe said "no".\t«Non», dit-il.\n' + "0\t3\t4\tx\ty\n"
    )


def test_white_space_in_sentences_becomes_one_space():
    pair = LabelledPair(True, "1", "2", " two\nlines\t and\u2028more\u00a0 ", "b")
    assert reread([pair]) == [LabelledPair(True, "1", "2", "two lines and more", "b")]


@given(st.lists(st.builds(LabelledPair, st.booleans(), KEYS, KEYS, TEXTS, TEXTS), min_size=1, max_size=4))
def test_round_trip_up_to_white_space(pairs):
    assert reread(pairs) == [
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


@pytest.mark.real_data
def test_official_corpus_is_read_and_written_back_up_to_white_space():
    if not REAL_FILE.is_file():
        pytest.skip(f"no paraphrase data at {REAL_FILE}")
    pairs = read_pairs(REAL_FILE)
    assert len(pairs) == 4076
    assert sum(bool(pair.label) for pair in pairs) == 2753
    again = pairs_tsv.dumps(LabelledPair(bool(p.label), *p.keys, p.first, p.second) for p in pairs)
    official = REAL_FILE.read_bytes().decode("utf-8-sig").split("\n")
    differing = [(new, old) for new, old in zip(again.split("\n"), official, strict=True) if new != old]
    assert all(new.split() == old.split() for new, old in differing)
