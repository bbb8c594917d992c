"""Giving somebody a role."""

from django import forms

from projects.models import Role


class MemberForm(forms.Form):
    username = forms.CharField(
        max_length=150, widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"})
    )
    role = forms.ChoiceField(choices=Role.choices, initial=Role.ANNOTATOR)
