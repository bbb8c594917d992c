"""Accounts, passwords and invitations. Whatever happens to an account is logged, passwords never are."""

from __future__ import annotations

import secrets
import unicodedata
from datetime import timedelta

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.signing import BadSignature, Signer
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from projects import request_ids
from projects.errors import PublicError
from projects.models import Invitation, Membership, OwnLanguage, Project, Role

from .audit import record

MAX_USES = 500
MAX_DAYS = 90
SALT = "paragold.invitation"
FIRST_SALT = "paragold.first-administrator"
# Scripts with letters that look alike, as the first word of a letter's name in Unicode.
LOOK_ALIKE = frozenset({"LATIN", "CYRILLIC", "GREEK", "COPTIC", "ARMENIAN", "CHEROKEE", "GEORGIAN", "LISU"})


class InvitationGone(PublicError):
    """The link leads nowhere: it is incomplete, expired, used up or revoked."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "This invitation link is not valid: it is incomplete, has expired, was used up or was "
                "revoked. Ask the person who sent it for a new one."
            )
        )


class FirstAdministratorGone(PublicError):
    """The code is not the installation's, or there is an administrator already."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "This address is not valid: it is incomplete, or there is an administrator already. Log in, "
                "or ask an administrator for an account."
            )
        )


def choose_language(*, user: User, language: str) -> None:
    """The language of the user's pages; "" leaves it to the browser."""
    if language:
        OwnLanguage.objects.update_or_create(user=user, defaults={"language": language})
    else:
        OwnLanguage.objects.filter(user=user).delete()


def token_of(invitation: Invitation) -> str:
    """The signed part of an invitation's link; the same whenever it is asked for."""
    return Signer(salt=SALT).sign(_named(invitation))


def _named(invitation: Invitation) -> str:
    # With the time: after a restored backup another invitation may get the same id.
    return f"{invitation.pk}-{invitation.created_at.timestamp():.6f}"


@transaction.atomic
def invite(*, project: Project, by: User, role: str, uses: int = 1, days: int = 7) -> Invitation:
    """Make a link that gives a role in a project to `uses` people within `days`."""
    for field, value, maximum in (("uses", uses, MAX_USES), ("days", days, MAX_DAYS)):
        if not 1 <= value <= maximum:
            raise PublicError("Give a number from 1 to %(maximum)s.", field=field, maximum=maximum)
    if role not in Role.values:
        raise PublicError(
            "%(role)r is no role; there are: %(choices)s.",
            field="role",
            role=role,
            choices=", ".join(Role.values),
        )
    invitation = Invitation.objects.create(
        project=project,
        created_by=by,
        role=role,
        uses_left=uses,
        expires_at=timezone.now() + timedelta(days=days),
    )
    target = f"invitation {invitation.pk}"
    record("invitation-made", actor=by, project=project, target=target, role=role, uses=uses, days=days)
    return invitation


@transaction.atomic
def revoke(*, invitation: Invitation, by: User) -> None:
    """End an invitation: its link is not valid any more. People who have used it keep the role."""
    record("invitation-revoked", actor=by, project=invitation.project, target=f"invitation {invitation.pk}")
    invitation.delete()


def open_invitations(project: Project) -> QuerySet[Invitation]:
    """The invitations of a project whose links are valid, the latest first."""
    return _valid(project.invitations.select_related("created_by"))


def _valid(rows: QuerySet[Invitation]) -> QuerySet[Invitation]:
    """Those of people who may still invite: nobody gets a lost right back by an own invitation."""
    roles = Membership.objects.filter(project=OuterRef("project"), user=OuterRef("created_by"))
    may_invite = Q(created_by__is_superuser=True) | Exists(roles.filter(role=Role.MANAGER))
    current = rows.filter(uses_left__gt=0, expires_at__gt=timezone.now(), created_by__is_active=True)
    return current.filter(may_invite)


def find_invitation(token: str, *, lock: bool = False) -> Invitation:
    """The invitation that a link names, `lock`ed within a transaction. Raises InvitationGone."""
    try:
        named = Signer(salt=SALT).unsign(token)
    except BadSignature:
        raise InvitationGone from None
    rows = Invitation.objects.select_for_update(of=("self",)) if lock else Invitation.objects
    named_rows = rows.select_related("project", "created_by").filter(
        pk=named.partition("-")[0], project__in=Project.objects.all()
    )
    invitation = _valid(named_rows).first()
    if invitation is None or _named(invitation) != named:
        raise InvitationGone
    return invitation


@transaction.atomic
def accept_invitation(*, token: str, user: User) -> Membership:
    """Give the role of an invitation to somebody with an account; who has it already uses nothing up."""
    invitation = find_invitation(token, lock=True)
    membership, created = Membership.objects.get_or_create(
        project=invitation.project, user=user, role=invitation.role
    )
    if created:
        Invitation.objects.filter(pk=invitation.pk).update(uses_left=invitation.uses_left - 1)
        record(
            "invitation-accepted",
            actor=user,
            project=invitation.project,
            target=f"invitation {invitation.pk}",
            role=invitation.role,
            invited_by=invitation.created_by.get_username(),
        )
    return membership


