"""The pages of django-allauth that are used, in Paragold's words, each where the installation switched it on.

Whoever guesses a password or a code on them is slowed down as at the login (`projects.services.logins`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account import views as account
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.stages import LoginStageController
from allauth.mfa.base import views as mfa
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.stages import AuthenticateStage
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as passkeys
from allauth.socialaccount import views as socialaccount
from allauth.usersessions.internal.flows.sessions import end_sessions
from allauth.usersessions.models import UserSession
from allauth.usersessions.views import ListUserSessionsView
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path, re_path, reverse_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from requests import RequestException

from projects.services import logins
from projects.sign_on import ProviderAdapter, notice, use_up

from . import openid_connect
from .project_view import user_of

View = Callable[..., HttpResponse]
FORM = "projects/sign_on_form.html"


def switched(name: str, view: View) -> View:
    """The view, where `settings.SIGN_ON` has `name` switched on (`accounts.LoginRequired` looks)."""

    answer = never_cache(require_http_methods(["GET", "HEAD", "POST"])(view))
    answer.needs = name  # type: ignore[attr-defined]  # for the middleware
    return answer


def form(view: Any, title: str, text: str, button: str, **given: Any) -> View:
    """A view whose page is one form."""
    words = {"title": title, "text": text, "button": button}
    made: View = view.as_view(template_name=FORM, extra_context=words, **given)
    return made


def throttled(view: View, whose: Callable[[HttpRequest], User | None], what: str = "") -> View:
    """Failures are counted for the account, the device and the address; a factor has a count of its own."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        user = whose(request) if request.method == "POST" else None
        if user is None:
            return view(request, *args, **kwargs)
        try:
            attempt = logins.begin(request, user.get_username() + what)
        except logins.TooManyFailures as error:
            return too_many(request, error)
        before = len(get_authentication_records(request, user))
        response = view(request, *args, **kwargs)
        if len(get_authentication_records(request, user)) > before:
            attempt.succeeded(response)
        return response

    return answer


def too_many(request: HttpRequest, error: logins.TooManyFailures) -> HttpResponse:
    response = notice(request, "Too many attempts", str(error), status=429)
    response.headers["Retry-After"] = str(error.seconds)
    return response


def logging_in(request: HttpRequest) -> User | None:
    """The user who is asked for a second factor."""
    stage = LoginStageController.enter(request, AuthenticateStage.key)
    return stage.login.user if stage else None


