"""Errors whose text is meant for the user: what happened, and how to correct it."""

from typing import Any

from django.utils.translation import gettext


class PublicError(Exception):
    """Something the user asked for cannot be done; the text says why and what to do.

    message: in English, with a place such as %(name)s for each of `values`; it is translated here, and
    `makemessages` finds it where the error is raised. field: the argument at fault, so that a form can say it
    beside its field; "" for none.
    """

    def __init__(self, message: str, /, *, field: str = "", **values: Any) -> None:
        text = gettext(message)
        super().__init__(text % values if values else text)
        self.field = field


class TooLittleRoom(PublicError):
    """A file does not fit on the server's disk."""


class Conflict(PublicError):
    """The caller saw an older version than the one stored. `current` is what is stored now, as JSON."""

    def __init__(self, message: str, current: dict[str, Any], **values: Any) -> None:
        super().__init__(message, **values)
        self.current = current


class KeyReused(PublicError):
    """An idempotency key came back with another request."""


class InUse(PublicError):
    """Something cannot be deleted because of `used_by`: kind, id and name of each."""

    def __init__(self, message: str, used_by: list[dict[str, Any]], **values: Any) -> None:
        super().__init__(message, **values)
        self.used_by = used_by
