"""The paraphrase classifier as an estimator, and its cross-validation."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from paragold.classification.settings import ClassifierSpec
from paragold.estimator import Estimator
from paragold.tables import is_table, table, text_pairs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from pandas import DataFrame
    from sklearn.utils import Tags

    from paragold.arrays import Floats
    from paragold.classification.classifier import Classifier
    from paragold.classification.training import LabelledPairs


class ParaphraseClassifier(Estimator):
    """A linear support vector machine over pairs of sentences (Brockett & Dolan 2005).

    Pairs are tables with `text_a` and `text_b`, or with words in `source` and `target`, or couples of texts.
    """

    parameters = ClassifierSpec
    trained: Classifier | None = None
    """What `fit` made."""

    def fit(self, pairs: Any, labels: Sequence[bool] | None = None) -> Self:
        """Learn from labelled pairs.

        Parameters
        ----------
        pairs : table
        labels : sequence of bool, optional
            Whether each pair is a paraphrase; by default the column `label`.

        Raises
        ------
        ValueError
            A pair has no label, all labels are alike, or there are too few pairs.
        """
        from paragold.classification.training import train_classifier

        self.trained, _ = train_classifier(self.labelled(pairs, labels))
        return self

    def decide(self, pairs: Any) -> DataFrame:
        """For each pair `decision` (a paraphrase from 0 on), `probability` (0 to 1) and `paraphrase`.

        Raises ValueError before `fit`.
        """
        values, probabilities = self._decided(pairs)
        rows = zip(values, probabilities, values >= 0, strict=True)
        decisions = table(rows, ("decision", "probability", "paraphrase"), self.signature)
        return decisions.set_index(pairs.index) if is_table(pairs) else decisions

    def predict(self, pairs: Any) -> NDArray[np.bool_]:
        """Whether each pair is a paraphrase, shape (n,). Raises ValueError before `fit`."""
        return self._decided(pairs)[0] >= 0

    def decision_function(self, pairs: Any) -> NDArray[np.float64]:
        """The decision value of each pair, shape (n,). Raises ValueError before `fit`."""
        return self._decided(pairs)[0]

    def predict_proba(self, pairs: Any) -> NDArray[np.float64]:
        """The probabilities, 0 to 1, of both `classes_`, shape (n, 2). Raises ValueError before `fit`."""
        import numpy as np

        paraphrase = self._decided(pairs)[1]
        return np.column_stack([1 - paraphrase, paraphrase])

    def score(self, pairs: Any, labels: Sequence[bool] | None = None) -> float:
        """The share of right decisions. Raises ValueError before `fit`."""
        expected = pairs["label"] if labels is None else labels
        return float((self.predict(pairs) == list(expected)).mean())

    def explain(self, pairs: Any, *, maximum: int | None = None) -> DataFrame:
        """What each feature adds to the decision value of each pair, the weightiest first.

        Parameters
        ----------
        pairs : table
        maximum : int, optional
            Rows for each pair.

        Returns
        -------
        DataFrame
            `pair` (from 0), `feature`, `value` (scaled), `weight`, `adds` (value times weight).

        Raises
        ------
        ValueError
            Before `fit`.
        """
        read = text_pairs(pairs)
        texts, contexts = [(pair.first, pair.second) for pair in read], [pair.context for pair in read]
        rows = (
            (place, *reason.values())
            for place, reasons in enumerate(self._fitted().contributions(texts, contexts, maximum=maximum))
            for reason in reasons
        )
        return table(rows, ("pair", "feature", "value", "weight", "adds"), self.signature)

    def save(self, path: str | Path) -> str:
        """Write a file for `load`, and return the SHA-256 of its content. Raises ValueError before `fit`."""
        return self._fitted().save(Path(path))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The classifier of a file. Raises FileProblem for any other."""
        from paragold.classification.classifier import Classifier

        trained = Classifier.load(Path(path))
        classifier = cls(**trained.training["settings"])
        classifier.trained = trained
        return classifier

    @property
    def classes_(self) -> NDArray[np.bool_]:
        """The labels in the order of the columns of `predict_proba`, as scikit-learn asks for them."""
        import numpy as np

        return np.array([False, True])

    @property
    def signature(self) -> str:
        """Equal signatures decide equally: parameters and what was learned. ValueError before `fit`."""
        model = sha256(self._fitted().as_bytes()).hexdigest()[:16]
        return f"paraphrase-classifier|{self.spec.signature()}|model:{model}"

    def __sklearn_tags__(self) -> Tags:
        from sklearn.utils import ClassifierTags, Tags, TargetTags

        two_classes = ClassifierTags(multi_class=False)
        return Tags("classifier", TargetTags(required=False), classifier_tags=two_classes)

    def labelled(self, pairs: Any, labels: Sequence[bool] | None = None) -> LabelledPairs:
        """The pairs with labels and lexicons, as cross-validation and training take them."""
        from paragold.classification.lexicons import open_lexicons
        from paragold.classification.training import LabelledPairs

        given = pairs if labels is None else pairs.assign(label=list(labels))
        spec = self.spec
        lexicons, notes = open_lexicons(
            spec.classes, None, spec.language, lookup=spec.lookup, encoder=spec.encoder
        )
        for note in notes:
            warnings.warn(note, stacklevel=3)
        return LabelledPairs(text_pairs(given), lexicons, self.spec)

    def _decided(self, pairs: Any) -> tuple[Floats, Floats]:
        """The decision values and the probabilities of the pairs."""
        read = text_pairs(pairs)
        return self._fitted().decide(
            [(pair.first, pair.second) for pair in read], [pair.context for pair in read]
        )

    def _fitted(self) -> Classifier:
        if self.trained is None:
            raise ValueError("This ParaphraseClassifier has learned nothing yet: call fit first.")
        return self.trained


def cross_validate(classifier: ParaphraseClassifier, pairs: DataFrame) -> DataFrame:
    """Measures of a classifier on labelled pairs, each decided on by a model that did not see it.

    Folds keep clusters, and pairs that share a sentence, together.

    Returns
    -------
    DataFrame
        Rows accuracy, error, precision, recall, f; columns `value`, `low`, `high` (95 %), from 0 to 1.
        `attrs["features"]` is the mean number of columns.

    References
    ----------
    Brockett & Dolan (2005), section 3.
    """
    labelled = classifier.labelled(pairs)
    measures, features = labelled.measure(labelled.classes)
    rows = [(name, measures[name], *bounds) for name, bounds in measures["intervals"].items()]
    signature = f"cross-validation|{classifier.spec.signature()}"
    names = ("measure", "value", "low", "high")
    return table(rows, names, signature, features=features).set_index("measure")
