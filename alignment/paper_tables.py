"""Tables of the papers: they fill the form of an experiment with a project's own datasets."""

from __future__ import annotations

from typing import Any

from corpus.models import Dataset, HeldOut
from paragold.aligners.registry import ALIGNERS
from paragold.extraction.presets import PRESETS
from paragold.extraction.selection import preset_selections
from projects.models import Project

# By table: its title, and for each training set the presets that make it, the best first. That of 2005 also
# has what classifiers accepted, a lexicon of identical words, and one test set.
TABLES = {
    "table-1": ("Table 1 of Dolan, Quirk & Brockett (2004)", ["L12-2004 L12-2004-word L12", "F2-2004 F2"]),
    "table-3": ("Table 3 of Brockett & Dolan (2005)", ["L12", "F2", "F3"]),
}


def paper_choices(project: Project, table: str) -> dict[str, Any]:
    """What the form of an experiment begins with; {} where there is no such table.

    As for GIZA++, nothing is known of words.
    """
    if table not in TABLES:
        return {}
    in_2005, aligner = table == "table-3", "giza" if ALIGNERS.get("giza").is_available() else "hmm"
    current = project.datasets.current().exclude(held_out=HeldOut.ONLY).order_by("-held_out", "-pk")
    whole, accepted = current.filter(refined_from=None), current.exclude(refined_from=None)
    wanted, gold = TABLES[table][1], list(project.gold_alignment_sets.current())
    named = [
        [dataset for name in names.split() for dataset in whole if _is_of(dataset, name)] for names in wanted
    ]
    datasets = [ones[0] for ones in named if ones] + (list(accepted) if in_2005 else [])
    filled: dict[str, Any] = {"datasets": datasets, "gold_sets": gold[:1] if in_2005 else gold}
    filled |= {"aligners": [aligner], "linking": "refined", "lexicon": "yes" if in_2005 else "no"}
    return filled | {"identical": "no", "one_language": "no"}


def _is_of(dataset: Dataset, preset: str) -> bool:
    """Whether a dataset was selected by a preset, or extracted with it, held-out clusters aside."""
    if dataset.criteria:
        selection = preset_selections().get(preset)
        return selection is not None and dataset.criteria == selection.as_json()
    asked = [row.criteria | {"clusters": "all"} for row in dataset.extractions.all()]
    return bool(asked) and all(criteria == PRESETS[preset].criteria.as_json() for criteria in asked)
