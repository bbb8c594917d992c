"""Choosing a list of addresses."""

from __future__ import annotations

from django import forms

from .importing import ENCODINGS


class AddressListForm(forms.Form):
    encoding = forms.ChoiceField(
        choices=ENCODINGS, initial="utf-8", help_text="What the list was written in."
    )
    file = forms.FileField(
        label="Addresses",
        max_length=255,
        allow_empty_file=True,  # the reader says what an empty file lacks
        help_text="A CSV or TSV with the columns cluster and url, a text with an address on each line, or a "
        "zip of such texts, one for each cluster.",
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.zip"}),
    )
