"""One's own account: creating the first administrator, joining by an invitation, changing the password,
tokens of the API; a form sent without a session leads to the login, and from there back to its page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import BaseUserCreationForm
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordChangeView, redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.template import loader
from django.urls import reverse, reverse_lazy
from django.utils.cache import add_never_cache_headers
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from django.views.generic import FormView

from projects.error_responses import Overload, answer_overload
from projects.errors import PublicError
from projects.forms.people import TokenForm
from projects.models import Invitation
from projects.reports import asked_format
from projects.services import logins
from projects.services.people import (
    FirstAdministratorGone,
    InvitationGone,
    accept_invitation,
    check_first_administrator,
    choose_language,
    create_first_administrator,
    find_invitation,
    join,
)
from projects.services.tokens import make_token, revoke_token, valid_tokens
from projects.sign_on import has_second_factor, notice

from .project_view import FORM, show_field_error, submitted, user_of
from .sign_on import needs


class ThrottledForm(FormView):
    """Base of forms that take a password: after failures the sender has to wait (`logins`)."""

    http_method_names = ["get", "head", "post"]
    attempt: logins.Attempt

    def account(self) -> str:
        """The user name whose failures are counted."""
        return self.request.POST.get("username", "")

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        self.attempt = logins.begin(request, self.account())
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        self.attempt.succeeded()
        return super().form_valid(form)

    def form_invalid(self, form: Any) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


class Account(ThrottledForm, PasswordChangeView):
    """One's own account: who one is here, and another password."""

    template_name = "projects/account.html"
    success_url = reverse_lazy("account")

    def account(self) -> str:
        return user_of(self.request).get_username()

    def get_form(self, form_class: Any = None) -> Any:
        form = super().get_form(form_class)
        del form.fields["old_password"].widget.attrs["autofocus"]  # the page is about more than the password
        return form

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        user = user_of(self.request)
        context = {
            "roles": user.memberships.select_related("project").order_by("project__name", "role"),
            "second_factor": has_second_factor(user),
            "connected": SocialAccount.objects.filter(user=user).first(),
            "mail_address": EmailAddress.objects.get_verified(user),
        }
        return super().get_context_data(**context, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        text = _("The password is changed. Other browsers and programs are logged out.")
        messages.success(self.request, text)
        return response


@never_cache
@require_http_methods(FORM)
def tokens(request: HttpRequest) -> HttpResponse:
    """The tokens that have not expired; a POST makes one and shows its text this once."""
    form, user = TokenForm(request.POST if request.method == "POST" else None), user_of(request)
    made = submitted(form, lambda: make_token(user=user, **form.cleaned_data))
    context = {"made": made, "form": TokenForm() if made else form, "tokens": valid_tokens(user)}
    status = 422 if form.is_bound and not made else 200
    return render(request, "projects/tokens.html", context, status=status)


@require_POST
def revoke_own_token(request: HttpRequest, pk: int) -> HttpResponse:
    user = user_of(request)
    token = get_object_or_404(valid_tokens(user), pk=pk)
    revoke_token(token=token, by=user)
    text = _("The token “%(name)s” is revoked: requests with it are refused.")
    messages.success(request, text % {"name": token.name})
    return redirect("tokens")


@login_not_required
@require_POST
def own_language(request: HttpRequest) -> HttpResponse:
    """The language of one's pages, or without a login of this browser; empty: what the browser asks for."""
    language = request.POST.get("language", "")
    if language not in dict(settings.LANGUAGES):
        language = ""
    if request.user.is_authenticated:
        choose_language(user=user_of(request), language=language)
        return redirect("account")
    response = redirect(page_of_form(request, reverse("account_login")))
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


class NewAccount(ThrottledForm):
    """Somebody without an account chooses a name and a password, and is logged in."""

    form_class = BaseUserCreationForm

    def create(self, *, username: str, password: str) -> User:
        raise NotImplementedError

    def form_valid(self, form: Any) -> HttpResponse:
        given = form.cleaned_data
        try:
            user = self.create(username=given["username"], password=given["password1"])
        except PublicError as error:
            show_field_error(form, error)
            return self.form_invalid(form)
        login(self.request, user)
        return super().form_valid(form)


@method_decorator(login_not_required, name="dispatch")
class Join(NewAccount):
    """What an invitation's link leads to: a new account, or the role for the account that is logged in."""

    template_name = "projects/join.html"
    invitation: Invitation

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            self.invitation = find_invitation(kwargs["token"])
            self.extra_context = {"invitation": self.invitation}
            if request.method == "POST" and request.user.is_authenticated:
                membership = accept_invitation(token=kwargs["token"], user=user_of(request))
                return redirect("project", membership.project.slug)
        except InvitationGone as error:
            return notice(request, _("This link is not valid"), str(error), status=404)
        return super().dispatch(request, *args, **kwargs)

    def create(self, *, username: str, password: str) -> User:
        return join(token=self.kwargs["token"], username=username, password=password)

    def get_success_url(self) -> str:
        return reverse("project", args=[self.invitation.project.slug])


@method_decorator(login_not_required, name="dispatch")
class FirstAdministrator(NewAccount):
    """Name and password of the first administrator; the address has the code that the launcher prints."""

    template_name = "projects/account_form.html"
    extra_context = {
        "heading": gettext_lazy("Create the first administrator"),
        "text": gettext_lazy(
            "This installation has no administrator yet. Choose your username and password. As administrator "
            "you create projects and invite the others."
        ),
        "button": gettext_lazy("Create administrator"),
    }
    success_url = reverse_lazy("projects")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            check_first_administrator(kwargs["code"])
        except FirstAdministratorGone as error:
            return notice(request, _("This address is not valid"), str(error), status=404)
        return super().dispatch(request, *args, **kwargs)

    def create(self, *, username: str, password: str) -> User:
        return create_first_administrator(code=self.kwargs["code"], username=username, password=password)


class LoginRequired(LoginRequiredMiddleware):
    def process_view(
        self, request: HttpRequest, view_func: Callable, view_args: Any, view_kwargs: Any
    ) -> HttpResponseBase | None:
        """Pages that the installation has not switched on (`sign_on.NEEDS`) do not exist for anybody."""
        switch = needs(request.resolver_match.url_name or "") if request.resolver_match else ""
        if switch and not getattr(settings.SIGN_ON, switch):
            raise Http404
        if switch and request.method not in FORM:
            return HttpResponseNotAllowed(FORM)
        if asked_format(request) in getattr(view_func, "data_formats", ()):
            return None  # the endpoint asks who it is, as those of the API do
        return super().process_view(request, view_func, view_args, view_kwargs)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Whoever guesses passwords or codes has to wait."""
        if isinstance(error, logins.TooManyFailures):
            return answer_overload(request, Overload(str(error), error.seconds), status=429)
        return None

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Nothing of an account is kept by browsers and proxies."""
        logins.set_device_cookie(request, response)
        if request.path.startswith("/accounts/"):
            add_never_cache_headers(response)
        return response

    def handle_no_permission(self, request: HttpRequest, view_func: Callable) -> HttpResponseRedirect:
        if request.method in ("GET", "HEAD"):
            return super().handle_no_permission(request, view_func)
        return redirect_to_login(page_of_form(request))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Without the cookies that a login brings: the login. Otherwise a page that leads back to the form."""
    if not request.user.is_authenticated and request.path != reverse("account_login"):
        return redirect_to_login(page_of_form(request))
    page = loader.get_template("403_csrf.html").render({"page": page_of_form(request)})
    return HttpResponse(page, status=403)


def page_of_form(request: HttpRequest, otherwise: str = "") -> str:
    """The page that the form was on, as the browser says; else `otherwise`, or the address it was sent to."""
    page = request.headers.get("Referer", "")
    hosts = {request.get_host()}
    if not url_has_allowed_host_and_scheme(page, allowed_hosts=hosts, require_https=request.is_secure()):
        return otherwise or request.get_full_path()
    parts = urlsplit(page)
    return parts.path + (f"?{parts.query}" if parts.query else "")
