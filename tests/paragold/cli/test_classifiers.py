import json

import pytest

from paragold.text import wordnet
from tests.paragold.classification.examples import labelled_pairs
from tests.paragold.text.small_wordnet import EXCEPTIONS, SMALL, write_wordnet


@pytest.fixture(autouse=True)
def no_wordnet(monkeypatch):
    monkeypatch.setenv(wordnet.ENVIRONMENT_VARIABLE, "/absent")


@pytest.fixture
def train(tmp_path):
    path = tmp_path / "train.tsv"
    path.write_text("".join(f"{int(bool(p.label))}\t{p.first}\t{p.second}\n" for p in labelled_pairs(90)))
    return path


def training(pairs, output):
    return "train-classifier", "--pairs", pairs, "--output", output, "--c", "0.01"


def test_classifying_writes_a_line_a_pair(train, tmp_path, paragold):
    paragold(*training(train, tmp_path / "m.npz"))
    test = tmp_path / "test.tsv"
    pairs = labelled_pairs(20, seed=9)
    test.write_text("".join(f"{int(bool(p.label))}\t{p.first}\t{p.second}\n" for p in pairs))
    scored = tmp_path / "scored.tsv"
    asked = ("classify-pairs", "--model", tmp_path / "m.npz", "--pairs", test, "--output", scored)
    done = paragold(*asked, "--json", "--reasons")
    lines = [line.split("\t") for line in scored.read_text().splitlines()]
    header, rows = lines[0], [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]
    assert header[0] == "predicted"
    assert [row["first"] for row in rows] == [pair.first for pair in pairs]
    assert all((row["predicted"] == "1") == (float(row["decision"]) >= 0) for row in rows)
    right = sum(row["predicted"] == row["label"] for row in rows)
    figures = json.loads(done.out)
    assert figures["accuracy"] == right / 20 > 0.5
    assert figures["accepted"] == sum(row["predicted"] == "1" for row in rows)
    assert all(row["reasons"].count(";") == 2 for row in rows)
    # Without labels, with a threshold.
    test.write_text("storm on the coast\tstorm on the coast\nfire\tvote on a budget by minister\n")
    assert paragold(*asked, "--threshold", "0").out == "2 of 2 pairs accepted.\n"
    assert "accuracy" not in json.loads(paragold(*asked, "--threshold", "1", "--json").out)


def test_user_errors_are_plain(train, tmp_path, refused):
    model, few = tmp_path / "m.npz", tmp_path / "few.tsv"
    few.write_text("1\ta\tb\n0\tc\td\n1\te\tf\n")
    assert "Too few pairs" in refused(*training(few, model))
    asked = ("classify-pairs", "--model", train, "--pairs", train, "--output")
    assert "is not a model of Paragold" in refused(*asked, tmp_path / "s.tsv")
    assert "is also an input" in refused(*asked, train)
    assert not model.exists()


WORDS_OF_PAIRS = [
    ("operation began", "procedure began"),
    ("vendors which", "suppliers where"),
    ("orbit", "orbital"),
]


@pytest.fixture
def word_pairs(tmp_path, monkeypatch):
    monkeypatch.setenv(
        wordnet.ENVIRONMENT_VARIABLE, str(write_wordnet(tmp_path / "wordnet", SMALL, EXCEPTIONS))
    )
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{first}\t{second}\n" for first, second in WORDS_OF_PAIRS * 2), encoding="utf-8")
    return path


def test_word_pairs_are_written_best_first(printed, word_pairs, tmp_path):
    output = tmp_path / "words.tsv"
    told = printed("associate-words", word_pairs, "--output", output)
    assert "6 sentence pairs, 4 word pairs, 1 trivial ones." in told
    assert "In WordNet, of the first 3 non-trivial: 33.33 %." in told
    assert "1,500: 46.53 %" in told
    head, *rows = [line.split("\t") for line in output.read_text(encoding="utf-8").splitlines()]
    assert head[:5] == ["rank", "first", "second", "linked", "together"]
    assert rows[0][:5] == ["1", "operation", "procedure", "2", "2"]
    assert [row[6:] for row in rows[:2]] == [["1", "0"], ["0", "1"]]
    options = ("--ranking", "ratio", "--without-function-words", "--json")
    report = json.loads(printed("associate-words", word_pairs, "--output", output, *options))
    assert (report["word_pairs"], report["coverage"]) == (3, [[2, 0.5]])
    assert "ranking:ratio" in report["signature"]
