import io
from dataclasses import replace

import numpy as np
import pytest

from paragold.classification import classifier as classifier_module
from paragold.classification.classes import CLASSES, STRING
from paragold.classification.classifier import Classifier, LexiconError
from paragold.classification.lexicons import Lexicons, open_lexicons
from paragold.classification.settings import ClassifierSpec
from paragold.classification.training import (
    C_GRID,
    LabelledPairs,
    ablation,
    evaluate,
    learning_curve,
    train_classifier,
)
from paragold.formats.labelled_pairs import read_pairs
from paragold.problems import FileProblem
from paragold.text import wordnet
from tests.paragold.classification.examples import labelled_pairs
from tests.paragold.text.small_wordnet import EXCEPTIONS, SMALL, write_wordnet

ASSOCIATION = [("suppliers", "vendors")]
SPEC = ClassifierSpec(c=0.01)


@pytest.fixture(autouse=True)
def small_wordnet(tmp_path, monkeypatch):
    monkeypatch.setenv(
        wordnet.ENVIRONMENT_VARIABLE, str(write_wordnet(tmp_path / "wordnet", SMALL, EXCEPTIONS))
    )


def trained(seed=0):
    lexicons, notes = open_lexicons(CLASSES, ASSOCIATION, lookup=SPEC.lookup)
    assert notes == []
    return train_classifier(LabelledPairs(labelled_pairs(150), lexicons, ClassifierSpec(c=0.01, seed=seed)))


@pytest.fixture
def classifier():
    return trained()[0]


def test_cross_validation_learns_what_can_be_learnt():
    classifier, result = trained()
    assert result["measures"]["accuracy"] > 0.8
    assert result["measures"]["majority_error"] == 0.5
    assert "wordnet:operation|procedure" in classifier.model[0].names
    assert classifier.training["pairs"] == 150
    # More probable where the decision value is higher.
    assert np.corrcoef(result["decisions"], result["probabilities"])[0, 1] > 0.8
    assert result["calibration"]["brier"] < 0.2


def test_the_same_seed_gives_the_same_bytes(classifier):
    data = classifier.as_bytes()
    assert data == trained()[0].as_bytes()
    assert data != trained(seed=1)[0].as_bytes()
    assert Classifier.load(io.BytesIO(data)).as_bytes() == data


def test_contributions_sum_up_to_the_decision(classifier):
    texts = [(pair.first, pair.second) for pair in labelled_pairs(5, seed=9)]
    values, _ = classifier.decide(texts)
    for row, reasons in enumerate(classifier.contributions(texts)):
        total = sum(reason["amount"] for reason in reasons) + classifier.model[2]
        assert total == pytest.approx(values[row])
        amounts = [abs(reason["amount"]) for reason in reasons]
        assert amounts == sorted(amounts, reverse=True)
    assert [len(row) for row in classifier.contributions(texts, maximum=3)] == [3] * 5


def test_another_or_no_lexicon_is_refused(classifier, tmp_path, monkeypatch):
    space, *weights = classifier.model
    space = replace(space, classes=(*space.classes, "gone"))
    older = replace(classifier, model=(space, *weights))
    with pytest.raises(LexiconError, match="feature class gone, which this version does not have"):
        older.decide([("a", "b")])
    other = write_wordnet(tmp_path / "other", {"box": SMALL["box"]})
    monkeypatch.setenv(wordnet.ENVIRONMENT_VARIABLE, str(other))
    with pytest.raises(LexiconError, match="another lexicon wordnet"):
        classifier.decide([("a", "b")])
    monkeypatch.setenv(wordnet.ENVIRONMENT_VARIABLE, str(tmp_path / "absent"))
    with pytest.raises(LexiconError, match="which is not installed"):
        classifier.decide([("a", "b")])
    # A lexicon that came later changes nothing.
    without, _ = train_classifier(LabelledPairs(labelled_pairs(60), Lexicons({}), SPEC))
    assert dict(without.signatures) == {}


