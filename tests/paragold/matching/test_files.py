import pytest

from paragold.matching.files import read_answer_key, read_texts
from paragold.problems import FileProblem


def written(folder, text):
    path = folder / "file.tsv"
    path.write_text(text, encoding="utf-8", newline="")
    return path


def test_texts_without_a_header_and_answer_keys(tmp_path):
    path = written(tmp_path, '\ufeffp1\t"Quoted, he said.\r\n\np2\tText.\n')
    assert read_texts(path) == {"p1": '"Quoted, he said.', "p2": "Text."}
    path = written(tmp_path, "ours\ttheirs\tsure\na,b\tc\t0.5\n-\td\t0\na\t-\t0\n")
    assert read_answer_key(path, {"a", "b", "c", "d"}) == [(("a", "b"), ("c",))]


@pytest.mark.parametrize(
    "header", ["paragraph_id\tchapter\ttext", "chapter\tid\tTEXT", "text\tn\tkey", "name\tn\ttext"]
)
def test_with_a_header(tmp_path, header):
    names = header.lower().split("\t")
    key = next((name for name in ("id", "paragraph_id") if name in names), "")
    place = names.index(key) if key else int(names[0] == "text")
    fields = ["other"] * 3
    fields[place], fields[names.index("text")] = "p1", "A text."
    path = written(tmp_path, header + "\n" + "\t".join(fields) + "\n")
    assert read_texts(path) == {"p1": "A text."}


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a\tx\nb\tx\ty\n", 2, "3 columns instead of 2"),
        ("a\tx\na\ty\n", 2, "'a' is also on line 1"),
        ("", 0, "The file has no text"),
    ],
)
def test_faults_are_reported_with_their_line(tmp_path, text, line, message):
    with pytest.raises(FileProblem, match=message) as caught:
        read_texts(written(tmp_path, text))
    assert [problem.line for problem in caught.value.problems] == [line]
