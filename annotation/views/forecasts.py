"""What a freeze will leave out, as the form that asks for it stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from annotation.services.forecasts import Forecast
from projects.errors import PublicError


@dataclass(frozen=True, slots=True)
class ShownForecast:
    """A forecast with the noun of what it counts, or why there is none."""

    thing: str
    forecast: Forecast | None = None
    error: str = ""


def shown_forecast(
    form: forms.Form, names: tuple[str, ...], compute: Callable[..., Forecast], *, thing: str
) -> ShownForecast | None:
    """What `compute` says of the fields called `names`, sent or preset; None if one is missing or wrong."""
    values: dict[str, Any] = {}
    for name in names:
        field = form.fields[name]
        initial = form.get_initial_for_field(field, name)
        try:
            values[name] = field.clean(form[name].value() if form.is_bound else initial)
        except ValidationError:
            return None
    try:
        return ShownForecast(thing, compute(**values))
    except PublicError as error:
        return ShownForecast(thing, error=str(error))
