"""The parameters of an extraction or a matching, in words."""

from __future__ import annotations

from dataclasses import MISSING, fields
from fractions import Fraction

from corpus.models import Extraction
from paragold.extraction.criteria import PARAMETERS, Criteria

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


DEFAULTS = {field.name: None if field.default is MISSING else field.default for field in fields(Criteria)}


def parameter_text(name: str, value: object) -> str:
    """A parameter's value as people read it."""
    parameter = PARAMETERS[name]
    return parameter.labels.get(str(value), str(value)) if parameter.kind == "choice" else as_text(value)


def settings_in_words(extraction: Extraction) -> list[tuple[str, str]]:
    """Label and value of each parameter."""
    job = extraction.job
    if extraction.criteria:
        values = {name: extraction.criteria.get(name, DEFAULTS[name]) for name in PARAMETERS}
        return [(PARAMETERS[name].label, parameter_text(name, value)) for name, value in values.items()]
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
