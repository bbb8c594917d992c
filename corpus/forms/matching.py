"""Launching a matching of sentences."""

from __future__ import annotations

from django import forms

from corpus.specs import ProjectMatchingSpec
from projects.forms.spec_form import SpecForm


class MatchingForm(SpecForm):
    spec_class = ProjectMatchingSpec
    name = forms.CharField(
        max_length=70,
        required=False,
        help_text="Left empty, it is called after method, threshold and scope. A taken name gets a number.",
    )
    confirmed = forms.BooleanField(
        label="Launch all the same",
        required=False,
        help_text="A run that is expected to store very many pairs has to be confirmed.",
    )
    field_order = ("scope", "clusters", "method")