class PasswordReset(account.PasswordResetView):
    """Every request counts, as a failed login of the mail address does."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            logins.begin(request, request.POST.get("email", "") + logins.RESET)
        except logins.TooManyFailures as error:
            return too_many(request, error)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        form.save(self.request)
        text = "If an account has this confirmed address, a link is on its way. It is valid for a day."
        return notice(self.request, "Look into your mail", text, status=200)


class Sessions(ListUserSessionsView):
    """One's own sessions; a POST ends one, or all others."""

    template_name = "projects/sessions.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        # It may have begun before the list was switched on.
        UserSession.objects.create_from_request(self.request)
        return super().get_context_data(**kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        named = self.request.POST.get("session", "")
        if not named:
            return super().form_valid(form)
        pk = int(named) if named.isdecimal() and len(named) < 19 else 0
        end_sessions(self.request, UserSession.objects.filter(user=user_of(self.request), pk=pk))
        messages.success(self.request, "The session is ended.")
        return redirect("usersessions_list")


class NewPassword(account.PasswordResetFromKeyView):
    def render_to_response(self, context: dict[str, Any], **given: Any) -> HttpResponse:
        status = 404 if context.get("token_fail") else 200
        return super().render_to_response(context, status=status, **given)


class AuthenticatorApp(totp.ActivateTOTPView):
    """The code that sets the app up is used up by it, as the codes of logins are."""

    template_name = "projects/authenticator_app.html"

    @transaction.atomic
    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        app = Authenticator.objects.get(user=user_of(self.request), type=Authenticator.Type.TOTP)
        use_up(app, form.cleaned_data["code"])
        return response


class ConfirmMail(account.ConfirmEmailView):
    template_name = "projects/mail_address_confirm.html"

    def render_to_response(self, context: dict[str, Any], **given: Any) -> HttpResponse:
        return super().render_to_response(context, status=200 if self.object else 404, **given)


def asking(view: View) -> View:
    """The provider may be down, or answer what is no OpenID Connect: claims or keys of another type."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except (RequestException, KeyError, TypeError, ValueError) as error:
            return ProviderAdapter(request).refused(error)

    return answer


def saml(view: str) -> View:
    """A view of `saml.VIEWS`, which is imported where SAML is on: it needs an extra."""

    @login_not_required
    def answer(request: HttpRequest, organization_slug: str) -> HttpResponse:
        from . import saml

        try:
            return saml.VIEWS[view](request, organization_slug)
        except saml.UNUSABLE as error:
            return ProviderAdapter(request).refused(repr(error))

    return answer


def no_page(request: HttpRequest) -> HttpResponse:
    """Where django-allauth would list passkeys: the page of the second factor does."""
    return redirect("mfa_index")


reset = form(
    PasswordReset,
    "Reset your password",
    "A link goes to the mail address that you confirmed under Account.",
    "Send the link",
)
new_password = form(
    NewPassword,
    "Choose a new password",
    "It logs you out everywhere, and programs need a new token.",
    "Change password",
    success_url=reverse_lazy("login"),
)
mail_address = account.EmailView.as_view(template_name="projects/mail_address.html")
code = mfa.AuthenticateView.as_view(template_name="projects/second_factor_asked.html")
second_factor = mfa.IndexView.as_view(template_name="projects/second_factor.html")
app = AuthenticatorApp.as_view()
codes = recovery_codes.ViewRecoveryCodesView.as_view(template_name="projects/recovery_codes.html")
passkey_new = passkeys.AddWebAuthnView.as_view(template_name="projects/passkey_new.html")
passkey_again = passkeys.ReauthenticateWebAuthnView.as_view(template_name="projects/passkey_again.html")
password_again = form(
    account.ReauthenticateView,
    "Enter your password again",
    "What you are about to change protects your account.",
    "Continue",
)
code_again = form(
    mfa.ReauthenticateView,
    "Enter a code",
    "What you are about to change protects your account. Use your authenticator app or a recovery code.",
    "Continue",
)
remove_app = form(
    totp.DeactivateTOTPView,
    "Remove the authenticator app",
    "If you have no passkey, your password alone is enough from then on.",
    "Remove authenticator app",
)
new_codes = form(
    recovery_codes.GenerateRecoveryCodesView,
    "New recovery codes",
    "The present recovery codes stop working.",
    "Make new recovery codes",
)
removal = form(
    passkeys.RemoveWebAuthnView,
    "Remove the passkey",
    "Without authenticator app and other passkeys, your password alone is enough from then on.",
    "Remove passkey",
    success_url=reverse_lazy("mfa_index"),
)
disconnect = form(
    socialaccount.ConnectionsView,
    "Disconnect from single sign-on",
    "You then log in with your password.",
    "Disconnect",
    success_url=reverse_lazy("account"),
)


def remove_passkey(request: HttpRequest, pk: int) -> HttpResponse:
    """Others' passkeys do not exist, even before the password is asked for again."""
    get_object_or_404(Authenticator, pk=pk, user=user_of(request), type=Authenticator.Type.WEBAUTHN)
    return removal(request, pk=pk)


PROVIDER = {"provider_id": "sso"}
# What views want to know that is not in their addresses.
GIVEN = {
    "openid_connect_login": PROVIDER,
    "openid_connect_callback": PROVIDER,
    "saml_login": {"organization_slug": "saml"},
}
# django-allauth gives it when it asks for these addresses.
SAML = r"sign-on/(?P<organization_slug>saml)"
RESET_LINK = r"password/reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>[^/]+)/$"
PAGES: list[tuple[str, str, View, str]] = [
    ("mail", "password/reset/", reset, "account_reset_password"),
    ("mail", RESET_LINK, new_password, "account_reset_password_from_key"),
    ("mail", "mail/", mail_address, "account_email"),
    ("mail", "mail/<str:key>/", ConfirmMail.as_view(), "account_confirm_email"),
    ("reauthentication", "again/", throttled(password_again, user_of), "account_reauthenticate"),
    ("second_factor", "code/", throttled(code, logging_in, logins.CODE), "mfa_authenticate"),
    ("second_factor", "again/code/", throttled(code_again, user_of, logins.CODE), "mfa_reauthenticate"),
    ("second_factor", "again/passkey/", passkey_again, "mfa_reauthenticate_webauthn"),
    ("second_factor", "second-factor/", second_factor, "mfa_index"),
    ("second_factor", "second-factor/app/", app, "mfa_activate_totp"),
    ("second_factor", "second-factor/app/remove/", remove_app, "mfa_deactivate_totp"),
    ("second_factor", "second-factor/codes/", codes, "mfa_view_recovery_codes"),
    ("second_factor", "second-factor/codes/new/", new_codes, "mfa_generate_recovery_codes"),
    ("second_factor", "passkeys/", no_page, "mfa_list_webauthn"),
    ("second_factor", "passkeys/add/", passkey_new, "mfa_add_webauthn"),
    ("second_factor", "passkeys/<int:pk>/remove/", remove_passkey, "mfa_remove_webauthn"),
    ("second_factor", "passkeys/login/", passkeys.login_webauthn, "mfa_login_webauthn"),
    ("sessions", "sessions/", Sessions.as_view(), "usersessions_list"),
    ("openid_connect", "sign-on/", require_safe(asking(openid_connect.login)), "openid_connect_login"),
    (
        "openid_connect",
        "sign-on/callback/",
        require_safe(asking(openid_connect.callback)),
        "openid_connect_callback",
    ),
    ("saml", "sign-on/saml/", require_safe(saml("login")), "saml_login"),
    ("saml", f"{SAML}/metadata/$", require_safe(saml("metadata")), "saml_metadata"),
    ("saml", f"{SAML}/answer/$", require_POST(csrf_exempt(saml("answer"))), "saml_acs"),
    ("saml", f"{SAML}/finish/$", require_safe(saml("finish")), "saml_finish_acs"),
    ("saml", f"{SAML}/logout/$", saml("no_logout"), "saml_sls"),
    ("single_sign_on", "sign-on/disconnect/", disconnect, "socialaccount_connections"),
]
ROUTES = [
    (re_path if "(?P<" in address else path)(
        f"accounts/{address}", switched(needs, view), GIVEN.get(name), name
    )
    for needs, address, view, name in PAGES
]
