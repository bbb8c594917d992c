"""Signing on by django-allauth: what Paragold decides otherwise, and what groups of a provider may do."""

from __future__ import annotations

import base64
import logging
import re
import secrets
import threading
import time
from typing import Any

from allauth.account import app_settings as account_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.forms import ResetPasswordForm as AnyResetPasswordForm
from allauth.account.signals import user_logged_in as allauth_logged_in
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.usersessions.models import UserSession
from allauth.usersessions.signals import on_user_logged_in
from allauth.utils import generate_unique_username
from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.core.mail import EmailMessage
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve, reverse
from django.utils.crypto import salted_hmac
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from projects.errors import PublicError
from projects.models import Membership, Project
from projects.services import logins
from projects.services.audit import record
from projects.services.people import InvitationGone, find_invitation, is_taken, mixes_scripts
from projects.services.projects import remove_member
from projects.sessions import LOGIN_OF

logger = logging.getLogger(__name__)
# Groups are asked for at each sign-on, so a session that began by one ends sooner than others.
SINGLE_SIGN_ON_SECONDS = 12 * 3600
FACTORS = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]
FACTOR_ADDED = "factor_added"
"""Key of sessions with the time at which a second factor was set up."""
CODES_KEPT = 5
"""Used codes of an app that are refused: three are valid at a time, each for three periods of 30 seconds."""


def switches(request: HttpRequest) -> dict[str, Any]:
    """Context processor: what the environment has switched on."""
    return {"sign_on": settings.SIGN_ON}


def notice(request: HttpRequest, title: str, text: str, *, status: int) -> HttpResponse:
    """A page that says why somebody is not logged in."""
    return render(request, "projects/notice.html", {"title": title, "text": text}, status=status)


class AccountAdapter(DefaultAccountAdapter):
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def get_login_stages(self) -> list[str]:
        return ["allauth.mfa.stages.AuthenticateStage"] if settings.SIGN_ON.second_factor else []

    def get_client_ip(self, request: HttpRequest) -> str:
        return logins.client_address(request) or "0.0.0.0"  # noqa: S104 - a server on a socket knows none

    def is_safe_url(self, url: str | None) -> bool:
        """A login leads on to this host, not to others that the installation may have."""
        hosts, secure = {self.request.get_host()}, self.request.is_secure()
        return url_has_allowed_host_and_scheme(url, allowed_hosts=hosts, require_https=secure)

    def respond_user_inactive(self, request: HttpRequest, user: Any) -> HttpResponse:
        text = _("Ask an administrator to activate it.")
        return notice(request, _("This account is deactivated"), text, status=403)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Before a password is checked, at the login and where it is entered again."""
        self.attempt = logins.begin(request, credentials["username"])

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        user: User | None = super().authenticate(request, **credentials)
        if user:
            self.attempt.succeeded()
        return user

    def is_reauthentication_required(self, *, app: str, **given: Any) -> bool:
        """The recovery codes come next: whoever has set a factor up is not asked for it at once."""
        since = time.time() - self.request.session.get(FACTOR_ADDED, 0)
        if since < account_settings.REAUTHENTICATION_TIMEOUT:
            return False
        return bool(super().is_reauthentication_required(app=app, **given))

    def pre_login(self, request: HttpRequest, user: Any, **given: Any) -> HttpResponse | None:
        """A login has begun, which may wait for the second factor: `sessions.end_sessions` finds it."""
        refused: HttpResponse | None = super().pre_login(request, user, **given)
        if not refused:
            request.session[LOGIN_OF] = str(user.pk)
        return refused

    def post_login(self, request: HttpRequest, user: Any, **given: Any) -> HttpResponse:
        if sociallogin := (given["signal_kwargs"] or {}).get("sociallogin"):
            follow_groups(user, groups_of(sociallogin))
            request.session.set_expiry(SINGLE_SIGN_ON_SECONDS)
        return super().post_login(request, user, **given)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """In a thread: neither a slow server nor the time of the answer tells whether there is an account."""
        message = self.render_mail(template_prefix, email, {"site": self.request.get_host(), **context})
        threading.Thread(target=deliver, args=(message,)).start()


def watch_logins() -> None:
    """Note every session, where they are listed; django-allauth would note those of its own logins always."""
    allauth_logged_in.disconnect(on_user_logged_in)
    user_logged_in.connect(note_session, dispatch_uid="note_session")
    authenticator_added.connect(note_factor, dispatch_uid="note_factor")


def note_session(request: HttpRequest | None, user: User, **_: Any) -> None:
    if settings.SIGN_ON.sessions and request is not None and hasattr(request, "allauth"):
        UserSession.objects.create_from_request(request)


def note_factor(request: HttpRequest, **_: Any) -> None:
    request.session[FACTOR_ADDED] = time.time()


def deliver(message: EmailMessage) -> None:
    try:
        message.send()
    except OSError:
        logger.exception("A mail could not be sent. `doctor --only mail` tests the server.")


class ResetPasswordForm(AnyResetPasswordForm):
    """Mails go to confirmed addresses only, and to accounts that have a password. Every request counts, as a
    failed login of the mail address does."""

    def clean_email(self) -> str:
        logins.begin(context.request, self.cleaned_data["email"] + logins.RESET)
        email: str = super().clean_email()
        confirmed = {"emailaddress__email": email.lower(), "emailaddress__verified": True}
        people = User.objects.filter(is_active=True, **confirmed).distinct()
        self.users = [user for user in people if user.has_usable_password()]
        return email


class SecondFactorAdapter(DefaultMFAAdapter):
    """Secrets of authenticator apps are encrypted by a key made from the installation's own."""

    def encrypt(self, text: str) -> str:
        return fernet().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return fernet().decrypt(encrypted_text).decode()
        except InvalidToken:
            logger.warning("A second factor cannot be read: the secret key is another one now.")
            return base64.b32encode(secrets.token_bytes(20)).decode()  # no code fits it

    def generate_authenticator_name(self, user: Any, type: Authenticator.Type) -> str:
        """What the form for a new passkey suggests."""
        return f"Passkey {Authenticator.objects.filter(user=user, type=type).count() + 1}"


