import csv
import io
from collections import Counter

import pytest
from hypothesis import given, strategies as st

from paragold.formats.tables import Columns, TableRows, exact_lines, named_rows, read_head
from paragold.problems import FileProblem


def by_stream(text, path):
    path.write_text(text, encoding="utf-8", newline="")
    problems = []
    rows = [cells for _, cells in TableRows(path, problems)]
    if problems:
        raise problems[0]
    assert [list(row) for row in read_head(path)[1]] == rows[:5]
    return rows


def by_name(text, path):
    columns = ("id", "label", "a", "b")
    usual = Columns({name: (name,) for name in columns})
    rows = named_rows(text, usual, Counter(), chosen={}, required=columns)
    return [list(row.values()) for _, row in rows]


HEADER = "id\tlabel\ta\tb\n"
READERS = pytest.mark.parametrize("read", [by_stream, by_name])


@READERS
@pytest.mark.parametrize(
    "rows",
    [
        [["1", "1", '"The storm hit.', "A storm."], ["2", "0", 'No one hurt."', "No."], ["3", "1", "x", "y"]],
        [["1", "1", 'A 5" pipe', 'A 5"" pipe']],
        [["1", "1", '"Storm', "x"], ["2", "0", "x", 'Hurt"']],
        [["1", "1", "x", '"Storm'], ['"2"', "0", "x", "y"]],
        [["1", "1", '"Yes," he said', 'He said, "yes"']],
        [["1", "", '""', "y"]],
    ],
)  # fmt: skip
def test_between_tabs_they_are_ordinary(read, rows, tmp_path):
    for end in ("\n", "\r\n", "\r"):
        text = (HEADER + "".join("\t".join(row) + "\n" for row in rows)).replace("\n", end)
        assert read(text, tmp_path / "pairs.txt") == rows
        assert read("\ufeff" + text, tmp_path / "pairs.tsv") == rows


def written(rows, quoting, *, header=("id", "label", "a", "b")):
    text = io.StringIO(newline="")
    csv.writer(text, delimiter="\t", quoting=quoting, lineterminator="\n").writerows([header, *rows])
    return text.getvalue()


@READERS
@pytest.mark.parametrize(
    ("rows", "quoting"),
    [
        ([["1", "1", '"Yes," he said.', "He said yes."], ["2", "0", "x", 'A 5" pipe']], csv.QUOTE_MINIMAL),
        ([["1", "1", "First line\n\nthird line", "x"], ["2", "0", "x", "y"]], csv.QUOTE_MINIMAL),
        ([["1", "1", "a tab\tin it", "x"], ["2", "0", "x", '"y"']], csv.QUOTE_MINIMAL),
        ([["1", "1", "a", "b"], ["2", "0", '"c"', 'd"']], csv.QUOTE_ALL),
    ],
)
def test_files_that_are_certainly_quoted_as_csv(read, rows, quoting, tmp_path):
    assert read(written(rows, quoting), tmp_path / "pairs.tsv") == rows
    # Excel quotes cells with commas.
    text = HEADER + '1\t1\t"Yes, he said."\t"He said ""yes""."\n'
    assert read(text, tmp_path / "pairs.txt") == [["1", "1", "Yes, he said.", 'He said "yes".']]


@READERS
@pytest.mark.parametrize(
    ("text", "line"),
    [
        # Two kinds of quoting in one file.
        (HEADER + '1\t1\tA 5" pipe\tx\n2\t1\t"He said ""yes""."\ty\n', 3),
        # Two rows, or a cell with tabs and line breaks: either way a row is missing something.
        (HEADER + '1\t1\t"The storm hit.\tA storm.\n2\tNobody was hurt."\tNo.\n', 3),
        (HEADER + '1\t1\t"The storm hit.\n2\t0\tNobody was hurt.\tNo.\n', 2),
        # The header is quoted and a mark is not closed, or closed by that of a later cell.
        ('"id"\t"label"\t"a"\t"b"\n"1"\t"1"\t"x"\t"y"\n"2"\t"1"\t"x\t"y"\n"3"\t"1"\t"x"\t"y"\n', 3),
    ],
)
def test_uncertain_files_are_refused_with_the_line(read, text, line, tmp_path):
    with pytest.raises(FileProblem) as error:
        read(text, tmp_path / "pairs.tsv")
    assert error.value.line == line


@READERS
@pytest.mark.parametrize("separator", [",", ";"])
@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ('1,1,"x,y\n2,0,x,y\n3,1,x,y\n', 2),
        ('1,1,"two\nlines","x\n2,0,x,y\n', 3),
        ('1,1,"x"x,y\n2,0,x,y\n', 2),
    ],
)
def test_marks_that_are_not_closed_in_csv_are_refused_with_the_line_that_opens_them(
    read, rows, line, separator, tmp_path
):
    with pytest.raises(FileProblem) as error:
        read(("id,label,a,b\n" + rows).replace(",", separator), tmp_path / "pairs.csv")
    assert error.value.line == line


texts = st.text(st.sampled_from('ab "\t\n\r,;'), max_size=6)


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=4), st.sampled_from("\t,;"))
def test_exact_tables_are_read_back(tmp_path_factory, rows, separator):
    path = tmp_path_factory.mktemp("tables") / "table"
    path.write_text(exact_lines([("first", "second"), *rows], separator=separator), newline="")
    problems = []
    assert [tuple(cells) for _, cells in TableRows(path, problems)] == rows
    assert not problems
