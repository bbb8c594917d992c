"""A trained classifier as something that decides."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from annotation.models import TrainedClassifier
from paragold.problems import FileProblem
from projects.errors import PublicError

if TYPE_CHECKING:
    from paragold.classification.classifier import Classifier


def model_of(classifier: TrainedClassifier) -> Classifier:
    """Read the stored model. Raises PublicError when there is none, or another than was trained."""
    from paragold.classification import model_file

    if not classifier.model:
        raise PublicError(f"{classifier} is not trained yet.")
    data = bytes(classifier.model)
    if sha256(data).hexdigest() != classifier.sha256:
        raise PublicError(
            f"{classifier} was changed after its training: its hash does not match. Train again."
        )
    try:
        return model_file.loads(data, name=str(classifier))
    except FileProblem as error:
        raise PublicError(str(error)) from error


def check_lexicons(classifier: TrainedClassifier) -> None:
    """Raises PublicError when this machine lacks the lexicons of its training, or has other versions."""
    from paragold.classification.classifier import LexiconError
    from paragold.text.wordnet import WordNetError

    try:
        model_of(classifier).open_lexicons()
    except (LexiconError, WordNetError) as error:
        raise PublicError(str(error)) from error