def fernet() -> Fernet:
    key = salted_hmac("paragold.second-factor", "key", algorithm="sha256").digest()
    return Fernet(base64.urlsafe_b64encode(key))


def has_second_factor(user: User) -> bool:
    return settings.SIGN_ON.second_factor and DefaultMFAAdapter().is_mfa_enabled(user, FACTORS)


class _CountedCode(BaseAuthenticateForm):
    """Failures are counted, apart from those of passwords; a code of an app works once (`use_up`)."""

    def clean_code(self) -> str:
        attempt = logins.begin(context.request, self.user.get_username() + logins.CODE)
        code: str = super().clean_code()
        if self.authenticator.type == Authenticator.Type.TOTP and not use_up(self.authenticator, code):
            raise DefaultMFAAdapter().validation_error("incorrect_code")
        attempt.succeeded()
        return code


class CodeForm(_CountedCode, AuthenticateForm):
    """Asks for a code at the login."""


class CodeAgainForm(_CountedCode, ReauthenticateForm):
    """Asks for a code before what protects an account is changed."""


@transaction.atomic
def use_up(app: Authenticator, code: str) -> bool:
    """Note a right code, so that it does not work again, whichever process or host is asked; django-allauth
    asks the cache of its process only, and for one period. False: it was used already."""
    digits = re.sub(r"\D", "", code)
    row = Authenticator.objects.select_for_update().get(pk=app.pk)
    used = row.data.get("used_codes", [])
    if digits in used:
        return False
    row.data["used_codes"] = [*used, digits][-CODES_KEPT:]
    row.save(update_fields=["data"])
    return True


def is_right_code(user: User, code: str) -> bool:
    """Whether it is a present code of the authenticator app, or an unused recovery code, which it uses up."""
    form = CodeForm(user=user, data={"code": code})
    if not form.is_valid():
        return False
    form.authenticator.record_usage()
    return True


@transaction.atomic
def remove_second_factor(*, user: User, by: User | None) -> None:
    """Remove somebody's authenticator app, passkeys and recovery codes, so that the password is enough.

    Without `by` it is done on the server.
    """
    if user == by:
        raise PublicError("Remove your own second factor under Account.")
    Authenticator.objects.filter(user=user).delete()
    record("second-factor-removed", actor=by, target=user.get_username())


