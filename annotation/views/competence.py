"""The page of competence: who judges well, what cannot be known, and agreement in depth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import Http404

from annotation.models import Batch, BatchKind
from annotation.permissions import check_see_answers, visible_items
from annotation.presenters import bare_percent, decimals, letter, shown
from annotation.schemes import Label
from annotation.services.competence import competence_report
from paragold.metrics.competence import MODELS
from paragold.metrics.label_agreement import Estimate
from projects.models import Scheme
from projects.reports import Asked, Report, report

DEPTH = {
    "by_week": ("Week", "of a pair's last answer, by ISO number"),
    "by_length": ("Words", "both sentences together, in quarters of the pairs"),
    "by_edit_distance": ("Edit distance", "in words, in quarters of the pairs"),
    "by_method": ("Extraction", "a pair counts for each extraction that has it"),
}


class CompetenceForm(forms.Form):
    """Which batches, and the model."""

    batch = forms.IntegerField(required=False)
    scheme = forms.ChoiceField(choices=Scheme.choices, required=False)
    model = forms.ChoiceField(choices=MODELS.items(), required=False)


@report("annotation/competence.html", check_see_answers, choices=lambda data, project: CompetenceForm(data))
def competence(asked: Asked) -> Report:
    """Competence over the items whose answers the reader may see, of one batch or of all of a scheme."""
    project, chosen = asked.project, asked.chosen
    batches = list(Batch.objects.current().filter(project=project, kind=BatchKind.JUDGE))
    only = chosen.get("batch")
    schemes = [batch.scheme for batch in batches]
    scheme = chosen.get("scheme", (schemes or [project.scheme])[0])
    shown_batches = [batch for batch in batches if batch.scheme == scheme]
    if only is not None:
        shown_batches = list(Batch.objects.filter(project=project, kind=BatchKind.JUDGE, pk=only))
        if not shown_batches:
            raise Http404("The project has no judging batch with this number.")
    answer = competence_report(
        project=project,
        batches=shown_batches,
        items=visible_items(asked.user, project),
        model=chosen.get("model", "dawid_skene"),
    )

    def page() -> dict[str, Any]:
        return {
            "all_batches": batches,
            "chosen": only,
            "schemes": [Scheme(name) for name in sorted(set(schemes))],
            "models": MODELS,
            "model_name": MODELS[answer["model"]],
            "people": [_person(row) for row in answer["annotators"]],
            "reasons": sorted({row["reason"] for row in answer["unknown"]}),
            "shares": _shares(answer),
            "label_names": [Label(label).label for label in answer["labels"]],
            "saved": bare_percent(answer["third_judgements"]["saved"]),
            "by_label": [
                (letter(row["first"]), letter(row["second"]), Label(row["label"]).label, row)
                for row in answer["depth"]["by_pair_and_label"]
            ],
            "groups": [
                (name, *words, [_group(row) for row in answer["depth"][name]])
                for name, words in DEPTH.items()
            ],
        }

    return Report(answer=answer, page=page, name="competence")


def _person(row: Mapping[str, Any]) -> dict[str, Any]:
    figures = [_text(row[name]) for name in ("accuracy", "balanced", "knowing")]
    return {
        "letter": letter(row["annotator"]),
        "items": row["items"],
        "figures": figures,
        "seconds": row["median_seconds"],
        "why": row["accuracy"]["undefined_because"],
    }


def _text(figure: Estimate) -> tuple[str, str]:
    """A share in percent and its interval."""
    low, high = figure["low"], figure["high"]
    interval = "" if low is None else f"{bare_percent(low)} to {bare_percent(high)}"
    return bare_percent(figure["value"]), interval


def _shares(answer: Mapping[str, Any]) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """A line for each annotator and true label: the shares of the given labels."""
    lines: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for row in answer["bias"]:
        line = lines.setdefault((row["annotator"], row["true"]), [])
        line.append((bare_percent(row["share"]), f"{decimals(row['low'])} to {decimals(row['high'])}"))
    return [(letter(person), Label(true).label, cells) for (person, true), cells in lines.items()]


def _group(row: Mapping[str, Any]) -> dict[str, Any]:
    figures = [shown(name, row[name]) for name in ("observed", "alpha_nominal")]
    return {"group": row["group"], "items": row["items"], "figures": figures}
