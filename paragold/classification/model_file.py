"""A classifier as a file of plain numbers: NumPy arrays and a JSON document in an .npz, with a hash.

Nothing in it is ever executed: reading allows no pickled objects, and refuses a file whose SHA-256 over all
its content does not agree. The same classifier gives the same bytes.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from paragold.classification.classifier import Classifier
from paragold.classification.features import FeatureSpace
from paragold.classification.linear_svm import LinearModel, Sigmoid
from paragold.classification.matching import Numbers
from paragold.problems import FileProblem

FORMAT = "paragold-classifier-1"
ARRAYS = ("weights", "means", "scales", "idf")
_MOST_BYTES = 1 << 30


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
        "signatures": dict(classifier.signatures),
        "training": dict(classifier.training),
    }
    text = json.dumps(document, ensure_ascii=False, sort_keys=True, allow_nan=False).encode()
    arrays = {
        "weights": classifier.model.weights,
        "means": space.means,
        "scales": space.scales,
        "idf": np.array([space.idf[word] for word in words]),
    }
    stored = {name: np.ascontiguousarray(values, dtype="<f8") for name, values in arrays.items()}
    stream = io.BytesIO()
    np.savez_compressed(
        stream,
        document=np.frombuffer(text, dtype=np.uint8),
        sha256=np.frombuffer(_digest(text, stored), dtype=np.uint8),
        weights=stored["weights"],
        means=stored["means"],
        scales=stored["scales"],
        idf=stored["idf"],
    )
    return stream.getvalue()


def loads(data: bytes, *, name: str = "model") -> Classifier:
    """The classifier of a file's bytes. Raises FileProblem, with `name` as the file."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > _MOST_BYTES:
                raise FileProblem("It is larger than any classifier.", "Give another file.", file=name)
        with np.load(io.BytesIO(data), allow_pickle=False) as content:
            text = content["document"].tobytes()
            expected = content["sha256"].tobytes()
            arrays = {key: content[key] for key in ARRAYS}
    except FileProblem:
        raise
    # Damaged archives fail in many ways: zipfile, zlib, NumPy's header and missing entries.
    except Exception as error:
        raise FileProblem("It is no classifier, or is damaged.", "Train a new one.", file=name) from error
    if _digest(text, arrays) != expected:
        raise FileProblem(
            "It was changed after it was written (its hash does not agree).", "Train a new one.", file=name
        )
    document = json.loads(text)
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
        path.write_bytes(dumps(classifier))
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


def _digest(text: bytes, arrays: Mapping[str, Numbers]) -> bytes:
    digest = hashlib.sha256(text)
    for name in ARRAYS:
        digest.update(f"{name}{arrays[name].shape}".encode())
        digest.update(arrays[name].astype("<f8").tobytes())
    return digest.digest()


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
        signatures=document["signatures"],
        training=document["training"],
    )
