"""train_classifier and classify_pairs from file to file, without a database."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from paragold.text import wordnet
from tests.paragold.classification.examples import labelled_pairs


@pytest.fixture(autouse=True)
def no_wordnet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(wordnet.ENVIRONMENT_VARIABLE, raising=False)
    monkeypatch.setattr(wordnet, "USUAL_FOLDERS", ())


@pytest.fixture
def train(tmp_path: Path) -> Path:
    path = tmp_path / "train.tsv"
    path.write_text("".join(f"{int(bool(p.label))}\t{p.first}\t{p.second}\n" for p in labelled_pairs(90)))
    return path


def run(name: str, **options: Any) -> tuple[str, str]:
    output, errors = StringIO(), StringIO()
    call_command(name, **options, stdout=output, stderr=errors)
    return output.getvalue(), errors.getvalue()


def test_training_prints_figures_and_tables(train: Path, tmp_path: Path) -> None:
    output, errors = run(
        "train_classifier", pairs=train, output=tmp_path / "m.npz", ablation=True, curve=True
    )
    assert "90 pairs, 45 paraphrases" in output
    assert "3-fold cross-validation" in output
    assert "no composite" in output
    assert "Trained on pairs" in output
    assert "apt-get install wordnet-base" in errors
    assert (tmp_path / "m.npz").is_file()


def test_classifying_writes_a_line_a_pair(train: Path, tmp_path: Path) -> None:
    run("train_classifier", pairs=train, output=tmp_path / "m.npz")
    test = tmp_path / "test.tsv"
    pairs = labelled_pairs(20, seed=9)
    test.write_text("".join(f"{int(bool(p.label))}\t{p.first}\t{p.second}\n" for p in pairs))
    scored = tmp_path / "scored.tsv"
    output, _ = run(
        "classify_pairs", model=tmp_path / "m.npz", pairs=test, output=scored, json=True, reasons=True
    )
    lines = [line.split("\t") for line in scored.read_text().splitlines()]
    header, rows = lines[0], [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]
    assert header[0] == "predicted"
    assert [row["first"] for row in rows] == [pair.first for pair in pairs]
    assert all((row["predicted"] == "1") == (float(row["decision"]) >= 0) for row in rows)
    right = sum(row["predicted"] == row["label"] for row in rows)
    figures = json.loads(output)
    assert figures["accuracy"] == right / 20 > 0.5
    assert figures["accepted"] == sum(row["predicted"] == "1" for row in rows)
    assert all(row["reasons"].count(";") == 2 for row in rows)


def test_unlabelled_pairs_and_a_threshold(train: Path, tmp_path: Path) -> None:
    run("train_classifier", pairs=train, output=tmp_path / "m.npz")
    test = tmp_path / "test.tsv"
    test.write_text("storm on the coast\tstorm on the coast\nfire\tvote on a budget by minister\n")
    options = {"model": tmp_path / "m.npz", "pairs": test, "output": tmp_path / "scored.tsv"}
    output, _ = run("classify_pairs", **options, threshold=0.0)
    assert output == "2 of 2 pairs accepted.\n"
    output, _ = run("classify_pairs", **options, threshold=1.0, json=True)
    assert "accuracy" not in json.loads(output)


def test_training_as_json_with_association(train: Path, tmp_path: Path) -> None:
    dataset = tmp_path / "dataset.tsv"
    dataset.write_text("vendors met today\tsuppliers met today\n" * 3)
    output, _ = run(
        "train_classifier", pairs=train, output=tmp_path / "m.npz", association=[dataset], json=True
    )
    figures = json.loads(output)
    assert "association" in figures["classes"]
    assert figures["lexicons"]["association"].startswith("pairs-")
    assert figures["cross_validation"]["accuracy"] > 0.5


def test_association_never_sees_labelled_pairs(train: Path, tmp_path: Path) -> None:
    dataset = tmp_path / "dataset.tsv"
    pairs = labelled_pairs(90)
    dataset.write_text("".join(f"{pair.second}\t{pair.first}\n" for pair in pairs))
    _, errors = run("train_classifier", pairs=train, output=tmp_path / "m.npz", association=[dataset])
    assert "The class association is off" in errors


def test_user_errors_are_plain(train: Path, tmp_path: Path) -> None:
    one_class = tmp_path / "one.tsv"
    one_class.write_text("1\ta\tb\n1\tc\td\n1\te\tf\n")
    with pytest.raises(CommandError, match="same label"):
        run("train_classifier", pairs=one_class, output=tmp_path / "m.npz")
    three = tmp_path / "three.tsv"
    three.write_text("1\ta\tb\n0\tc\td\n1\te\tf\n")
    with pytest.raises(CommandError, match="Too few pairs"):
        run("train_classifier", pairs=three, output=tmp_path / "m.npz")
    with pytest.raises(CommandError, match=r"absent\.tsv: It cannot be read"):
        run("train_classifier", pairs=tmp_path / "absent.tsv", output=tmp_path / "m.npz")
    with pytest.raises(CommandError, match="is no classifier"):
        run("classify_pairs", model=train, pairs=train, output=tmp_path / "s.tsv")
    with pytest.raises(CommandError, match="names an input"):
        run("classify_pairs", model=train, pairs=train, output=train)
    assert not (tmp_path / "m.npz").exists()
