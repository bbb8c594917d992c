"""Errors whose text is meant for the user: what happened, and how to correct it."""

from typing import Any


class PublicError(Exception):
    """Something the user asked for cannot be done; the text says why and what to do.

    `field` names the argument at fault, so that a form can say it beside its field; "" for none.
    """

    def __init__(self, message: str, *, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class TooLittleRoom(PublicError):
    """A file does not fit on the server's disk."""


class Conflict(PublicError):
    """The caller saw an older version than the one stored. `current` is what is stored now, as JSON."""

    def __init__(self, message: str, current: dict[str, Any]) -> None:
        super().__init__(message)
        self.current = current


class KeyReused(PublicError):
    """An idempotency key came back with another request."""


class InUse(PublicError):
    """Something cannot be deleted because of `used_by`: kind, id and name of each."""

    def __init__(self, message: str, used_by: list[dict[str, Any]]) -> None:
        super().__init__(message)
        self.used_by = used_by
