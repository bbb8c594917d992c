"""Cross-validation on the training part of the MSR Paraphrase Corpus keeps the quality that is documented."""

from pathlib import Path

import pytest

from paragold.classification.classes import CLASSES
from paragold.classification.classifier import open_lexicons
from paragold.classification.measures import evaluate
from paragold.classification.settings import ClassifierSpec
from paragold.classification.training import LabelledPairs
from paragold.formats.judgements.labelled_pairs import read_pairs

SPEC = ClassifierSpec(c=0.01)


@pytest.mark.real_data
def test_accuracy_and_f_out_of_fold(shared_data: Path) -> None:
    lexicons, _ = open_lexicons(CLASSES, None, lookup=SPEC.lookup)
    pairs = read_pairs(shared_data / "paraphrase" / "msr_paraphrase_train.txt")
    labelled = LabelledPairs(pairs, lexicons, SPEC)
    decisions, _ = labelled.out_of_fold(labelled.classes)
    measures = evaluate(labelled.labels, decisions >= 0)
    assert measures.majority_error == pytest.approx(0.3246, abs=1e-4)
    assert measures.accuracy > 0.78
    assert measures.f > 0.84
