"""How forms are shown: by templates/django/forms; values and errors are bounded."""

from __future__ import annotations

from copy import copy
from typing import Any

from django.core.exceptions import ValidationError
from django.forms.renderers import TemplatesSetting
from django.forms.utils import ErrorList
from django.http import HttpRequest
from django.utils.translation import gettext

from paragold.problems import PROBLEMS_SHOWN, REPORT_BYTES, bounded, further, shortened

LINE_CHARACTERS, AREA_CHARACTERS = 500, 50_000
"""How much is shown again of a value without a maximum, in one line and in a text area."""


class BoundedForms(TemplatesSetting):
    """Shows a value again up to twice its maximum length, and of the errors of a field the first five."""

    def render(self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None) -> Any:
        if isinstance(context.get("widget"), dict):
            context = context | {"widget": _widget(context["widget"])}
        elif isinstance(context.get("errors"), ErrorList):
            context = context | {"errors": _errors(context["errors"])}
        return super().render(template_name, context, request)


def _widget(widget: dict[str, Any]) -> dict[str, Any]:
    """Shortened, and the option for no choice in the language of the page: it never is a name."""
    for _group, options, _index in widget.get("optgroups", ()):
        for option in options:
            option["label"] = option["label"] if option["value"] else gettext(str(option["label"]))
    value = widget.get("value")
    usual = LINE_CHARACTERS if "type" in widget else AREA_CHARACTERS
    limit = 2 * int(widget["attrs"].get("maxlength") or 0) or usual
    if not isinstance(value, str) or len(value) <= limit:
        return widget
    return widget | {"value": shortened(value, limit)}


def _errors(errors: ErrorList) -> ErrorList:
    shown = copy(errors)
    listed = errors.as_data()
    shown.data = [_in_short(error) for error in listed[:PROBLEMS_SHOWN]]
    if len(listed) > PROBLEMS_SHOWN:
        shown.data.append(further(len(listed) - PROBLEMS_SHOWN))
    return shown


def _in_short(error: ValidationError) -> ValidationError | str:
    """The error with what it quotes shortened; one that stays too long as text."""
    values = error.params or {}
    short = {name: shortened(value) if isinstance(value, str) else value for name, value in values.items()}
    error = ValidationError(error.message, error.code, short)
    (text,) = error.messages
    return error if len(text) <= REPORT_BYTES else bounded(text, REPORT_BYTES)
