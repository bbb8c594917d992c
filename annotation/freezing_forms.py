"""The forms that freeze gold: which batches, by which rule, and what will be left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_noop as _, ngettext

from annotation.forms import RULES
from annotation.models import Batch
from annotation.models.item import BatchQuerySet
from annotation.services.batch_figures import BatchFigures, batch_figures
from annotation.services.freezing import Forecast, decisions_in, default_rule
from annotation.services.progress import annotator_progress
from jobs.launch_form import LaunchForm
from jobs.operations import LaunchPage, Missing
from paragold.spec import Spec, param
from projects.errors import PublicError
from projects.interface_language import in_language
from projects.listings import grouped, many
from projects.models import Project

GOLD_RULES = {str(rule): words for rule, words in RULES.items()}


class FreezeName(Spec):
    name: str = param(
        "", "Name", "A name in use gets its next version; earlier versions remain.", max_length=80
    )


def batches_of(kind: str) -> Callable[[Project], BatchQuerySet]:
    """The batches of a kind that can be frozen: a trial never counts."""
    return lambda project: Batch.objects.filter(project=project, kind=kind, trial=False)


class FreezeForm(LaunchForm):
    """Begins with the rule that uses the decisions of adjudicators, where there are any."""

    stem: ClassVar[str]
    row: ClassVar[str] = "batch"
    rules: ClassVar[dict[str, str]]
    further: ClassVar[tuple[str, ...]] = ()
    """Fields that the forecast takes besides, where the project has rows for them."""

    def fit(self) -> None:
        self.fields["name"].initial = self.stem
        field: Any = self.fields[self.row]
        batches = list(field.queryset)
        labels = self.labels(batches)
        field.called = lambda batch: labels.get(batch.pk, batch.name)
        chosen = self.ready(batches)
        if "batch" in self.asked:
            chosen = [batch for batch in batches if str(batch.pk) in self.asked.getlist("batch")]
        field.initial = chosen if self.row == "batches" else next(iter(chosen), None)
        rule = forms.ChoiceField(
            label=_("Rule"),
            widget=forms.RadioSelect,
            choices=in_language(list(self.rules.items())),
            initial=default_rule(chosen, self.usual_rule()),
        )
        if decisions := decisions_in(chosen):
            rule.help_text = ngettext(
                "Preselected: the rule that uses the %(count)s decision of adjudicators.",
                "Preselected: the rule that uses the %(count)s decisions of adjudicators.",
                decisions,
            ) % {"count": grouped(decisions)}
        self.fields["rule"] = rule

    def usual_rule(self) -> str:
        """The rule without any decision."""
        return next(iter(self.rules))

    def labels(self, batches: list[Batch]) -> dict[int, str]:
        """How far each batch is, by its number."""
        answers = {}
        for pk, people in annotator_progress(batches).items():
            done, total = sum(person.done for person in people), sum(person.total for person in people)
            answers[pk] = gettext("%(done)s of %(total)s answers are in") % {
                "done": grouped(done),
                "total": grouped(total),
            }
        return {
            batch.pk: f"{batch.name}: {answers.get(batch.pk, '0 of 0 answers are in')}" for batch in batches
        }

    def ready(self, batches: list[Batch]) -> list[Batch]:
        """What is preselected."""
        return batches[:1]


class FreezeJudgementsForm(FreezeForm):
    stem, row, rules, further = "gold", "batches", GOLD_RULES, ("models",)

    def usual_rule(self) -> str:
        return self.project.gold_rule

    def labels(self, batches: list[Batch]) -> dict[int, str]:
        self.figures = batch_figures(self.by, self.project, batches)
        return {batch.pk: _how_far(batch, self.figures.get(batch.pk, BatchFigures())) for batch in batches}

    def ready(self, batches: list[Batch]) -> list[Batch]:
        """The newest batch whose pairs were all judged by as many people as they should be."""
        done = [
            batch
            for batch in batches
            if (row := self.figures.get(batch.pk)) and row.judged_by_all == row.items
        ]
        return sorted(done, key=lambda batch: batch.pk)[-1:]


def _how_far(batch: Batch, figures: BatchFigures) -> str:
    """The pairs of a batch, and how many of them are judged, disputed and undecided."""
    text = gettext("%(batch)s: %(judged)s of %(items)s pairs judged by all") % {
        "batch": batch.name,
        "judged": grouped(figures.judged_by_all),
        "items": grouped(figures.items),
    }
    if figures.disputed:
        text += gettext(", %(disputed)s disputed, %(undecided)s of them undecided") % {
            "disputed": grouped(figures.disputed),
            "undecided": grouped(figures.undecided),
        }
    return text


def freezing_page(
    form: type[FreezeForm],
    forecast: Callable[..., Forecast],
    *,
    title: str,
    about: str,
    thing: str,
    kind: str,
    manual: str,
    missing: Missing,
) -> LaunchPage:
    """The page that freezes gold of a kind, with a forecast of what is left out, which follows the form.

    thing: what a set holds, a "pair" or a "cluster"; its counts name it in the plural. missing: what is said
    where there is no batch of that kind.
    """

    def context(request: HttpRequest, shown: LaunchForm) -> dict[str, Any]:
        chosen, rule = shown.chosen(form.row), shown.chosen("rule")
        if not chosen or not rule:
            return {"thing": thing, "forecast": None}
        others = {name: shown.chosen(name) or () for name in form.further if name in shown.fields}
        try:
            expected = forecast(project=shown.project, rule=rule, **{form.row: chosen}, **others)
        except PublicError as error:
            return {"thing": thing, "forecast": None, "problem": str(error)}
        return {"thing": thing, "forecast": expected}

    def launched(made: Any) -> str:
        held = made.counts[f"{thing}s"]
        if made.already_frozen:
            return gettext("Nothing has changed since %(made)s was frozen: no new version was made.") % {
                "made": made
            }
        return gettext("%(made)s is frozen with %(things)s.") % {"made": made, "things": many(held, thing)}

    return LaunchPage(
        title=title,
        about=about,
        button=_("Freeze"),
        launched=launched,
        back=("gold", _("Gold")),
        manual=manual,
        order=("name", form.row, "rule", *form.further),
        missing=lambda project: None if batches_of(kind)(project).current().exists() else missing,
        form=form,
        template="annotation/launch_freeze.html",
        context=context,
        preview=_("Count what is left out"),
    )
