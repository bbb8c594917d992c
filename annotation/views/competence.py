"""The page of competence: who judges well, what cannot be known, and agreement in depth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_noop as _

from annotation.permissions import check_see_answers, visible_items
from annotation.presenters import ShownEstimate, bare_percent, letter, shown
from annotation.schemes import Label
from annotation.services.batch_figures import while_unchanged
from annotation.services.competence import competence_report
from annotation.services.pseudonyms import number_of
from annotation.views.agreement import BatchesForm, chosen_batches
from paragold.metrics.competence import MODELS
from projects.models import Scheme
from projects.permissions import can_manage
from projects.reports import Asked, Report, report

FIGURE_NAMES = {
    "accuracy": _("Accuracy"), "balanced": _("Balanced accuracy"), "knowing": _("Does not guess"),
}  # fmt: skip
GROUP_FIGURES = ("observed", "alpha_nominal")
DEPTH = {
    "by_week": (_("Week"), _("of a pair's last answer, by ISO number")),
    "by_guidelines": (_("Guidelines"), _("version in force at a pair's last answer")),
    "by_length": (_("Words"), _("both sentences together, in quarters of the pairs")),
    "by_edit_distance": (_("Edit distance"), _("in words, in quarters of the pairs")),
    "by_method": (_("Extraction"), _("a pair counts for each extraction that has it")),
}


class CompetenceForm(BatchesForm):
    """Which batches, and the model."""

    model = forms.ChoiceField(choices=MODELS.items(), required=False)


@report("annotation/competence.html", check_see_answers, choices=lambda data, project: CompetenceForm(data))
def competence(asked: Asked) -> Report:
    """Competence over the items whose answers the reader may see, of one batch or of all of a scheme."""
    project, chosen = asked.project, asked.chosen
    batches, shown_batches = chosen_batches(project, chosen)
    model = chosen.get("model", "dawid_skene")
    # What agreement by guidelines and by extraction depends on.
    of_project = project.guidelines_version, *project.extractions.values_list("pk", "name", "job__state")
    answer = while_unchanged(
        f"competence:2:{model}:{of_project}:{asked.by_program}",
        *(asked.user, project, shown_batches),
        partial(
            competence_report,
            project=project,
            batches=shown_batches,
            items=visible_items(asked.user, project, shown_batches),
            model=model,
            with_control=can_manage(asked.user, project),
            with_posteriors=asked.by_program,
        ),
    )

    figures = ["accuracy", "balanced", *(["knowing"] if answer["model"] == "mace" else [])]

    def page() -> dict[str, Any]:
        return {
            "all_batches": batches,
            "chosen": chosen.get("batch"),
            "schemes": [Scheme(name) for name in sorted({batch.scheme for batch in batches})],
            "models": MODELS,
            "model_name": MODELS[answer["model"]],
            "people": [
                (letter(row["annotator"]), row, _person(row, figures)) for row in answer["annotators"]
            ],
            "reasons": _reasons(answer["unknown"]),
            "shares": _shares(answer),
            "controls": [
                (letter(row["annotator"]), row, shown("observed", row["accuracy"]))
                for row in answer["control"]
            ],
            "label_names": [Label(label).label for label in answer["labels"]],
            "saved": bare_percent(answer["third_judgements"]["saved"]),
            "by_label": [
                (letter(row["first"]), letter(row["second"]), gettext(Label(row["label"]).label), row)
                for row in answer["depth"]["by_pair_and_label"]
            ],
            "groups": [
                (*map(gettext, words), _groups(answer["depth"][table])) for table, words in DEPTH.items()
            ],
        }

    return Report(answer=answer, page=page, name="competence")


def _reasons(unknown: list[dict[str, str]]) -> list[str]:
    """Each reason why something is unknown, after the letters of those whom it is about."""
    people: dict[str, list[str]] = {}
    for row in sorted(unknown, key=lambda row: number_of(row["annotator"])):
        people.setdefault(row["reason"], []).append(letter(row["annotator"]))
    return [f"{', '.join(letters)}: {reason}" for reason, letters in people.items()]


def _person(row: Mapping[str, Any], names: list[str]) -> list[ShownEstimate]:
    return [replace(shown("observed", row[name]), name=gettext(FIGURE_NAMES[name])) for name in names]


def _groups(rows: list[dict[str, Any]]) -> list[tuple[dict[str, Any], list[ShownEstimate]]]:
    return [(row, [shown(name, row[name]) for name in GROUP_FIGURES]) for row in rows]


def _shares(answer: Mapping[str, Any]) -> list[tuple[str, str, list[ShownEstimate]]]:
    """A line for each annotator and true label: the shares of the given labels."""
    lines: dict[tuple[str, str], list[ShownEstimate]] = {}
    for row in answer["bias"]:
        lines.setdefault((row["annotator"], row["true"]), []).append(shown("observed", row["share"]))
    return [(letter(person), Label(true).label, cells) for (person, true), cells in lines.items()]