def test_changed_and_foreign_files_are_refused(classifier, tmp_path, monkeypatch):
    with np.load(io.BytesIO(classifier.as_bytes())) as content:
        arrays = {name: content[name] for name in content.files}
    arrays["weights"] = arrays["weights"] + 1
    np.savez(tmp_path / "changed.npz", **arrays)
    with pytest.raises(FileProblem, match=r"changed\.npz: It was changed or damaged"):
        Classifier.load(tmp_path / "changed.npz")
    with monkeypatch.context() as patch:
        patch.setattr(classifier_module, "FORMAT", "paragold-classifier-0")
        data = classifier.as_bytes()
    with pytest.raises(FileProblem, match="this program reads 'paragold-classifier-3'"):
        Classifier.load(io.BytesIO(data))


def test_ablation_and_learning_curve():
    lexicons, _ = open_lexicons(CLASSES, ASSOCIATION, lookup=SPEC.lookup)
    labelled = LabelledPairs(labelled_pairs(150), lexicons, SPEC)
    rows = {row["name"]: row for row in ablation(labelled)}
    assert list(rows)[:4] == ["all", "string only", "the paper's classes", "no word pairs"]
    assert {f"no {name}" for name in CLASSES} - {"no encoder"} <= rows.keys()
    assert rows["string only"]["dimensions"] == 11
    assert rows["no word pairs"]["dimensions"] < rows["all"]["dimensions"]
    assert rows["all"]["measures"] == train_classifier(labelled)[1]["measures"]
    points = learning_curve(labelled, (0.2, 1.0))
    assert [point["pairs"] for point in points] == [20, 100]
    assert points[1]["measures"] == rows["all"]["measures"]
    # A part too small to train on is left out: each of three groups has one paraphrase and one other pair.
    pairs = [
        replace(pair, label=bool(number % 2), cluster=f"c{number // 2}")
        for number, pair in enumerate(labelled_pairs(6))
    ]
    few = LabelledPairs(pairs, Lexicons({}), ClassifierSpec(classes={STRING}))
    assert [point["pairs"] for point in learning_curve(few, (0.1, 1.0))] == [4]


def test_c_is_chosen_among_the_training_folds_alone():
    labelled = LabelledPairs(labelled_pairs(150), Lexicons({}), ClassifierSpec())
    classifier, result = train_classifier(labelled)
    errors, chosen = result["errors_by_c"], classifier.training["settings"]["c"]
    assert set(errors) <= set(C_GRID)
    assert errors[chosen] == min(errors.values())
    assert all(c >= chosen or error > errors[chosen] for c, error in errors.items())

    # A fold's C must not change with the labels of the fold that it is measured on: nor its decisions.
    labelled = LabelledPairs(labelled_pairs(150), Lexicons({}), ClassifierSpec(classes={"string"}))
    inside, before = labelled.folds == 1, labelled.out_of_fold(("string",))[0]
    labelled.labels = np.where(inside, ~labelled.labels, labelled.labels)
    assert labelled.out_of_fold(("string",))[0][inside].tolist() == before[inside].tolist()


@pytest.mark.real_data
def test_accuracy_and_f_out_of_fold(shared_data, monkeypatch):
    monkeypatch.delenv(wordnet.ENVIRONMENT_VARIABLE)
    lexicons, _ = open_lexicons(CLASSES, None, lookup=SPEC.lookup)
    pairs = read_pairs(shared_data / "paraphrase" / "msr_paraphrase_train.txt")
    labelled = LabelledPairs(pairs, lexicons, SPEC)
    decisions, _ = labelled.out_of_fold(labelled.classes)
    measures = evaluate(labelled.labels, decisions >= 0)
    assert measures["majority_error"] == pytest.approx(0.3246, abs=1e-4)
    assert measures["accuracy"] > 0.785
    assert measures["f"] > 0.845
