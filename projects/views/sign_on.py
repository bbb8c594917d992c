"""The pages of django-allauth that are used. Those that are a form share a template; others have templates of
the same names as its own.

Sign-up, login by code, its page to change the password and its list of addresses are not among them. Whoever
guesses a password or a code on them is slowed down as at the login (`projects.sign_on`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from allauth.account import views as account
from allauth.mfa.base import views as mfa
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes import views as codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as passkeys
from allauth.socialaccount.views import ConnectionsView
from allauth.usersessions.models import UserSession
from allauth.usersessions.views import ListUserSessionsView
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import path, re_path, reverse_lazy
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views import View
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from projects.services.people import has_administrator
from projects.sign_on import ProviderAdapter, use_up

from . import openid_connect
from .project_view import user_of

# How names of pages begin, and what of `settings.SIGN_ON` has to be on for them.
NEEDS = {
    "account_reauthenticate": "reauthentication",
    "account_reset_password": "mail",
    "account_confirm_email": "mail",
    "account_email": "mail",
    "mfa_": "second_factor",
    "usersessions_": "sessions",
    "openid_connect_": "openid_connect",
    "saml_": "saml",
    "socialaccount_": "single_sign_on",
}


@cache
def needs(page: str) -> str:
    """What has to be switched on for the page of this name; "" is nothing."""
    return next((switch for beginning, switch in NEEDS.items() if page.startswith(beginning)), "")


class Login(account.LoginView):
    http_method_names = ["get", "head", "post"]

    def get_form(self, form_class: Any = None) -> Any:
        form = super().get_form(form_class)
        form.fields["login"].widget.attrs["autofocus"] = True
        return form

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(has_administrator=has_administrator(), **kwargs)

    def form_invalid(self, form: Any) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


class Sessions(ListUserSessionsView):
    """One's own sessions; a POST ends one, or all others."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        # It may have begun before the list was switched on.
        UserSession.objects.create_from_request(self.request)
        return super().get_context_data(**kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        named = self.request.POST.get("session", "")
        if not named:
            return super().form_valid(form)
        pk = int(named) if named.isdecimal() and len(named) < 19 else 0
        others = UserSession.objects.exclude(session_key=self.request.session.session_key)
        for session in others.filter(user=user_of(self.request), pk=pk):
            session.end()
        messages.success(self.request, _("The session is ended."))
        return redirect("usersessions_list")


class AuthenticatorApp(totp.ActivateTOTPView):
    """The code that sets the app up is used up by it, as the codes of logins are."""

    @transaction.atomic
    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        app = Authenticator.objects.get(user=user_of(self.request), type=Authenticator.Type.TOTP)
        use_up(app, form.cleaned_data["code"])
        return response


@login_not_required
def saml(request: HttpRequest, view: str, organization_slug: str) -> HttpResponse:
    """A view of `saml.VIEWS`, which is imported where SAML is on: it needs an extra."""
    from . import saml

    try:
        return saml.VIEWS[view](request, organization_slug)
    except saml.UNUSABLE as error:
        return ProviderAdapter(request).refused(repr(error))


def form_page(
    view: type[View], heading: Promise, text: Promise, button: Promise, **options: Any
) -> Callable[..., HttpResponseBase]:
    """A page that is one form, in our words."""
    words = {"heading": heading, "text": text, "button": button}
    return view.as_view(template_name="projects/account_form.html", extra_context=words, **options)


reauthenticate = form_page(
    account.ReauthenticateView,
    _("Enter your password again"),
    _("What you are about to change protects your account."),
    _("Continue"),
)
reauthenticate_by_code = form_page(
    mfa.ReauthenticateView,
    _("Enter a code"),
    _("What you are about to change protects your account. Use your authenticator app or a recovery code."),
    _("Continue"),
)
reset_password = form_page(
    account.PasswordResetView,
    _("Reset your password"),
    _("A link goes to the mail address that you confirmed under Account."),
    _("Send the link"),
)
reset_password_done = account.PasswordResetDoneView.as_view(
    template_name="projects/notice.html",
    extra_context={
        "title": _("Look into your mail"),
        "text": _("If an account has this confirmed address, a link is on its way. It is valid for a day."),
    },
)
new_password = form_page(
    account.PasswordResetFromKeyView,
    _("Choose a new password"),
    _("It logs you out everywhere, and programs need a new token."),
    _("Change password"),
    success_url=reverse_lazy("account_login"),
)
remove_app = form_page(
    totp.DeactivateTOTPView,
    _("Remove the authenticator app"),
    _("If you have no passkey, your password alone is enough from then on."),
    _("Remove authenticator app"),
)
new_codes = form_page(
    codes.GenerateRecoveryCodesView,
    _("New recovery codes"),
    _("The present recovery codes stop working."),
    _("Make new recovery codes"),
)
remove_passkey = form_page(
    passkeys.RemoveWebAuthnView,
    _("Remove the passkey"),
    _("Without authenticator app and other passkeys, your password alone is enough from then on."),
    _("Remove passkey"),
)
rename_passkey = form_page(
    passkeys.EditWebAuthnView,
    _("Rename the passkey"),
    _("The name tells you which passkey it is."),
    _("Rename passkey"),
)
disconnect = form_page(
    ConnectionsView,
    _("Disconnect from single sign-on"),
    _("You then log in with your password."),
    _("Disconnect"),
    success_url=reverse_lazy("account"),
)

SSO = {"provider_id": "sso"}
SAML_LOGIN = {"view": "login", "organization_slug": "saml"}
# django-allauth gives it when it asks for these addresses.
SAML = r"sign-on/(?P<organization_slug>saml)"
urlpatterns = [
    path("login/", Login.as_view(), name="account_login"),
    path("again/", reauthenticate, name="account_reauthenticate"),
    path("mail/", account.email, name="account_email"),
    path("mail/<str:key>/", account.confirm_email, name="account_confirm_email"),
    path("password/reset/", reset_password, name="account_reset_password"),
    path("password/reset/done/", reset_password_done, name="account_reset_password_done"),
    re_path(
        r"^password/reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>[^/]+)/$",
        new_password,
        name="account_reset_password_from_key",
    ),
    path("second-factor/", mfa.index, name="mfa_index"),
    path("second-factor/authenticate/", mfa.authenticate, name="mfa_authenticate"),
    path("second-factor/reauthenticate/", reauthenticate_by_code, name="mfa_reauthenticate"),
    path("second-factor/app/", AuthenticatorApp.as_view(), name="mfa_activate_totp"),
    path("second-factor/app/remove/", remove_app, name="mfa_deactivate_totp"),
    path("second-factor/codes/", codes.view_recovery_codes, name="mfa_view_recovery_codes"),
    path("second-factor/codes/new/", new_codes, name="mfa_generate_recovery_codes"),
    path("passkeys/", passkeys.list_webauthn, name="mfa_list_webauthn"),
    path("passkeys/add/", passkeys.add_webauthn, name="mfa_add_webauthn"),
    path("passkeys/reauthenticate/", passkeys.reauthenticate_webauthn, name="mfa_reauthenticate_webauthn"),
    path("passkeys/keys/<int:pk>/remove/", remove_passkey, name="mfa_remove_webauthn"),
    path("passkeys/keys/<int:pk>/edit/", rename_passkey, name="mfa_edit_webauthn"),
    path("passkeys/login/", passkeys.login_webauthn, name="mfa_login_webauthn"),
    path("sessions/", Sessions.as_view(), name="usersessions_list"),
    path("sign-on/disconnect/", disconnect, name="socialaccount_connections"),
    path("sign-on/", openid_connect.login, SSO, "openid_connect_login"),
    path("sign-on/callback/", openid_connect.callback, SSO, "openid_connect_callback"),
    path("sign-on/saml/", require_safe(saml), SAML_LOGIN, "saml_login"),
    re_path(f"{SAML}/metadata/$", require_safe(saml), {"view": "metadata"}, "saml_metadata"),
    re_path(f"{SAML}/answer/$", require_POST(csrf_exempt(saml)), {"view": "answer"}, "saml_acs"),
    re_path(f"{SAML}/finish/$", require_safe(saml), {"view": "finish"}, "saml_finish_acs"),
    re_path(f"{SAML}/logout/$", saml, {"view": "no_logout"}, "saml_sls"),
]
