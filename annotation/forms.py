"""Forms of the judging, splitting, review and gold pages. What they ask for is done by the services."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from django import forms
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils.translation import gettext, gettext_noop as _

from annotation.models import POSTERIOR, Batch, Item
from annotation.schemes import SCHEME_LABELS, Label
from annotation.services.answers import COMMENT_LIMIT
from annotation.services.reassignment import OpenItems
from annotation.specs import SubclusterLinksSpec, SubclusterScoresSpec
from paragold.metrics.third_judgements import ENOUGH
from projects.forms.spec_form import SpecForm
from projects.interface_language import in_language
from projects.listings import grouped
from projects.models import GoldRule, Project, Role

LARGEST = 2**31 - 1
RULES: dict[str, str] = {
    GoldRule.DISAGREEMENT_NEGATIVE: _(
        "Unanimous: pairs on which annotators disagree are not paraphrases (Brockett & Dolan 2005, "
        "section 3.3); of three labels the most cautious that anyone gave is taken."
    ),
    GoldRule.MAJORITY: _(
        "Majority: the label that more than half of the annotators gave; without one, as unanimous."
    ),
    GoldRule.ADJUDICATED: _(
        "Adjudicated: the adjudicator decides where annotators disagree; undecided pairs are left out "
        "and counted."
    ),
    POSTERIOR: "Posterior: the most probable label by the annotators' competence where its posterior is "
    f"above {ENOUGH}; the adjudicator decides the rest. Needs three annotators who share pairs.",
}


def free_name(taken: Iterable[str], stem: str) -> str:
    """`stem 1`, or the first number that is free."""
    names = set(taken)
    return next(name for n in range(1, len(names) + 2) if (name := f"{stem} {n}") not in names)


def annotators_of(project: Project) -> QuerySet[User]:
    people = User.objects.filter(memberships__project=project, memberships__role=Role.ANNOTATOR)
    return people.filter(is_active=True).order_by("username")


def who_may_decide(project: Project) -> set[str]:
    """The usernames of managers, adjudicators and administrators: needed to decide disputes."""
    roles = Q(memberships__project=project, memberships__role__in=[Role.MANAGER, Role.ADJUDICATOR])
    return set(User.objects.filter(roles | Q(is_superuser=True)).values_list("username", flat=True))


class OrderedForm(forms.Form):
    """A form whose fields stand in `order`, whichever of them were added for one project."""

    order: tuple[str, ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **({"label_suffix": ""} | kwargs))

    def __iter__(self) -> Iterator[forms.BoundField]:
        self.order_fields(self.order)
        return super().__iter__()


class BatchAnnotatorForm(forms.Form):
    """Quota and pause of one annotator of a batch."""

    quota = forms.IntegerField(required=False, min_value=0, max_value=LARGEST)
    paused = forms.BooleanField(required=False)
    open_items = forms.CharField(required=False, max_length=160)

    def __init__(self, *args: Any, batch: Batch, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = User.objects.filter(pk__in=batch.annotators.values("annotator"))
        self.fields["annotator"] = forms.ModelChoiceField(people, to_field_name="username")

    def settings(self) -> dict[str, Any]:
        """The fields that were sent, as the service takes them; others do not change."""
        fields = {name: value for name, value in self.cleaned_data.items() if name in self.data}
        kind, _separator, person = fields.get("open_items", "").partition(" ")
        return fields | ({"open_items": OpenItems.HAND_OVER, "to": person} if kind == "to" else {})


class RemovalForm(OrderedForm):
    """Who gets a member's open items; `people` are (name, how many each can take, of how many)."""

    open_items = forms.ChoiceField(
        label=_("Open items"),
        widget=forms.RadioSelect,
        choices=in_language(
            [
                (OpenItems.HAND_BACK, _("Give them back to the other annotators of each batch")),
                (OpenItems.HAND_OVER, _("Give them to one annotator")),
            ]
        ),
        initial=OpenItems.HAND_BACK,
        help_text=_("Nobody gets a pair or cluster twice. Items that nobody can take wait in their batch."),
    )
    to = forms.ChoiceField(label=_("New annotator"), required=False)

    def __init__(self, *args: Any, people: Sequence[tuple[str, int, int]], asks: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["open_items"].required = asks
        cast(forms.ChoiceField, self.fields["to"]).choices = [
            ("", gettext("Choose")),
            *(
                (
                    name,
                    gettext("%(name)s (can take %(able)s of %(total)s)")
                    % {"name": name, "able": grouped(able), "total": grouped(total)},
                )
                for name, able, total in people
            ),
        ]

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("open_items") == OpenItems.HAND_OVER and not self.cleaned_data.get("to"):
            self.add_error("to", gettext("Choose the annotator who gets the items."))
        return self.cleaned_data

    def choice(self) -> dict[str, str]:
        return {name: self.cleaned_data.get(name, "") for name in ("open_items", "to")}


class AdjudicationForm(forms.Form):
    """One decision: the label is that of the button pressed, the versions those that were shown."""

    version = forms.IntegerField(min_value=0, max_value=LARGEST, widget=forms.HiddenInput)
    basis = forms.RegexField(r"^[0-9]{1,9}(,[0-9]{1,9})*$", max_length=1_000, widget=forms.HiddenInput)
    comment = forms.CharField(
        required=False, max_length=COMMENT_LIMIT, widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"})
    )

    def __init__(self, *args: Any, item: Item, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        labels = SCHEME_LABELS[item.batch.scheme]
        self.fields["label"] = forms.ChoiceField(
            choices=in_language([(name, Label(name).label) for name in labels])
        )

    def clean_basis(self) -> list[int]:
        return [int(version) for version in self.cleaned_data["basis"].split(",")]


class SubclusterScoresForm(SpecForm):
    spec_class = SubclusterScoresSpec
    leave_out = ("method", "language")
    share = forms.FloatField(
        label=_("Share of the clusters to tune on"),
        required=False,
        min_value=0.01,
        max_value=0.99,
        help_text=_(
            "Leave empty to use the thresholds above. Otherwise thresholds are tuned for F (beta "
            "0.25) on this share and scored on the other clusters."
        ),
    )


class SubclusterLinksForm(SpecForm):
    spec_class = SubclusterLinksSpec
    leave_out = ("language",)
    share = forms.FloatField(
        label=_("Share of the clusters tuned on"),
        required=False,
        min_value=0.01,
        max_value=0.99,
        help_text=_("Their links are left out."),
    )
