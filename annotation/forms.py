"""Forms of the judging, splitting, review and gold pages. What they ask for is done by the services."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, cast

from django import forms
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from annotation.models import SCHEME_LABELS, Batch, BatchKind, Item, Label, SubclusterRule
from annotation.services.answers import COMMENT_LIMIT
from annotation.services.freezing import decisions_in, default_rule
from annotation.services.judgement_import import LONGEST_NAME
from annotation.services.reassignment import OpenItems
from annotation.specs import SubclusterLinksSpec, SubclusterScoresSpec
from corpus.forms import ENCODINGS
from paragold.formats.judgement_files import JUDGEMENT_FORMATS
from paragold.formats.judgement_formats import AUTO, HIGHEST_SIMILARITY, PAIR_COLUMNS, Reading
from paragold.problems import shortened
from projects.forms.spec_form import SpecForm
from projects.models import GoldRule, Project, Role

LARGEST = 2**31 - 1
RULES = {
    GoldRule.DISAGREEMENT_NEGATIVE: "Unanimous: pairs on which annotators disagree are not paraphrases "
    "(Brockett & Dolan 2005, section 3.3); of three labels the most cautious that anyone gave is taken.",
    GoldRule.MAJORITY: "Majority: the label that more than half of the annotators gave; without one, as "
    "unanimous.",
    GoldRule.ADJUDICATED: "Adjudicated: the adjudicator decides where annotators disagree; undecided pairs "
    "are left out and counted.",
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
        kind, _, person = fields.get("open_items", "").partition(" ")
        return fields | ({"open_items": OpenItems.HAND_OVER, "to": person} if kind == "to" else {})


class RemovalForm(OrderedForm):
    """Who gets a member's open items; `people` are (name, how many each can take, of how many)."""

    open_items = forms.ChoiceField(
        label="Open items",
        widget=forms.RadioSelect,
        choices=[
            (OpenItems.HAND_BACK, "Give them back to the other annotators of each batch"),
            (OpenItems.HAND_OVER, "Give them to one annotator"),
        ],
        initial=OpenItems.HAND_BACK,
        help_text="Nobody gets a pair or cluster twice. Items that nobody can take wait in their batch.",
    )
    to = forms.ChoiceField(label="New annotator", required=False)

    def __init__(self, *args: Any, people: Sequence[tuple[str, int, int]], asks: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["open_items"].required = asks
        cast(forms.ChoiceField, self.fields["to"]).choices = [
            ("", "Choose"),
            *((name, f"{name} (can take {able:,} of {total:,})") for name, able, total in people),
        ]

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("open_items") == OpenItems.HAND_OVER and not self.cleaned_data.get("to"):
            self.add_error("to", "Choose the annotator who gets the items.")
        return self.cleaned_data

    def choice(self) -> dict[str, str]:
        return {name: self.cleaned_data.get(name, "") for name in ("open_items", "to")}


class BatchField(forms.ModelChoiceField):
    """One batch of several; `labels` says of each, by id, how far it is."""

    def __init__(self, *args: Any, labels: dict[int, str], **kwargs: Any) -> None:
        self.labels = labels
        super().__init__(*args, **kwargs)

    def label_from_instance(self, obj: Batch) -> str:
        return self.labels.get(obj.pk, obj.name)


class BatchesField(BatchField, forms.ModelMultipleChoiceField):
    """Several of them."""


class FreezeForm(OrderedForm):
    """A batch of `kind`, or `several`, to be frozen as gold by a rule; the first name is `stem`.

    `labels` says of each batch, by id, how far it is.
    """

    order = ("name", "batch", "batches", "rule")
    kind: ClassVar[str]
    stem: ClassVar[str]
    several: ClassVar[bool] = False

    name = forms.CharField(
        max_length=80,
        help_text="A name in use gets its next version; earlier versions remain.",
    )

    def __init__(self, *args: Any, project: Project, labels: dict[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].initial = self.stem
        batches = project.batches.current().filter(kind=self.kind, trial=False)
        given = self.initial.get("batches", [self.initial.get("batch")])
        chosen = list(batches.filter(pk__in=[int(str(pk)) for pk in given if str(pk).isdecimal()]))
        rule = self.fields["rule"]
        rule.initial = default_rule(chosen, rule.initial or project.gold_rule)
        if decisions := decisions_in(chosen):
            things = f"{decisions:,} decision{'s' * (decisions != 1)}"
            rule.help_text = f"Preselected: the rule that uses the {things} of adjudicators."
        if not self.several:
            self.fields["batch"] = BatchField(batches, labels=labels, empty_label=None)
            return
        self.fields["batches"] = BatchesField(
            batches,
            labels=labels,
            widget=forms.CheckboxSelectMultiple,
            error_messages={"required": "Choose at least one batch."},
        )


class GoldSetForm(FreezeForm):
    kind, stem, several = BatchKind.JUDGE, "gold", True

    rule = forms.ChoiceField(widget=forms.RadioSelect, choices=list(RULES.items()))


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
        self.fields["label"] = forms.ChoiceField(choices=[(name, Label(name).label) for name in labels])

    def clean_basis(self) -> list[int]:
        return [int(version) for version in self.cleaned_data["basis"].split(",")]


class JudgementsUploadForm(OrderedForm):
    file = forms.FileField(help_text="One of the formats below; it is recognised from the content.")
    encoding = forms.ChoiceField(choices=ENCODINGS, initial="utf-8", help_text="Encoding of the file.")


def similarity(label: str, help_text: str) -> forms.FloatField:
    return forms.FloatField(
        required=False, min_value=0, max_value=HIGHEST_SIMILARITY, label=label, help_text=help_text
    )


COLUMN = "column_"
COLUMN_LABELS = {
    "id": "Id",
    "a": "First sentence",
    "b": "Second sentence",
    "label": "Label",
    "score": "Similarity",
    "comment": "Comment",
    "flagged": "Flagged",
}


class JudgementsForm(OrderedForm):
    """How an uploaded file is read, and what it becomes."""

    become = forms.ChoiceField(
        label="Import as",
        widget=forms.RadioSelect,
        choices=[
            ("gold", "A gold set: its labels are final"),
            ("annotator", "An annotator's judgements, to be compared and reviewed with others"),
        ],
        initial="gold",
    )
    name = forms.CharField(
        max_length=LONGEST_NAME,
        help_text="Name of the gold set (a name in use gets its next version) or of the batch (a new one "
        "is made; in an existing one pairs are found by their text).",
    )
    annotator = forms.ChoiceField(
        required=False, help_text="The annotator, if these are an annotator's judgements."
    )
    format = forms.ChoiceField(choices=lambda: [(AUTO, "Recognised"), *JUDGEMENT_FORMATS.choices()])
    threshold = similarity("Minimum similarity: paraphrase", "0 to 5, for files of similarities.")
    partial_threshold = similarity(
        "Minimum similarity: partial paraphrase",
        "Leave empty for two labels; otherwise pairs below this are unrelated.",
    )
    judge = forms.CharField(
        required=False,
        max_length=100,
        label="Judge",
        help_text="Whose judgements are read, if the file has several people's: a name in it (pairs.jsonl: a "
        "pseudonym; Label Studio: number or e-mail address). Empty: the gold labels, or the only person's.",
    )
    keep_contradictions = forms.BooleanField(
        required=False,
        label="Keep contradictions",
        help_text="Freezes a gold set although the same two sentences have different labels in the file.",
    )

    def __init__(
        self, *args: Any, project: Project, columns: tuple[list[str], list[str]] = ([], []), **kwargs: Any
    ) -> None:
        """columns: what the file's first line gives, of `columns_of`."""
        super().__init__(*args, **kwargs)
        people = [user.username for user in annotators_of(project)]
        choices = [("", "Nobody"), *((name, name) for name in people)]
        cast(forms.ChoiceField, self.fields["annotator"]).choices = choices
        names, cells = columns
        by_number = [
            (str(number), f"{number}: {shortened(cell)}") for number, cell in enumerate(cells, start=1)
        ]
        offered = [
            ("", "By its usual name"),
            ("Called", [(name, shortened(name)) for name in names]),
            ("Without a header", by_number),
        ]
        for name in PAIR_COLUMNS.usual if names or cells else ():
            self.fields[f"{COLUMN}{name}"] = forms.ChoiceField(
                choices=[choice for choice in offered if choice[1]],
                required=False,
                label=COLUMN_LABELS[name],
            )

    @property
    def column_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith(COLUMN)]

    @property
    def other_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if not name.startswith(COLUMN)]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("become") == "annotator" and not cleaned.get("annotator"):
            self.add_error("annotator", "Choose whose judgements these are.")
        try:
            self.reading = Reading(
                format=cleaned.get("format") or AUTO,
                threshold=cleaned.get("threshold"),
                partial_threshold=cleaned.get("partial_threshold"),
                judge=cleaned.get("judge", ""),
                columns={
                    name: cleaned[f"{COLUMN}{name}"]
                    for name in PAIR_COLUMNS.usual
                    if cleaned.get(f"{COLUMN}{name}")
                },
            )
        except ValueError as error:
            field, _, message = str(error).partition(": ")
            self.add_error(field, message[:1].upper() + message[1:] + ".")
        return cleaned

    @property
    def whose(self) -> str | None:
        """The username of the annotator that they become; None for a gold set."""
        return self.cleaned_data["annotator"] if self.cleaned_data["become"] == "annotator" else None


class GoldSubclustersForm(FreezeForm):
    kind, stem = BatchKind.SPLIT, "sub-clusters"

    rule = forms.ChoiceField(
        widget=forms.RadioSelect, choices=SubclusterRule.choices, initial=SubclusterRule.ADJUDICATED
    )


class SubclusterScoresForm(SpecForm):
    spec_class = SubclusterScoresSpec
    leave_out = ("method", "language")
    share = forms.FloatField(
        label="Share of the clusters to tune on",
        required=False,
        min_value=0.01,
        max_value=0.99,
        help_text="Leave empty to use the thresholds above. Otherwise thresholds are tuned for F (beta "
        "0.25) on this share and scored on the other clusters.",
    )


class SubclusterLinksForm(SpecForm):
    spec_class = SubclusterLinksSpec
    leave_out = ("language",)
    share = forms.FloatField(
        label="Share of the clusters tuned on",
        required=False,
        min_value=0.01,
        max_value=0.99,
        help_text="Their links are left out.",
    )
