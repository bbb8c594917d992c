import gzip
import io
import json
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from paragold import limits
from paragold.problems import FileProblem
from paragold.sources.article_reader import ArticleReader

from .lines import article, cluster, read, read_bytes, single

GOOD = cluster("good", article("a"), article("b"))


def only_problem(data: bytes, *, encoding: str = "utf-8") -> FileProblem:
    """The one problem of a file that gives no clusters but `good`."""
    clusters, reader = read_bytes(data, encoding=encoding)
    assert [cluster.key for cluster in clusters] in ([], ["good"])
    (problem,) = reader.problems
    assert problem.message.endswith(".")
    assert problem.remedy.endswith(".")
    return problem


def problem_of(line: str) -> FileProblem:
    """The problem of a line that stands second in its file."""
    problem = only_problem(f"{GOOD}\n{line}\n".encode())
    assert problem.line == 2
    return problem


@pytest.mark.parametrize(
    ("data", "message"), [(b"", "is empty"), (b"\xef\xbb\xbf", "blank"), (b" \r\n\n", "blank")]
)
def test_a_file_without_content(data: bytes, message: str) -> None:
    problem = only_problem(data)
    assert problem.line == 0
    assert message in problem.message


def archive() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as written:
        written.writestr("a.jsonl", GOOD)
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (archive(), "a zip archive"),
        (gzip.compress(GOOD.encode()), "a gzip file"),
        (b"%PDF-1.7\n%\xe2\xe3", "a PDF document"),
        (b"\xef\xbb\xbf\n <!DOCTYPE html><p>", "an HTML or XML page"),
        (b"[\n" + GOOD.encode() + b"\n]", "one JSON list"),
        (GOOD.encode("utf-16-le"), "UTF-16"),
        (GOOD.encode("utf-16-be"), "UTF-16"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG image"),
        (b"\x7fELF\x02\x01\x01", "a program"),
        (b"a.txt" + bytes(252) + b"ustar\0", "a tar archive"),
        (b"PAR1\x15\x04", "a Parquet file"),
    ],
)
def test_other_formats_are_recognised(data: bytes, message: str) -> None:
    problem = only_problem(data)
    assert problem.line == 0
    assert message in problem.message


def test_bytes_of_another_encoding_are_named() -> None:
    first = GOOD.encode() + b"\r\n"
    second = single("café", "a").encode("latin-1")
    problem = only_problem(first + second + b"\n" + second)
    at = second.index(b"\xe9")
    assert (problem.line, problem.column) == (2, at + 1)
    assert f"0xE9 at offset {len(first) + at:,}" in problem.message
    assert "latin-1" in problem.remedy


def test_offsets_count_the_bytes_of_a_recoded_file() -> None:
    data = b"\xff\xfe" + GOOD.encode("utf-16-le") * 9_000 + b"\x00\xdc!\x00"
    problem = only_problem(data, encoding="utf-16")
    assert problem.line == 0
    assert f"0x00 at offset {len(data) - 4:,}" in problem.message


@pytest.mark.parametrize("encoding", ["klingon", "rot13", "base64", "", "punycode", "idna", "unicode_escape"])
def test_an_unknown_encoding_is_refused(encoding: str) -> None:
    problem = only_problem(GOOD.encode(), encoding=encoding)
    assert f"{encoding!r} is not known" in problem.message


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.jsonl"):
        reader = ArticleReader(path)
        assert list(reader) == []
        assert "cannot be read" in reader.problems[0].message


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ('{"cluster_id": "c", "articles": [', 34, "a value is missing"),
        ('{"cluster_id": "c', 16, "not closed"),
        ('{"cluster_id": "c" "id": "a"}', 20, "a comma or a closing bracket"),
        ('{"cluster_id": "c"} {}', 21, "one object per line"),
        ('{"cluster_id": "c\td"}', 18, "control character"),
        ('{"cluster_id": "\\x"}', 17, "backslash"),
        ("{cluster_id: 1}", 2, "a key in double quotes"),
        ("cluster_id,text", 1, "not valid JSON"),
        ('{"cluster_id": "c\0"}', 18, "NUL"),
        ('{"cluster_id": "\\\\u0000\\u0000"}', 24, "NUL"),
        ('{"x": "\\ud83d\\ude00 \\ud83d"}', 21, "surrogate"),
        ('{"\\udc00": 1}', 3, "surrogate"),
        ('{"a": "NaN", "b": [NaN]}', 20, "NaN is not"),
        ('{"a": {"id": 1}, "b": "{", "id": 1, "id": 2}', 37, '"id" occurs twice'),
        ('{"a": "12345678901234567890", "b": -1234567890123456789}', 36, "18 digits"),
        ('{"a": 1e999}', 7, "too large"),
        ('{"a": ' + "[" * 64 + "]" * 64 + "}", 70, "64 deep"),
        ('{"a": ' + "[" * 100_000, 70, "64 deep"),
    ],
)
def test_lines_that_are_not_fit(line: str, column: int, message: str) -> None:
    problem = problem_of(line)
    assert message in problem.message
    assert problem.column == column


