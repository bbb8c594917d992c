"""What an export of a dataset's pairs asks for."""

from __future__ import annotations

import re
from typing import Any

from django import forms

from corpus.models import Project
from corpus.writers.files import FORMATS
from corpus.writers.rows import Splits


class DatasetExportForm(forms.Form):
    more = ("seed", "licence", "limits")

    formats = forms.MultipleChoiceField(
        choices=list(FORMATS.items()), initial=list(FORMATS), widget=forms.CheckboxSelectMultiple
    )
    splits = forms.CharField(
        required=False,
        label="Splits",
        help_text="Shares of clusters for train, dev and test, such as 80/10/10. Empty: one file for all.",
    )
    seed = forms.IntegerField(
        min_value=0, max_value=2**31 - 1, initial=1, required=False, label="Seed of splits"
    )
    licence = forms.CharField(
        required=False,
        max_length=2000,
        help_text="What users of the data may do. It stands in the data card.",
    )
    limits = forms.CharField(
        required=False, max_length=5000, label="Known limits", widget=forms.Textarea(attrs={"rows": 4})
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["dataset"] = forms.ModelChoiceField(project.datasets.all(), empty_label=None)
        self.order_fields(["dataset", "formats", "splits", "seed", "licence", "limits"])

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or self.cleaned_data
        given = fields.get("splits", "").strip()
        fields["splits"] = None
        if given:
            shares = re.fullmatch(r"(\d{1,3})\s*/\s*(\d{1,3})\s*/\s*(\d{1,3})", given, re.ASCII)
            seed = fields.get("seed")
            try:
                if shares is None:
                    raise ValueError("Write three whole numbers, such as 80/10/10.")
                train, dev, test = (int(share) for share in shares.groups())
                fields["splits"] = Splits(train, dev, test, 1 if seed is None else seed)
            except ValueError as error:
                self.add_error("splits", str(error))
        fields.pop("seed", None)
        return fields
