"""Giving people accounts and roles."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from projects.interface_language import in_language
from projects.models import ApiToken, Role, TokenScope
from projects.services import tokens
from projects.services.people import MAX_DAYS, MAX_USES

_NAME = forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"})


class MemberForm(forms.Form):
    username = forms.CharField(max_length=150, widget=_NAME)
    role = forms.ChoiceField(choices=in_language(Role.choices), initial=Role.ANNOTATOR)


class InvitationForm(forms.Form):
    """On one page with the form of a member."""

    role = forms.ChoiceField(choices=in_language(Role.choices), initial=Role.ANNOTATOR)
    uses = forms.IntegerField(
        label=_("People"),
        min_value=1,
        max_value=MAX_USES,
        initial=1,
        help_text=_("How many may use the link."),
    )
    days = forms.IntegerField(
        label=_("Days"),
        min_value=1,
        max_value=MAX_DAYS,
        initial=7,
        help_text=_("The link ends after these days."),
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="invite_%s")


class AccountForm(forms.Form):
    username = forms.CharField(max_length=150, widget=_NAME)
    administrator = forms.BooleanField(
        required=False,
        help_text=_("May do everything in every project, manage accounts and change the installation."),
    )


class TokenForm(forms.Form):
    name = forms.CharField(
        label=_("Name"), max_length=80, widget=_NAME, help_text=ApiToken._meta.get_field("name").help_text
    )
    scope = forms.ChoiceField(
        label=_("Scope"),
        choices=TokenScope.choices,
        initial=TokenScope.READ,
        help_text=ApiToken._meta.get_field("scope").help_text,
    )
    days = forms.IntegerField(
        label=_("Days"),
        min_value=1,
        max_value=tokens.MAX_DAYS,
        initial=tokens.DEFAULT_DAYS,
        help_text=format_lazy(_("The token ends after these days: 1 to {maximum}."), maximum=tokens.MAX_DAYS),
    )