def test_what_only_looks_unfit_is_taken() -> None:
    text = 'NaN \\u0000 {"id": 1, "id": 2} ' + "[" * 100 + " -Infinity \U0001f600"
    line = json.dumps({"cluster_id": "c", "articles": [article("a", text), article("b")]})
    clusters, reader = read(line)
    assert reader.problems == []
    assert clusters[0].articles[0].sentences[0].text == text


def test_json_over_many_lines_is_recognised() -> None:
    _, reader = read_bytes(json.dumps(json.loads(GOOD), indent=1).encode())
    assert "over many lines" in reader.problems[0].remedy


def test_what_cannot_be_split_or_stored_is_named_by_article() -> None:
    for fields, message in (
        ({"text": "word " * 100_000}, "has 100,000 tokens; the limit is 10,000"),
        ({"sentences": ["a b", "word " * 10_001]}, "has 10,001 tokens; the limit is 10,000"),
        ({"text": "w" * 2_001}, "has 2,001 characters; the limit is 2,000"),
        ({"text": "A.", "published": "2004-02-30"}, '"published" is not an ISO 8601 date'),
        ({"text": "A.", "published": "2004-08-31T25:00"}, '"published" is not an ISO 8601 date'),
    ):
        said = problem_of(cluster("bad", article("b"), {"id": "x", **fields})).message
        assert said.startswith('Article "x" of the cluster "bad": ') and message in said
    clusters, reader = read(cluster("c", {"text": "A."}, article("b"), {"id": "x", "text": 1}))
    assert clusters == []
    assert [problem.message[:40] for problem in reader.problems] == [
        'Article number 1 of the cluster "c": The',
        'Article "x" of the cluster "c": "text" m',
    ]


def test_problems_are_in_the_order_of_lines() -> None:
    _, reader = read(single("c", "a", title=1), "{", single("c", "b", title=1), "[]")
    assert [problem.line for problem in reader.problems] == [1, 2, 3, 4]


@pytest.mark.parametrize("line", [lambda _: "{", lambda n: single(f"c{n}", "a", title=1)])
def test_problems_end_at_the_limit_and_say_so(line: Callable[[int], str]) -> None:
    _, reader = read(*(line(number) for number in range(limits.PROBLEMS + 50)))
    assert len(reader.problems) == limits.PROBLEMS
    assert reader.notes[-1] == "Reading stopped after 100 problems; there may be more."


def test_an_overlong_line_is_refused_and_the_next_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CLUSTER_BYTES", 1000)
    for size in (900, 5_000_000):
        clusters, reader = read(
            GOOD, cluster("long", article("a", "long " * size)), cluster("c", article("a"), article("b"))
        )
        assert [cluster.key for cluster in clusters] == ["good", "c"]
        assert [(problem.line, problem.message) for problem in reader.problems] == [
            (2, "The line is longer than 1,000 bytes.")
        ]
    assert only_problem(GOOD.encode() + b"\n" + b"x" * 3_000_000).line == 2


def test_an_overlarge_cluster_of_many_lines_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CLUSTER_BYTES", 1000)
    clusters, reader = read(
        *(single("c", str(number), "word " * 30) for number in range(9)), single("d", "a")
    )
    assert [cluster.key for cluster in clusters] == ["d"]
    assert [(problem.line, problem.message) for problem in reader.problems] == [
        (1, 'The lines of the cluster "c" have more than 1,000 bytes.')
    ]


def test_memory_is_bounded_for_a_line_without_end() -> None:
    class Endless(io.RawIOBase):
        left = 200

        def readable(self) -> bool:
            return True

        def seekable(self) -> bool:
            return True

        def seek(self, offset: int, whence: int = 0) -> int:
            self.left = 200
            return 0

        def read(self, size: int = -1) -> bytes:
            self.left -= 1
            return b"x" * size if self.left >= 0 else b""

    tracemalloc.start()
    reader = ArticleReader(Endless())
    assert list(reader) == []
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [problem.line for problem in reader.problems] == [1]
    assert peak < 8 * limits.CLUSTER_BYTES


@pytest.mark.parametrize(
    ("encoding", "told"),
    [
        *((name, "") for name in ("utf-16", "utf-32", "utf-8-sig")),
        *((name, name) for name in ("latin-1", "cp1252", "utf-16-le", "utf-16-be")),
    ],
)
def test_an_encoding_is_known_by_its_mark_or_chosen(encoding: str, told: str) -> None:
    data = cluster("good", article("é", "Le café."), article("b")).encode(encoding)
    clusters, reader = read_bytes(data, encoding=told or "utf-8")
    assert reader.problems == []
    assert clusters[0].articles[0].sentences[0].tokens == ("Le", "café", ".")
    if encoding.startswith("utf-16-"):
        assert encoding in only_problem(GOOD.encode(encoding)).remedy
