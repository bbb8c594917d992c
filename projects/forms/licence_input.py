"""A field for a licence, with the usual ones of data sets as suggestions."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from paragold.formats.publication import LICENCES


class LicenceInput(forms.TextInput):
    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        list_id = f"{name}-suggestions"
        field = super().render(name, value, (attrs or {}) | {"list": list_id}, renderer)
        options = format_html_join("", '<option value="{}">', ((one,) for one in LICENCES))
        return format_html('{}<datalist id="{}">{}</datalist>', field, list_id, options)
