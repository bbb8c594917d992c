"""The parameters of an extraction or a matching, in words."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from corpus.models import Extraction
from paragold.extraction.criteria import Criteria
from paragold.spec import Parameter

from . import headline_matching, matching, text_matching

GROUPS = "Number of groups"
COMPARED = ("Compare", "the first sentences of the articles of a cluster")


def as_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and "/" in value and 100 % Fraction(value).denominator == 0:
        hundredths = Fraction(value) * 100
        return value if Fraction(value).denominator < 10 else f"0.{int(hundredths):02}"
    return "none" if value is None else str(value)


def parameter_text(parameter: Parameter, value: object) -> str:
    """The value of a parameter of extractions as people read it."""
    if parameter.kind == "choice":
        return dict(parameter.choices).get(str(value), str(value))
    return as_text(value)


def extraction_rows(criteria: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The table of all parameters: a row has the label, the meaning, and the value in each of `criteria`."""
    return [
        {
            "label": param.label,
            "meaning": param.help,
            # What was extracted before a parameter came was extracted with its default.
            "values": [parameter_text(param, stored.get(param.name, param.default)) for stored in criteria],
        }
        for param in Criteria.parameters()
    ]


def settings_in_words(extraction: Extraction) -> list[tuple[str, str]]:
    """Label and value of each parameter."""
    job = extraction.job
    if extraction.criteria:
        return [(row["label"], row["values"][0]) for row in extraction_rows([extraction.criteria])]
    if job.kind == matching.KIND:
        return matching.spec_of(job).described()
    if job.kind == text_matching.KIND:
        return text_matching.spec_of(job).described()
    if job.kind == headline_matching.KIND:
        chosen = job.parameters.get("groups_by")
        described = [
            row for row in headline_matching.spec_of(job).described() if row[0] != GROUPS or not chosen
        ]
        return [COMPARED, *described, *([(GROUPS, chosen)] if chosen else [])]
    return []
