"""What publishing an export requires, and the files beside the data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from alignment.specs import CardSpec
from paragold.formats.publishing import Card, publication_files
from projects.errors import PublicError
from projects.models import Project

GUIDELINES = "GUIDELINES.md"
MEANINGS: Mapping[str, str] = {
    "LICENSE": "the licence",
    "CITATION.cff": "how to cite the data set",
    "croissant.json": "files, columns and types, in Croissant 1.0",
    GUIDELINES: "what annotators were asked to do",
}

SpecT = TypeVar("SpecT", bound=CardSpec)


def with_licence(spec: SpecT, project: Project) -> SpecT:
    """The spec with the project's licence if it names none.

    Raises PublicError for a data set to publish without a licence, or without authors to cite.
    """
    if not spec.licence and project.licence:
        spec = spec.replace(licence=project.licence)
    if spec.publish and not spec.licence:
        raise PublicError(
            "Choose the licence of the published data set, here or in the project's settings.",
            field="licence",
        )
    if spec.publish and not project.authors.strip():
        raise PublicError(
            "A published data set names its authors. Add them to the project's settings.", field="publish"
        )
    return spec


def meanings_of(spec: CardSpec, guidelines: str = "") -> dict[str, str]:
    """Name and meaning of the files beside the data; none for what is not to be published."""
    return {
        name: meaning
        for name, meaning in MEANINGS.items()
        if spec.publish and (name != GUIDELINES or guidelines.strip())
    }


def texts_of(card: Card, files: Mapping[str, Mapping[str, Any]], guidelines: str = "") -> dict[str, str]:
    """The files that the card names beside the data, by name; `files` has bytes and SHA-256 of the data."""
    if "LICENSE" not in card.files:
        return {}
    lines = "\n".join([*guidelines.splitlines(), ""])  # browsers end lines otherwise
    return publication_files(card, files) | ({GUIDELINES: lines} if GUIDELINES in card.files else {})


def stated(project: Project) -> list[str]:
    """What cards and citations take from a project, which may be changed after an export."""
    return [project.name, project.language, project.authors, project.contact, project.guidelines]
