from __future__ import annotations

from typing import Any

import pytest

from paragold.formats.judgement_files import read_judged_pairs
from paragold.formats.judgement_formats import Reading

TWO = [("A dog runs .", "A dog is running .", "paraphrase"), ("Yes .", "No .", "not_paraphrase")]

SHAPES: dict[str, tuple[str, dict[str, Any]]] = {
    "paws": (
        "id\tsentence1\tsentence2\tlabel\n1\tA dog runs .\tA dog is running .\t1\n2\tYes .\tNo .\t0\n",
        {},
    ),
    "quora": (
        '"id","qid1","qid2","question1","question2","is_duplicate"\n'
        '"0","1","2","A dog runs .","A dog is running .","1"\n"1","3","4","Yes .","No .","0"\n',
        {},
    ),
    "jsonl": (
        '{"sentence1": "A dog runs .", "sentence2": "A dog is running .", "label": 1, "idx": 0}\n'
        '{"sentence1": "Yes .", "sentence2": "No .", "label": 0, "idx": 1}\n',
        {},
    ),
    "sick": (
        "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
        "1\tA dog runs .\tA dog is running .\t4.8\tENTAILMENT\n2\tYes .\tNo .\t1.2\tCONTRADICTION\n",
        {"threshold": 4},
    ),
    "sts-b": (
        "index\tgenre\tsentence1\tsentence2\tscore\n0\tx\tA dog runs .\tA dog is running .\t5.0\n"
        "1\tx\tYes .\tNo .\t0.5\n",
        {"threshold": 4},
    ),
    "opusparcus": (
        "en-1\tA dog runs .\tA dog is running .\t4.0\nen-2\tYes .\tNo .\t1.5\n",
        {"threshold": 3, "columns": {"id": "1", "a": "2", "b": "3", "score": "4"}},
    ),
    "pit-2015": (
        "51\tx\tA dog runs .\tA dog is running .\t(4, 1)\n51\tx\tYes .\tNo .\t(0, 5)\n",
        {"threshold": 3, "columns": {"a": "3", "b": "4", "label": "5"}},
    ),
    "turku": (
        "goldlabel\ttxt1\ttxt2\n4<\tA dog runs .\tA dog is running .\n2\tYes .\tNo .\n",
        {"threshold": 3},
    ),
    "chosen": (
        "q_left;q_right;same;note\nA dog runs .;A dog is running .;1;\nYes .;No .;0;x\n",
        {"columns": {"a": "q_left", "b": "q_right", "label": "same"}},
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_corpus_of_another_shape_is_read(shape, tmp_path):
    text, options = SHAPES[shape]
    (tmp_path / "pairs").write_text(text)
    read = read_judged_pairs(tmp_path / "pairs", Reading(**options))
    assert [(pair.a, pair.b, pair.label) for pair in read.pairs] == TWO, read.problems


@pytest.mark.parametrize(
    ("text", "columns", "message"),
    [
        ("sentence1,sentence2,score\nx,y,3\n", {}, "line 2: The pair has a similarity and no label."),
        ("q1,q2,same\nx,y,1\n", {"a": "q1"}, "line 1: The column b is missing. Choose it (b=COLUMN)."),
        (
            "q1,q2,same\nx,y,1\n",
            {"a": "left"},
            "line 1: There is no column 'left'. The columns are: q1, q2, same.",
        ),
    ],
)
def test_what_is_missing_is_named(tmp_path, text, columns, message):
    (tmp_path / "pairs").write_text(text)
    [problem] = read_judged_pairs(tmp_path / "pairs", Reading(columns=columns)).problems
    assert str(problem).startswith(message)
