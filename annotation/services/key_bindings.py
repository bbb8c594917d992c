"""A person's own keys on the annotation pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User

from annotation.models import KeyBindings
from annotation.shortcuts import PAGES, KeyProblem, check_keys
from projects.errors import PublicError


def own_keys(user: Any) -> dict[str, dict[str, str]]:
    """By page, the keys that the user has chosen: action -> chord. Nobody else's, and none by default."""
    if not user.is_authenticated:
        return {}
    return dict(KeyBindings.objects.filter(user=user).order_by().values_list("page", "keys"))


def save_keys(*, user: User, page: str, keys: Mapping[str, str]) -> dict[str, str]:
    """Replace the user's own keys of a page; none resets it to the defaults. Returns what is stored.

    Raises PublicError, and changes nothing, for a key that the browser needs or that two actions would have.
    """
    if page not in PAGES:
        raise PublicError(
            "There is no page %(page)r with keys; choose one of: %(choices)s.",
            field="page",
            page=page,
            choices=", ".join(PAGES),
        )
    try:
        checked = check_keys(page, keys)
    except KeyProblem as problem:
        raise PublicError(str(problem), field="keys") from None
    if checked:
        KeyBindings.objects.update_or_create(user=user, page=page, defaults={"keys": checked})
    else:
        KeyBindings.objects.filter(user=user, page=page).delete()
    return checked
