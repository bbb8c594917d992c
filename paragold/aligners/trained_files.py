"""Keeping a trained aligner in a file, and opening it again."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from paragold.aligners import best, program_aligner, statistical
from paragold.aligners.best import BestAligner
from paragold.aligners.cooccurrences import Vocabulary
from paragold.aligners.free_words import FreeWordRules
from paragold.aligners.link_classifier import FEATURES, LinkClassifier
from paragold.aligners.model_files import ModelFileError, load, save
from paragold.aligners.program_aligner import ProgramAligner
from paragold.aligners.registry import PROGRAMS
from paragold.aligners.relations import Relations
from paragold.aligners.statistical import StatisticalAligner
from paragold.aligners.training_parameters import TrainingParameters
from paragold.aligners.translation_model import ARRAYS, Iteration, TranslationModel
from paragold.text.stemming import Stemmer
from paragold.text.wordnet import wordnet_or_none

_KIND = "paragold aligner"
Kept: TypeAlias = BestAligner | StatisticalAligner | ProgramAligner
"""The aligners that a file can hold."""


def save_aligner(path: Path, aligner: Kept) -> str:
    """Write an aligner, numbers and JSON only, and return its SHA-256. Raises OSError where it cannot."""
    if isinstance(aligner, ProgramAligner):
        program = aligner.program
        own = {"linking": program.linking, "lexicon": program.lexicon}
        return save(path, aligner.numbers(), own | _kind(aligner.name))
    numbers, description = aligner.model.contents()
    relations = aligner.model.relations
    description |= _kind(aligner.name)
    description |= {
        "stemmer": relations.stemmer.language if relations.stemmer else None,
        "wordnet": relations.wordnet is not None,
        "spelling": relations.spelling,
    }
    if isinstance(aligner, StatisticalAligner):
        description |= {"linking": aligner.linking, "threshold": aligner.threshold}
        return save(path, numbers, description)
    description |= {
        "rules": aligner.rules.as_dict(),
        "features": list(FEATURES) if aligner.classifier else [],
    }
    if aligner.classifier is not None:
        numbers |= aligner.classifier.numbers()
    return save(path, numbers, description)


def load_aligner(path: Path) -> Kept:
    """The aligner of a file, which draws the same links as the one that was saved.

    Raises ModelFileError for a file that is none or was damaged, and where the aligner's features, stemmer
    or WordNet differ from those it was trained with.
    """
    numbers, description = load(path)
    name = str(description.get("aligner"))
    if description.get("kind") != _KIND or description.get("version") != _version(name):
        raise ModelFileError(f"{path} is no aligner of this version of Paragold. Train it again.")
    try:
        if name in PROGRAMS:
            linking, lexicon = str(description["linking"]), bool(description["lexicon"])
            return program_aligner.of_numbers(name, numbers, linking=linking, lexicon=lexicon)
        relations = Relations(
            Stemmer(description["stemmer"]) if description["stemmer"] else None,
            wordnet_or_none() if description["wordnet"] else None,
            spelling=description["spelling"],
        )
        if relations.signature != description["relations"]:
            raise ModelFileError(
                f"{path} was trained with {description['relations']}, but here is {relations.signature}. "
                "Install the same stemmer and WordNet, or train the aligner again."
            )
        model = _model(numbers, description, relations)
        if name != BestAligner.name:
            linking, threshold = description["linking"], float(description["threshold"])
            return StatisticalAligner(name, model, linking=linking, threshold=threshold)
        classifier = None
        if description["features"]:
            if description["features"] != list(FEATURES):
                raise ModelFileError(f"{path} was trained on other features of links. Train it again.")
            classifier = LinkClassifier.of_numbers(numbers)
        return BestAligner(model, FreeWordRules(**description["rules"]), classifier)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        if isinstance(error, ModelFileError):
            raise
        raise ModelFileError(f"{path} is not a whole aligner ({error!r}). Train it again.") from error


def _kind(name: str) -> dict[str, Any]:
    return {"kind": _KIND, "aligner": name, "version": _version(name)}


def _version(name: str) -> int:
    if name in PROGRAMS:
        return program_aligner.VERSION
    return best.VERSION if name == BestAligner.name else statistical.VERSION


def _model(
    numbers: dict[str, NDArray[Any]], description: dict[str, Any], relations: Relations
) -> TranslationModel:
    source, target = (_vocabulary(numbers[f"{side}_words"]) for side in ("source", "target"))
    jumps = numbers["jumps"]
    return TranslationModel(
        parameters=TrainingParameters(**description["parameters"]),
        relations=relations,
        source_vocabulary=source,
        target_vocabulary=target,
        jumps=(np.ascontiguousarray(jumps[0]), np.ascontiguousarray(jumps[1])),
        iterations=[Iteration(**iteration) for iteration in description["iterations"]],
        **{name: numbers[name] for name in ARRAYS},
    )


def _vocabulary(characters: NDArray[np.uint8]) -> Vocabulary:
    text = characters.tobytes().decode("utf-8", "surrogatepass")
    return Vocabulary(text.split("\n") if text else ())
