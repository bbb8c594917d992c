"""What holds for the whole installation: whether pages are fetched, and how far a fetch may go.

Administrators decide it by a page or the API. The environment may forbid it outright (PARAGOLD_FETCHING=0),
or allow it (PARAGOLD_FETCHING=1, with a contact) until an administrator has decided.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from paragold.fetching.network import NEEDED, is_contact
from projects.errors import PublicError
from projects.models import InstallationSettings

from .audit import record

# At its time limit a request may still look up the name of its host, or store its page.
SLACK_SECONDS = 20.0
LIMITS = {"fetch_delay_seconds": (1, 60), "fetch_seconds": (5, 60), "fetch_megabytes": (1, 10)}


def installation_settings() -> InstallationSettings:
    """The settings that count now; as the environment has them while nobody has decided (they have no id)."""
    decided = InstallationSettings.objects.select_related("decided_by").first()
    return decided or InstallationSettings(
        fetching=bool(settings.FETCHING),
        fetch_contact=settings.FETCH_CONTACT,
        fetch_delay_seconds=settings.FETCH_DELAY_SECONDS,
    )


def is_forbidden() -> bool:
    """Whether the environment forbids fetching, whatever administrators say."""
    return settings.FETCHING is False


def check_fetching() -> InstallationSettings:
    """The settings, where pages may be fetched. Raises PublicError, saying who can allow it."""
    if is_forbidden():
        raise PublicError(
            "This installation does not fetch pages: PARAGOLD_FETCHING=0 forbids it. The server's operator "
            "can remove that, or set PARAGOLD_FETCHING=1."
        )
    now = installation_settings()
    if not now.fetching:
        raise PublicError(
            "This installation does not fetch pages. An administrator can allow it under Installation"
            + (
                f": {', '.join(names)}."
                if (names := administrators())
                else "; there is none yet: `manage.py first_administrator` prints where to create one."
            )
        )
    return now


def administrators(maximum: int = 5) -> list[str]:
    """The names of those who may change the settings, `maximum` at most."""
    names = User.objects.filter(is_superuser=True, is_active=True).order_by("pk")
    return list(names.values_list("username", flat=True)[:maximum])


def change_installation(
    *,
    by: User,
    fetching: bool,
    fetch_contact: str,
    fetch_delay_seconds: float,
    fetch_seconds: int,
    fetch_megabytes: int,
) -> InstallationSettings:
    """Decide again; earlier decisions stay, with who took them. The same again adds nothing.

    Raises PublicError for a limit out of range, and for a contact that is missing or cannot go into a header.
    """
    contact = fetch_contact.strip()
    if (fetching or contact) and not is_contact(contact):
        raise PublicError(
            f"Give a contact for the sites' questions: {NEEDED}.",
            field="fetch_contact",
        )
    given = {
        "fetch_delay_seconds": fetch_delay_seconds,
        "fetch_seconds": fetch_seconds,
        "fetch_megabytes": fetch_megabytes,
    }
    for name, (minimum, maximum) in LIMITS.items():
        if not minimum <= given[name] <= maximum:
            raise PublicError(f"Give a number from {minimum} to {maximum}.", field=name)
    values: dict[str, Any] = {"fetching": fetching, "fetch_contact": contact, **given}
    now = InstallationSettings.objects.first()
    if now is not None and all(getattr(now, name) == value for name, value in values.items()):
        return now
    with transaction.atomic():
        record("installation-changed", actor=by, **values)
        return InstallationSettings.objects.create(decided_by=by, **values)
