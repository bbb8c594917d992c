"""Choices of people who use a server and not its files."""

from __future__ import annotations

from paragold.spec import Spec
from paragold.text.encoder_files import what_is_missing
from projects.errors import PublicError


def check_on_server(spec: Spec) -> None:
    """Raises PublicError, naming the parameter, for a value that only its administrator may choose."""
    for parameter in spec.parameters():
        allowed = dict(parameter.on_server)
        if allowed and getattr(spec, parameter.name) not in allowed:
            choices = " or ".join(f"{value or 'nothing'}: {label}" for value, label in allowed.items())
            raise PublicError("Choose %(choices)s.", field=parameter.name, choices=choices)


def check_encoder(spec: Spec, named: str) -> None:
    """The same, and for an encoder that is not here."""
    check_on_server(spec)
    if missing := what_is_missing(named):
        raise PublicError(missing, field="encoder")
