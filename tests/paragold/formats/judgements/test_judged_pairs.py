import pytest

from paragold.formats import gold_jsonl
from paragold.formats.gold_jsonl import GoldJudgement, GoldPair, GoldSentence
from paragold.formats.judgement_files import read_judged_pairs, scheme_of
from paragold.formats.judgement_formats import Reading

MSR = "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n"
TIME = "2026-01-01T00:00:00+00:00"
GOLD = gold_jsonl.dumps(
    [
        GoldPair(
            *("p1", "c", "paraphrase"),
            GoldSentence("x", 0, "A dam broke.", ("A",), (0,)),
            GoldSentence("y", 0, "It broke.", ("It",), (0,)),
            (
                GoldJudgement("annotator-1", "paraphrase", TIME, "", flagged=False, skipped=False),
                GoldJudgement("annotator-2", None, TIME, "which dam?", flagged=True, skipped=True),
            ),
            None,
        )
    ]
)


def read(folder, text, encoding="utf-8", **reading):
    path = folder / "pairs"
    path.write_bytes(text.encode(encoding))
    return read_judged_pairs(path, Reading(**reading), encoding=encoding)


def labels(result):
    assert result.problems == []
    return [pair.label for pair in result.pairs]


def problems(result):
    return [(problem.line, problem.message) for problem in result.problems]


def test_msr_and_three_columns_have_literal_quotes_and_a_byte_order_mark(tmp_path):
    result = read(tmp_path, f'\ufeff{MSR}1\t7\t8\t"A dam" broke\tIt broke\r\n0\t7\t9\tA\tB\n')
    assert (result.format, scheme_of(labels(result))) == ("msr", "binary")
    assert labels(result) == ["paraphrase", "not_paraphrase"]
    assert [(pair.key, pair.a, pair.line) for pair in result.pairs] == [
        ("7-8", '"A dam" broke', 2),
        ("7-9", "A", 3),
    ]
    assert result.pairs[0].b == "It broke"
    result = read(tmp_path, "partial\ta\tb\nParaphrase\tc\td\nunrelated\te\tf\n")
    assert (result.format, scheme_of(labels(result))) == ("labelled", "three_way")
    assert labels(result) == ["partial", "paraphrase", "unrelated"]


@pytest.mark.parametrize(
    ("thresholds", "expected"),
    [
        ({"threshold": 4}, ["paraphrase", "not_paraphrase", "not_paraphrase"]),
        ({"threshold": 4, "partial_threshold": 2.5}, ["paraphrase", "partial", "unrelated"]),
    ],
)
def test_thresholds_make_labels_of_similarities(tmp_path, thresholds, expected):
    result = read(tmp_path, "4.0\ta\tb\n2.5\tc\td\n0\te\tf\n", **thresholds)
    assert result.format == "sts"
    assert labels(result) == expected


def test_similarities_need_a_threshold_and_gold_may_be_of_one_judge(tmp_path):
    result = read(tmp_path, "4.5\ta\tb\n3.5\tc\td\n")
    assert problems(result) == [(1, "The file begins with '4.5', which looks like a similarity.")]
    assert "Give a threshold" in result.problems[0].remedy
    later = read(tmp_path, "1\ta\tb\n3.5\tc\td\n")
    assert problems(later) == [(2, "The label is '3.5'.")]
    assert "needs a threshold" in later.problems[0].remedy
    result = read(tmp_path, GOLD)
    assert labels(result) == ["paraphrase"]
    assert result.pairs[0].whole is not None
    second = read(tmp_path, GOLD, judge="annotator-2").pairs[0]
    assert (second.label, second.comment, second.flagged, second.whole) == (None, "which dam?", True, None)
    assert problems(read(tmp_path, GOLD, judge="annotator-9"))[0][1] == (
        "annotator-9 did not judge this pair; annotator-1, annotator-2 did."
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", (0, "The file has no pair.")),
        (f"{MSR}1\t1\t2\ta\n", (2, "4 columns instead of 5.")),
        (f"{MSR}1\t1\t2\ta\tb\n0\t1\t2\tc\td\n", (3, "The id '1-2' is also on line 2.")),
        ('{"a": "x"\n', (1, "The line is not valid JSON: Expecting ',' delimiter.")),
        (GOLD.replace('"starts": [0]}, "b"', '"starts": [1]}, "b"'), (1, "the line, a: token 'A' is not at")),
    ],
)
def test_every_fault_has_its_line(tmp_path, text, expected):
    [(line, message)] = problems(read(tmp_path, text))
    assert line == expected[0]
    assert message.startswith(expected[1])


def test_faulty_lines_are_reported_up_to_a_limit_and_encodings_declared(tmp_path):
    result = read(tmp_path, MSR + "x\t1\t2\ta\tb\n" * 300)
    assert len(result.problems) == 100
    assert result.problems[99].line == 101
    assert read(tmp_path, "1\tcaf\u00e9\ta\n", "latin-1").pairs[0].a == "caf\u00e9"
    [problem] = read_judged_pairs(tmp_path / "pairs", Reading()).problems
    assert problem.line == 1


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"format": "csv"}, "There is no judgement format 'csv'"),
        ({"threshold": 6}, "threshold:"),
        ({"threshold": 2, "partial_threshold": 3}, "partial_threshold:"),
        ({"partial_threshold": 3}, "partial_threshold:"),
        ({"format": "sts"}, "threshold:"),
    ],
)
def test_what_cannot_be_asked_is_named(tmp_path, fields, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        read(tmp_path, "1\ta\tb\n", **fields)
