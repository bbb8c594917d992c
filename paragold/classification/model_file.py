"""A classifier as a file of plain numbers (`paragold.formats.model_files`). Equal ones give equal bytes."""

import io
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from paragold.classification.classes import Lookup
from paragold.classification.classifier import Classifier
from paragold.classification.features import FeatureSpace
from paragold.classification.linear_svm import LinearModel, Sigmoid
from paragold.classification.matching import Numbers
from paragold.formats.model_files import dump, load
from paragold.formats.text_files import ClosedPipe, whole_file
from paragold.problems import FileProblem

FORMAT = "paragold-classifier-3"
_MAX_BYTES = 1 << 30


def dumps(classifier: Classifier) -> bytes:
    """The file's bytes."""
    space = classifier.space
    words = sorted(space.idf)
    document = {
        "format": FORMAT,
        "classes": space.classes,
        "dense_names": space.dense_names,
        "word_pairs": space.word_pairs,
        "words": words,
        "unseen_idf": space.unseen_idf,
        "intercept": classifier.model.intercept,
        "sigmoid": [classifier.sigmoid.slope, classifier.sigmoid.offset],
        "language": classifier.language,
        "association": classifier.association,
        "lookup": asdict(classifier.lookup),
        "signatures": dict(classifier.signatures),
        "training": dict(classifier.training),
    }
    arrays = {
        "weights": classifier.model.weights,
        "means": space.means,
        "scales": space.scales,
        "idf": np.array([space.idf[word] for word in words]),
    }
    stream = io.BytesIO()
    dump(stream, {name: values.astype("<f8") for name, values in arrays.items()}, document)
    return stream.getvalue()


def loads(data: bytes, *, name: str = "model") -> Classifier:
    """The classifier of a file's bytes. Raises FileProblem, with `name` as the file."""
    arrays, document = load(io.BytesIO(data), file=name, max_bytes=_MAX_BYTES)
    if document.get("format") != FORMAT:
        raise FileProblem(
            f"It has the format {document.get('format')!r}, this program reads {FORMAT!r}.",
            "Train again.",
            file=name,
        )
    return _classifier(document, arrays)


def write(path: Path, classifier: Classifier) -> None:
    """Write a file. Raises FileProblem when that is not possible."""
    try:
        with whole_file(path) as file:
            file.write(dumps(classifier))
    except ClosedPipe:
        raise
    except OSError as error:
        raise FileProblem(
            f"It cannot be written ({error.strerror}).", "Choose another path.", file=str(path)
        ) from error


def read(path: Path) -> Classifier:
    """Read a file; see `loads`."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileProblem(
            f"It cannot be read ({error.strerror}).", "Check the path.", file=str(path)
        ) from error
    return loads(data, name=str(path))


def _classifier(document: dict[str, Any], arrays: Mapping[str, Numbers]) -> Classifier:
    space = FeatureSpace(
        classes=tuple(document["classes"]),
        dense_names=tuple(document["dense_names"]),
        means=arrays["means"],
        scales=arrays["scales"],
        word_pairs=tuple((name, first, second) for name, first, second in document["word_pairs"]),
        idf=dict(zip(document["words"], arrays["idf"].tolist(), strict=True)),
        unseen_idf=document["unseen_idf"],
    )
    return Classifier(
        space,
        LinearModel(arrays["weights"], document["intercept"]),
        Sigmoid(*document["sigmoid"]),
        document["language"],
        association=tuple((first, second) for first, second in document["association"]),
        lookup=Lookup(**document["lookup"]),
        signatures=document["signatures"],
        training=document["training"],
    )