@transaction.atomic
def join(*, token: str, username: str, password: str) -> User:
    """Make an account for whoever holds an invitation, with its role."""
    find_invitation(token, lock=True)
    user, _ = create_account(by=None, username=username, password=password)
    accept_invitation(token=token, user=user)
    return user


def has_administrator() -> bool:
    return User.objects.filter(is_superuser=True).exists()


def first_administrator_code() -> str:
    """What lets somebody create the first administrator: signed with the installation's key, not stored."""
    return Signer(salt=FIRST_SALT).signature("first")


def check_first_administrator(code: str) -> None:
    """Raises FirstAdministratorGone for another code, and once there is an administrator."""
    if has_administrator() or not constant_time_compare(code, first_administrator_code()):
        raise FirstAdministratorGone


@transaction.atomic
def create_first_administrator(*, code: str, username: str, password: str) -> User:
    """Make the account of the first administrator.

    Raises as `check_first_administrator` and `create_account`.
    """
    _lock_accounts()
    check_first_administrator(code)
    user, _ = create_account(by=None, username=username, password=password, administrator=True)
    return user


def _lock_accounts() -> None:
    """No other account is made before the transaction ends."""
    if connection.vendor == "postgresql":  # SQLite lets one transaction write at a time anyhow
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {User._meta.db_table} IN SHARE ROW EXCLUSIVE MODE")


def is_taken(username: str) -> bool:
    """Whether an account has this name, in any case: SQLite alone would compare so from A to Z only."""
    names = User.objects.order_by().values_list("username", flat=True)
    return _compared(username) in map(_compared, names.iterator())


def _compared(username: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", username).casefold())


def mixes_scripts(username: str) -> bool:
    """Whether the name has letters of several scripts that look alike, such as a Cyrillic "a" in "anna"."""
    names = (unicodedata.name(character, "") for character in username if character.isalpha())
    return len(LOOK_ALIKE & {name.partition(" ")[0] for name in names}) > 1


@transaction.atomic
def create_account(
    *, by: User | None, username: str, password: str = "", administrator: bool = False
) -> tuple[User, str]:
    """Make an account; returns it with its password, generated where none is given.

    Without `by` somebody makes the own account, by an invitation or on the server. Raises PublicError for a
    name that is taken or cannot be one, and for a weak password.
    """
    username = User.normalize_username(username.strip())
    if mixes_scripts(username):
        raise PublicError("Write the name in letters of one script.", field="username")
    _lock_accounts()
    if is_taken(username):
        raise PublicError("There is a user %(name)r already.", field="username", name=username)
    user = User(username=username, is_superuser=administrator)
    chosen = password or generated_password()
    try:
        user.full_clean(exclude=["password"])
    except ValidationError as error:
        raise PublicError(" ".join(error.messages), field="username") from error
    try:
        validate_password(chosen, user)
    except ValidationError as error:
        raise PublicError(" ".join(error.messages), field="password") from error
    user.set_password(chosen)
    user.save()
    own = user if request_ids.current_request() else None  # else a command made it
    record("account-created", actor=by or own, target=username, administrator=administrator)
    return user, chosen


def generated_password() -> str:
    return secrets.token_urlsafe(12)


@transaction.atomic
def reset_password(*, user: User, by: User) -> str:
    """Give somebody else's account a generated password; its sessions and tokens end."""
    if user == by:
        raise PublicError("Change your own password under Account.")
    password = generated_password()
    user.set_password(password)
    user.save(update_fields=["password"])
    return password


@transaction.atomic
def change_account(
    *, user: User, by: User, active: bool | None = None, administrator: bool | None = None
) -> None:
    """Deactivate or activate an account, make somebody an administrator or take that away.

    Nobody does this to the own account, so that an administrator always remains.
    """
    # Both rows: two administrators who deactivate each other at once wait, and the second is refused.
    locked = User.objects.select_for_update().filter(pk__in=(user.pk, by.pk)).order_by("pk").in_bulk()
    user, by = locked[user.pk], locked[by.pk]
    if user == by or not (by.is_active and by.is_superuser):
        raise PublicError(
            "Only another administrator may do this: nobody deactivates themselves or stops being an "
            "administrator on their own."
        )
    events = {
        ("is_active", True): "account-activated",
        ("is_active", False): "account-deactivated",
        ("is_superuser", True): "administrator-added",
        ("is_superuser", False): "administrator-removed",
    }
    for name, value in (("is_active", active), ("is_superuser", administrator)):
        if value is not None and getattr(user, name) != value:
            setattr(user, name, value)
            user.save(update_fields=[name])
            record(events[name, value], actor=by, target=user.get_username())
