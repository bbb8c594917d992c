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
MSR_TRAIN = Path(__file__).parents[4] / "shared/data/paraphrase/msr_paraphrase_train.txt"


@pytest.mark.real_data
@pytest.mark.skipif(not MSR_TRAIN.is_file(), reason="the shared research data is not here")
def test_accuracy_and_f_out_of_fold() -> None:
    lexicons, _ = open_lexicons(CLASSES, None, lookup=SPEC.lookup)
    labelled = LabelledPairs(read_pairs(MSR_TRAIN), lexicons, SPEC)
    decisions, _ = labelled.out_of_fold(labelled.classes)
    measures = evaluate(labelled.labels, decisions >= 0)
    assert measures.majority_error == pytest.approx(0.3246, abs=1e-4)
    assert measures.accuracy > 0.78
    assert measures.f > 0.84
