"""The layouts of files of pairs, and every faulty line with its number."""

from pathlib import Path

import pytest

from paragold.problems import FileProblem
from paragold.sources.labelled_pairs import CANDIDATES_HEADER, MSR_HEADER, read_pairs

MSR_TRAIN = Path(__file__).parents[4] / "shared/data/paraphrase/msr_paraphrase_train.txt"


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_bytes(text.encode())
    return path


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
    text = "\t".join(CANDIDATES_HEADER) + "\nstorm\tone\t0\ttwo\t4\t3\tA b .\tC d .\n"
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
        ("", "There is no pair in it"),
        ("\n\n", "There is no pair in it"),
        ("PK\x03\x04", "zip archive"),
    ],
)
def test_faulty_files(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FileProblem) as caught:
        read_pairs(written(tmp_path, text))
    assert message in str(caught.value)


def test_all_faulty_lines_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(FileProblem) as caught:
        read_pairs(written(tmp_path, "1\ta\tb\n" + "2\ta\tb\n" * 30))
    assert [problem.line for problem in caught.value.problems] == list(range(2, 32))
    assert "... and 10 more problems." in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="cannot be read"):
        read_pairs(tmp_path / "absent.tsv")
    (tmp_path / "latin.tsv").write_bytes(b"1\tcaf\xe9\tb\n")
    with pytest.raises(FileProblem, match=r"line 1, column 6: .*0xE9"):
        read_pairs(tmp_path / "latin.tsv")


@pytest.mark.real_data
@pytest.mark.skipif(not MSR_TRAIN.is_file(), reason="the shared research data is not here")
def test_the_real_corpus() -> None:
    pairs = read_pairs(MSR_TRAIN)
    assert len(pairs) == 4076
    assert sum(bool(pair.label) for pair in pairs) == 2753
