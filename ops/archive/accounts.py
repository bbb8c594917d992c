"""Whose account stands for whom when an archive comes in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import ProtectedError

from projects.errors import PublicError


@dataclass(frozen=True, slots=True)
class Accounts:
    """`ids` has the account here for each user of the archive; `found` and `made` are names of accounts."""

    ids: dict[str, int]
    found: list[str]
    made: list[str]


@transaction.atomic
def accounts_for(*, users: Iterable[str], chosen: Mapping[str, str]) -> Accounts:
    """The accounts that stand for the users of an archive; those that are missing are made.

    `chosen` names another account than that of the same name. An account that is made cannot log in until an
    administrator gives it a password. Raises PublicError for an account that is not there, and where one
    would stand for two users: their answers would be taken for each other's.
    """
    names = {name: chosen.get(name, name) for name in users}
    here = dict(User.objects.filter(username__in=names.values()).values_list("username", "pk"))
    stands: dict[str, str] = {}
    found, made = [], []
    for name, wanted in sorted(names.items()):
        if wanted in stands:
            raise PublicError(f"The account {wanted!r} would stand for both {stands[wanted]!r} and {name!r}.")
        stands[wanted] = name
        if wanted in here:
            found.append(wanted)
        elif name in chosen and wanted != name:
            raise PublicError(f"There is no account {wanted!r} here, which was to stand for {name!r}.")
        else:
            account = User(username=wanted, is_active=False)
            account.set_unusable_password()
            try:
                account.full_clean()
            except ValidationError as error:
                raise PublicError(
                    f"No account {wanted!r} can be made: {'; '.join(error.messages)} Choose another for it."
                ) from error
            account.save()
            here[wanted] = account.pk
            made.append(wanted)
    return Accounts({name: here[wanted] for name, wanted in names.items()}, sorted(found), sorted(made))


def forget_accounts(names: Iterable[str]) -> None:
    """Remove accounts that were made for an import that came to nothing, unless they are in use by now."""
    for account in User.objects.filter(username__in=list(names), is_active=False, last_login=None):
        if not account.has_usable_password() and not account.memberships.exists():
            try:
                with transaction.atomic():
                    account.delete()
            except ProtectedError:
                continue
