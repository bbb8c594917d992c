"""Launching a matching of headlines."""

from __future__ import annotations

from django import forms

from corpus.specs import ProjectHeadlineSpec
from projects.forms.spec_form import SpecForm


class HeadlineMatchingForm(SpecForm):
    spec_class = ProjectHeadlineSpec
    leave_out = ("language",)
    name = forms.CharField(
        max_length=70,
        required=False,
        help_text="Left empty, it is called after the method. A taken name gets a number.",
    )
