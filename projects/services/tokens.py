"""Tokens of the API: made, listed, revoked one by one; a new password and deactivation end all of them.

A token may do what its scope and its owner's roles both allow.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import OperationalError, transaction
from django.db.models import Q, QuerySet
from django.db.models.signals import post_save, pre_save
from django.utils import timezone
from knox.settings import knox_settings

from projects.errors import PublicError
from projects.lock_wait import lock_wait
from projects.models import ApiToken, Invitation, TokenScope
from projects.sessions import end_sessions

from .audit import current_user, record

MAX_DAYS = 365
DEFAULT_DAYS = 30
MAX_TOKENS: int = knox_settings.TOKEN_LIMIT_PER_USER
# The time of the last use is written no more often.
NOTED_EVERY = timedelta(minutes=1)
# A request waits no longer to write it.
NOTE_SECONDS = 0.05
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
# Addresses of answers to what is assigned to oneself.
OWN_ANSWERS = frozenset({"api-judgement", "api-alignment", "api-placements"})
# Every token may end itself.
OWN_END = "api-logout"


def allows(scope: str, method: str, address: str) -> bool:
    """Whether the scope lets a request with this method through to the address of this name in `urls.py`."""
    if scope == TokenScope.MANAGE or method in SAFE_METHODS or address == OWN_END:
        return True
    return scope == TokenScope.ANNOTATE and address in OWN_ANSWERS


def valid_tokens(user: User) -> QuerySet[ApiToken]:
    """The tokens of an account that have not expired, the oldest first."""
    rows = ApiToken.objects.filter(user=user)
    return rows.filter(Q(expiry=None) | Q(expiry__gt=timezone.now()))


@transaction.atomic
def make_token(*, user: User, name: str, scope: str, days: int = DEFAULT_DAYS) -> tuple[ApiToken, str]:
    """Make a token for `days`; returns it with its text, which cannot be read again.

    scope: of TokenScope; days: 1 to MAX_DAYS. Raises PublicError for a name that another of the account's
    tokens has, and beyond MAX_TOKENS.
    """
    User.objects.select_for_update().get(pk=user.pk)
    if valid_tokens(user).filter(name=name).exists():
        raise PublicError("One of your tokens has this name already.", field="name")
    if valid_tokens(user).count() >= MAX_TOKENS:
        raise PublicError(
            "An account has at most %(limit)s tokens. Revoke one that is not used.", limit=MAX_TOKENS
        )
    token, text = ApiToken.objects.create(
        user=user, expiry=timedelta(days=days), prefix=knox_settings.TOKEN_PREFIX,
        name=name, scope=scope,
    )  # fmt: skip
    record_made(token)
    return token, text


def record_made(token: ApiToken) -> None:
    expires = f"{token.expiry:%Y-%m-%d}" if token.expiry else "never"
    record("token-made", actor=token.user, target=token.name, scope=token.scope, expires=expires)


@transaction.atomic
def revoke_token(*, token: ApiToken, by: User) -> None:
    """End a token: requests with it are refused from now on."""
    record("token-revoked", actor=by, target=token.name, owner=token.user.get_username())
    token.delete()


def note_use(token: ApiToken) -> None:
    """Note when the token was used last; written once a minute at most, also by requests side by side.

    While others hold the database it is left to a later request.
    """
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at < now - NOTED_EVERY:
        same = ApiToken.objects.filter(pk=token.pk, last_used_at=token.last_used_at)
        with suppress(OperationalError), lock_wait(NOTE_SECONDS):
            same.update(last_used_at=now)


def watch_accounts() -> None:
    """Have tokens end when the password changes, as Django ends the sessions of other browsers, and every way
    in when an account is deactivated, so that nothing works again after it is activated.

    Whatever changes an account (a command, a page, a shell) saves its user.
    """
    pre_save.connect(compare_account, sender=User, dispatch_uid="compare_account")
    post_save.connect(end_access, sender=User, dispatch_uid="end_access")


def compare_account(
    sender: type[User], instance: User, update_fields: frozenset[str] | None, **_: Any
) -> None:
    """Note whether the password that is about to be stored is another one, and whether the account is about
    to be deactivated."""
    instance.password_changes = instance.is_deactivated = False  # type: ignore[attr-defined]  # for end_access
    stores = {"password", "is_active"} if update_fields is None else {"password", "is_active"} & update_fields
    if instance.pk is None or not stores:
        return
    stored = User.objects.filter(pk=instance.pk).only("password", "is_active").first()
    if "password" in stores:
        same = stored is not None and stored.password == instance.password
        instance.password_changes = not same  # type: ignore[attr-defined]  # as above
    if "is_active" in stores and not instance.is_active:
        instance.is_deactivated = stored is not None and stored.is_active  # type: ignore[attr-defined]  # as above


def end_access(sender: type[User], instance: User, **_: Any) -> None:
    changes, deactivated = instance.password_changes, instance.is_deactivated  # type: ignore[attr-defined]  # set by compare_account
    if not (changes or deactivated):
        return
    ended, _ = ApiToken.objects.filter(user_id=instance.pk).delete()
    if changes:
        record("password-changed", actor=current_user(), target=instance.get_username(), tokens_ended=ended)
    if deactivated:
        end_sessions(instance)
        Invitation.objects.filter(created_by=instance).delete()
