"""What is launched on a corpus: finding candidate pairs, and building lexicons of word pairs."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from corpus.models import Lexicon
from corpus.services.extraction import launch_extraction
from corpus.services.headline_matching import launch_headline_matching
from corpus.services.lexicons import launch_lexicon
from corpus.services.matching import launch_matching
from corpus.services.presets import NAME_LENGTH
from corpus.specs import ProjectHeadlineSpec, ProjectMatchingSpec
from jobs.operations import Confirmed, Operation, Rows
from paragold.classification.settings import LexiconSpec
from paragold.extraction.presets import RECOMMENDED, names_with_purposes
from paragold.spec import param
from projects.models import Project


class ExtractionOptions(Confirmed):
    preset: str = param(
        RECOMMENDED,
        "Preset",
        f"{names_with_purposes()}, or a preset that the project saved.",
        max_length=NAME_LENGTH,
    )


def datasets(project: Project) -> QuerySet[Any]:
    return project.datasets.all()


def build_lexicon(*, name: str, spec: LexiconSpec, **given: Any) -> Lexicon:
    """A lexicon is called by its kind where no name is given."""
    return launch_lexicon(name=name or spec.kind, spec=spec, **given)


OPERATIONS = (
    Operation(
        "extract",
        "Extract candidate pairs with a preset.",
        launch_extraction,
        options=ExtractionOptions,
        settings="Parameters of the preset to replace, such as max_edit_distance.",
    ),
    Operation(
        "match-sentences",
        "Match the sentences of the project by the words that they share.",
        launch_matching,
        options=Confirmed,
        spec=ProjectMatchingSpec,
    ),
    Operation(
        "match-headlines",
        "Match the headlines of each cluster.",
        launch_headline_matching,
        spec=ProjectHeadlineSpec,
        leave_out=("language",),
    ),
    Operation(
        "build-lexicon",
        "Build the next version of a lexicon of word pairs from a dataset.",
        build_lexicon,
        rows=(Rows("dataset", "Pairs whose words are counted.", datasets, required=True),),
        spec=LexiconSpec,
    ),
)
