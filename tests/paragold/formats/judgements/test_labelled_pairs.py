"""The layouts of files of pairs, every faulty line with its number, and the file that is written."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragold.formats.judgements.labelled_pairs import MSR_HEADER, TextPair, dumps, one_line, read_pairs
from paragold.formats.pairs.files import TSV_COLUMNS
from paragold.problems import FileProblem

MSR_TRAIN = Path(__file__).parents[5] / "shared/data/paraphrase/msr_paraphrase_train.txt"

CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.text(CHARACTERS, min_size=1).filter(lambda text: text.strip())
KEYS = TEXTS.filter(lambda key: not set(key) & set("\t\n\r"))


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_bytes(text.encode())
    return path


def msr_pair(label: bool, first_key: str, second_key: str, first: str, second: str) -> TextPair:
    return TextPair(first, second, label, "", (first_key, second_key), 0)


PAIR = msr_pair(True, "a:1", "b:2", 'He said "no".', "«Non», dit-il.")


def test_the_msr_layout_with_mark_and_literal_quotes(tmp_path: Path) -> None:
    header = "\t".join(MSR_HEADER)
    path = written(tmp_path, f'\ufeff{header}\r\n1\t7\t8\tHe said "no\tShe said "no"\r\n0\t9\t7\tA\tB\r\n')
    first, second = read_pairs(path)
    assert (first.label, first.keys, first.first, first.second) == (
        True,
        ("7", "8"),
        'He said "no',
        'She said "no"',
    )
    assert (second.label, second.line, second.cluster) == (False, 3, "")


def test_layouts_without_a_header(tmp_path: Path) -> None:
    (labelled,) = read_pairs(written(tmp_path, "0\ta b\tc d\n\n"))
    assert (labelled.label, labelled.first, labelled.second) == (False, "a b", "c d")
    (unlabelled,) = read_pairs(written(tmp_path, "a b\tc d"))
    assert unlabelled.label is None


@pytest.mark.parametrize("first", ["<unk> said so", "[Applause] he said", "{ said"])
def test_a_first_sentence_may_begin_with_any_bracket(tmp_path: Path, first: str) -> None:
    (pair,) = read_pairs(written(tmp_path, f"{first}\tc d\n"))
    assert (pair.first, pair.second) == (first, "c d")


def test_candidate_pairs_carry_their_cluster(tmp_path: Path) -> None:
    text = "\t".join(TSV_COLUMNS) + "\nstorm\tone\t0\ttwo\t4\t3\tA b .\tC d .\n"
    (pair,) = read_pairs(written(tmp_path, text))
    assert (pair.cluster, pair.keys, pair.label) == ("storm", ("one:0", "two:4"), None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\ta\tb\nyes\ta\tb\n1\ta\n", "line 2: The label is 'yes'"),
        ("1\ta\tb\n1\ta\n", "line 2: 2 columns instead of 3"),
        ("1\ta\t \n", "line 1: A sentence is empty"),
        (f"1\ta\t{'b' * 10_001}\n", "line 1: A sentence is longer than 10,000 characters"),
        ("a b c\n", "line 1: The first line has 1 columns"),
        ("", "The file has no pair"),
        ("\n\n", "The file has no pair"),
        ("PK\x03\x04", "zip archive"),
    ],
)
def test_faulty_files(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FileProblem) as caught:
        read_pairs(written(tmp_path, text))
    assert message in str(caught.value)


def test_all_faulty_lines_are_reported_at_once(tmp_path: Path) -> None:
    with pytest.raises(FileProblem) as caught:
        read_pairs(written(tmp_path, "1\ta\tb\n" + "2\ta\tb\n" * 30))
    assert [problem.line for problem in caught.value.problems] == list(range(2, 32))
    assert "... and 25 more problems." in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="cannot be read"):
        read_pairs(tmp_path / "absent.tsv")
    (tmp_path / "latin.tsv").write_bytes(b"1\tcaf\xe9\tb\n")
    with pytest.raises(FileProblem, match=r"line 1, column 6: .*0xE9"):
        read_pairs(tmp_path / "latin.tsv")


def reread(pairs: list[TextPair]) -> list[TextPair]:
    """The pairs after they were written and read."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.tsv"
        path.write_text(dumps(pairs), encoding="utf-8", newline="")
        return [msr_pair(bool(pair.label), *pair.keys, pair.first, pair.second) for pair in read_pairs(path)]


def test_written_form() -> None:
    header = "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n"
    assert dumps([PAIR, msr_pair(False, "3", "4", "x", "y")]) == (
        header + '1\ta:1\tb:2\tHe said "no".\t«Non», dit-il.\n' + "0\t3\t4\tx\ty\n"
    )


def test_white_space_in_sentences_becomes_one_space() -> None:
    pair = msr_pair(True, "1", "2", " two\nlines\t and\u2028more\u00a0 ", "b")
    assert reread([pair]) == [msr_pair(True, "1", "2", "two lines and more", "b")]


@given(st.lists(st.builds(msr_pair, st.booleans(), KEYS, KEYS, TEXTS, TEXTS), min_size=1, max_size=4))
def test_round_trip_up_to_white_space(pairs: list[TextPair]) -> None:
    assert reread(pairs) == [
        msr_pair(bool(pair.label), *pair.keys, one_line(pair.first), one_line(pair.second)) for pair in pairs
    ]


@pytest.mark.parametrize("key", ["", " ", "a\tb", "a\nb", "a\r"])
def test_key_that_would_break_the_table_is_not_written(key: str) -> None:
    with pytest.raises(FileProblem, match="line 3: the key"):
        dumps([PAIR, msr_pair(True, key, "2", "a", "b")])


def test_sentence_without_text_is_not_written() -> None:
    with pytest.raises(FileProblem, match="line 2: a sentence has no text"):
        dumps([msr_pair(True, "1", "2", "a", " \n")])


@pytest.mark.real_data
@pytest.mark.skipif(not MSR_TRAIN.is_file(), reason="the shared research data is not here")
def test_the_real_corpus_is_read_and_written_back_up_to_white_space() -> None:
    pairs = read_pairs(MSR_TRAIN)
    assert len(pairs) == 4076
    assert sum(bool(pair.label) for pair in pairs) == 2753
    official = MSR_TRAIN.read_bytes().decode("utf-8-sig").split("\n")
    lines = zip(dumps(pairs).split("\n"), official, strict=True)
    assert all(new.split() == old.split() for new, old in lines)
