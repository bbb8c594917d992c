"""The options that name lexicons of a project as evidence of aligners."""

from argparse import ArgumentParser
from typing import Any

from alignment.models import EVIDENCE
from alignment.services.word_evidence import lexicons_of
from corpus.models import Lexicon, LexiconKind
from jobs.management.project_argument import version_named
from projects.models import Project


def add_evidence(parser: ArgumentParser) -> None:
    for kind in EVIDENCE:
        label = LexiconKind(kind).label.lower()
        parser.add_argument(
            f"--{kind}", metavar="NAME", help=f"lexicon of the project, weighed by the gold links: {label}"
        )


def chosen_evidence(project: Project, options: dict[str, Any]) -> dict[str, Lexicon]:
    """The lexicons that are named, by kind. Raises CommandError for one that is not there."""
    return {
        kind: version_named(lexicons_of(project, kind), options[kind]) for kind in EVIDENCE if options[kind]
    }
