"""What exports ask for: of gold sets, and of a dataset's pairs."""

from __future__ import annotations

from typing import Any

from django import forms

from alignment.forms import GoldLinksField, GoldSetField
from alignment.services.exporting import ExportOptions
from alignment.services.gold_files import formats as gold_formats
from alignment.services.gold_links import STRENGTHS
from annotation.forms import OrderedForm
from paragold.formats.pairs.files import PAIR_FORMATS
from paragold.formats.pairs.splits import Splits
from projects.models import Project


class CardForm(OrderedForm):
    """Splits, and what the data card says of licence and limits."""

    more: tuple[str, ...] = ("seed", "licence", "limits")

    splits = forms.CharField(
        required=False,
        label="Splits",
        help_text="Shares of the pairs for train, dev and test, such as 80/10/10. Pairs of one cluster, "
        "and pairs that share a sentence, are in one split. Empty: all in one.",
    )
    seed = forms.IntegerField(
        min_value=0, max_value=2**31 - 1, initial=1, required=False, label="Seed of splits"
    )
    licence = forms.CharField(
        required=False,
        max_length=2000,
        help_text="What users of the data may do. It is printed in the data card.",
    )
    limits = forms.CharField(
        required=False, max_length=5000, label="Known limits", widget=forms.Textarea(attrs={"rows": 4})
    )

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or self.cleaned_data
        seed = fields.pop("seed", None)
        try:
            fields["splits"] = Splits.parse(fields.get("splits", ""), 1 if seed is None else seed)
        except ValueError as error:
            self.add_error("splits", str(error))
        return fields


class DatasetExportForm(CardForm):
    order = ("dataset", "formats", "splits", "seed", "licence", "limits")

    formats = forms.MultipleChoiceField(
        choices=PAIR_FORMATS.choices, initial=PAIR_FORMATS.ids, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["dataset"] = forms.ModelChoiceField(project.datasets.current(), empty_label=None)


class GoldExportForm(CardForm):
    order = ("gold_set", "gold_links", "wanted", "approved_only", "strengths", "splits", "seed", "licence")
    more = ("strengths", *CardForm.more)

    wanted = forms.ChoiceField(
        label="Format", widget=forms.RadioSelect, choices=lambda: list(gold_formats().items()), initial="all"
    )
    approved_only = forms.BooleanField(
        required=False,
        label="Approved pairs only",
        help_text="Leaves out pairs on which annotators differ and no adjudicator decided.",
    )
    strengths = forms.ChoiceField(
        label="Links", choices=list(STRENGTHS.items()), initial="as_drawn", required=False
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["gold_set"] = GoldSetField(
            project.gold_sets.current(),
            required=False,
            empty_label="None",
            label="Gold set",
            initial=project.gold_sets.current().first(),
        )
        self.fields["gold_links"] = GoldLinksField(
            project.gold_alignment_sets.current(),
            required=False,
            empty_label="None",
            label="Gold alignment set",
            initial=project.gold_alignment_sets.current().first(),
        )

    def clean_strengths(self) -> str:
        return self.cleaned_data["strengths"] or "as_drawn"

    def clean(self) -> dict[str, Any]:
        fields = super().clean()
        if not fields.get("gold_set") and not fields.get("gold_links") and not self.errors:
            raise forms.ValidationError("Choose a gold set, a gold alignment set, or both.")
        return fields

    @property
    def options(self) -> ExportOptions:
        """Of a valid form."""
        names = ("wanted", "strengths", "approved_only", "splits", "licence", "limits")
        return ExportOptions(**{name: self.cleaned_data[name] for name in names})
