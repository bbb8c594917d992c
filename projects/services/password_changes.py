"""Tokens end when the password changes, as Django ends the sessions of other browsers."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db.models.signals import post_save, pre_save
from knox.models import AuthToken


def connect() -> None:
    """Whatever changes a password (a command, a page, a shell) saves its user."""
    pre_save.connect(compare_password, sender=User, dispatch_uid="compare_password")
    post_save.connect(end_tokens, sender=User, dispatch_uid="end_tokens")


def compare_password(
    sender: type[User], instance: User, update_fields: frozenset[str] | None, **_: Any
) -> None:
    """Note whether the password that is about to be stored is another one."""
    stores_password = update_fields is None or "password" in update_fields
    if instance.pk is None or not stores_password:
        instance.password_changes = False  # type: ignore[attr-defined]  # for end_tokens below
        return
    same = User.objects.filter(pk=instance.pk, password=instance.password).exists()
    instance.password_changes = not same  # type: ignore[attr-defined]  # as above


def end_tokens(sender: type[User], instance: User, **_: Any) -> None:
    if instance.password_changes:  # type: ignore[attr-defined]  # set by compare_password
        AuthToken.objects.filter(user_id=instance.pk).delete()
