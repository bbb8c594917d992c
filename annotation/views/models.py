"""The page of a model that answered a batch: beside each person, the test, what it costs, failures."""

from __future__ import annotations

from typing import Any

from django import forms
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_noop as _

from annotation.models import ModelAnnotator
from annotation.presenters import letter, shown
from annotation.services.model_answers import kind_of
from annotation.services.model_report import model_report
from paragold.metrics.alternative_annotator import EPSILONS
from projects.permissions import check_manage
from projects.reports import Asked, Report, report

PEOPLE = {"expert": _("experts"), "skilled": _("skilled annotators"), "crowd": _("crowd workers")}


class PeopleForm(forms.Form):
    """Who the annotators are, which says how much better than the model one of them may be."""

    people = forms.ChoiceField(choices=PEOPLE.items(), required=False)


@report("annotation/model_annotator.html", check_manage, choices=lambda data, project: PeopleForm(data))
def model_annotator(asked: Asked, pk: int) -> Report:
    """For managers only: adjudicators decide without a model's answers."""
    models = ModelAnnotator.objects.filter(batch__in=asked.project.batches.all())
    annotator = get_object_or_404(models.select_related("batch__project", "classifier", "job"), pk=pk)
    asked.request.belongs_to = annotator.batch.kind  # type: ignore[attr-defined]  # for the navigation
    people = asked.chosen.get("people", "skilled")
    answer = model_report(annotator, epsilon=EPSILONS[people])
    figures = kind_of(annotator.batch).figures

    def page() -> dict[str, Any]:
        return {
            "annotator": annotator,
            "job": annotator.job,
            "batch": annotator.batch,
            "people": people,
            "choices": PEOPLE,
            "gold_sets": [*annotator.gold_sets.all(), *annotator.gold_links.all()],
            "rows": [
                (letter(row["annotator"]), row, [shown(name, row[name]) for name in figures])
                for row in answer["annotators"]
            ],
        }

    return Report(answer=answer, page=page, name=f"model-{pk}")