class ProviderAdapter(DefaultSocialAccountAdapter):
    """Single sign-on. An account there is another one than an account here of the same name or address."""

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        claims = sociallogin.account.extra_data
        subjects = {part.get("sub") for part in (claims.get("userinfo"), claims.get("id_token")) if part}
        if len(subjects) > 1:
            self.on_authentication_error(request, None, error="two subjects")
        sociallogin.email_addresses = []

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> User:
        name = data.get("username") or (data.get("email") or "").partition("@")[0]
        if is_taken(name) or mixes_scripts(name):
            name = generate_unique_username(
                [name]
            )  # ada7; without it django-allauth calls the account "user"
        sociallogin.user.username = name
        return sociallogin.user

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        """Accounts are made for members of a group that may do something, and for those who were invited."""
        groups = groups_of(sociallogin)
        if any(grant.holds(groups) for grant in settings.SIGN_ON.grants):
            return True
        if is_invited(sociallogin.state.get("next") or ""):
            return True
        text = _(
            "You are known to %(provider)s, but none of your groups may use Paragold. Ask a project's "
            "manager for an invitation link and open it."
        ) % {"provider": settings.SIGN_ON.provider}
        raise ImmediateHttpResponse(notice(request, _("You have no account here"), text, status=403))

    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:
        user: User = super().save_user(request, sociallogin, form)
        record("account-created", actor=user, target=user.get_username(), by="single sign-on")
        return user

    def on_authentication_error(self, request: HttpRequest, provider: Any, **given: Any) -> None:
        raise ImmediateHttpResponse(self.refused(given.get("exception") or given.get("error")))

    def refused(self, reason: object) -> HttpResponse:
        logger.warning("Single sign-on failed: %s", reason)
        text = _("%(provider)s did not confirm who you are. Try again.")
        text %= {"provider": settings.SIGN_ON.provider}
        return notice(self.request, _("You are not logged in"), text, status=403)

    def get_connect_redirect_url(self, request: HttpRequest, socialaccount: Any) -> str:
        return reverse("account")


def is_invited(path: str) -> bool:
    """Whether the address is that of an invitation that can still be used."""
    try:
        match = resolve(path)
        return match.url_name == "join" and bool(find_invitation(match.kwargs["token"]))
    except (Resolver404, InvitationGone):
        return False


def groups_of(sociallogin: SocialLogin) -> set[str]:
    claims = sociallogin.account.extra_data
    groups: set[str] = set()
    for part in (claims.get("userinfo"), claims.get("id_token")):
        named = (part or {}).get(settings.SIGN_ON.groups_claim) or []
        groups.update([named] if isinstance(named, str) else map(str, named))
    return groups


@transaction.atomic
def follow_groups(user: User, groups: set[str]) -> None:
    """Give and take the roles that `SIGN_ON.roles_variable` names, and leave all others alone.

    The last administrator and the last manager of a project stay what they are.
    """
    roles: dict[tuple[str, str], bool] = {}
    for grant in settings.SIGN_ON.grants:
        key = grant.slug, grant.role
        roles[key] = roles.get(key, False) or grant.holds(groups)
    for (slug, role), holds in roles.items():
        if not role:
            _follow_administrator(user, holds)
        elif project := Project.objects.filter(slug=slug).first():
            _follow_role(user, project, role, holds)
        else:
            logger.warning(
                "%s names the project %s, which does not exist.", settings.SIGN_ON.roles_variable, slug
            )


def _follow_administrator(user: User, holds: bool) -> None:
    if user.is_superuser == holds:
        return
    # Locked: of two administrators who lose the group at the same time, the second one stays.
    rows = User.objects.select_for_update().filter(is_superuser=True, is_active=True).order_by("pk")
    if not holds and list(rows) == [user]:
        return
    user.is_superuser = holds
    user.save(update_fields=["is_superuser"])
    event = "administrator-added" if holds else "administrator-removed"
    record(event, actor=user, target=user.get_username(), by="groups")


def _follow_role(user: User, project: Project, role: str, holds: bool) -> None:
    membership = Membership.objects.filter(project=project, user=user, role=role).first()
    if holds and membership is None:
        Membership.objects.create(project=project, user=user, role=role)
        record("role-added", actor=user, project=project, target=user.get_username(), role=role, by="groups")
    elif membership is not None and not holds:
        try:
            remove_member(membership=membership, by=user)
        except PublicError as error:
            logger.warning("%s keeps the role %s in %s: %s", user, role, project.slug, error)
