"""Confirming a launch that takes very long."""

from __future__ import annotations

from django import forms

from jobs.services.launch_cost import CONFIRM_SECONDS, duration_words


def check_confirmed(
    form: forms.Form, work: str, seconds: float, field: str = "confirmed", further: str = ""
) -> None:
    """Ask once more, by a box that the form shows from now on, before launching what takes very long.

    work: what is launched, the subject of the message; field: the box, another one where the form has a
    "confirmed" for something else; further: what else there is to do.
    """
    if seconds <= CONFIRM_SECONDS:
        return
    form.fields[field] = forms.BooleanField(label="Confirm launch", required=False)
    if form.data.get(field):
        return
    message = f"{work} takes {duration_words(seconds)}. Choose less, or confirm the launch. {further}".strip()
    form.add_error(field, message)
