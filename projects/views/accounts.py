"""Logging in by page; a form that is sent without a session leads there, and from there back to its page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.contrib.auth.views import LoginView, redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template import loader
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from projects.services import logins


class Login(LoginView):
    """Django's own, slowed down after failures (`logins`)."""

    redirect_authenticated_user = True
    attempt: logins.Attempt

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        username = request.POST.get("username", "")
        try:
            self.attempt = logins.begin(request, username)
        except logins.TooManyFailures as error:
            form = AuthenticationForm(request, initial={"username": username})
            context = self.get_context_data(form=form, problem=str(error))
            return self.render_to_response(context, status=429, headers={"Retry-After": str(error.seconds)})
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_valid(form)
        self.attempt.succeeded(response)
        return response

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


class LoginRequired(LoginRequiredMiddleware):
    def handle_no_permission(self, request: HttpRequest, view_func: Callable) -> HttpResponseRedirect:
        if request.method in ("GET", "HEAD"):
            return super().handle_no_permission(request, view_func)
        return redirect_to_login(page_of_form(request))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Without the cookies that a login brings: the login. Otherwise a page that leads back to the form."""
    if not request.user.is_authenticated and request.path != reverse("login"):
        return redirect_to_login(page_of_form(request))
    page = loader.get_template("403_csrf.html").render({"page": page_of_form(request)})
    return HttpResponse(page, status=403)


def page_of_form(request: HttpRequest) -> str:
    """The page that the form was on, as the browser says; else the address that it was sent to."""
    page = request.headers.get("Referer", "")
    hosts = {request.get_host()}
    if not url_has_allowed_host_and_scheme(page, allowed_hosts=hosts, require_https=request.is_secure()):
        return request.get_full_path()
    parts = urlsplit(page)
    return parts.path + (f"?{parts.query}" if parts.query else "")
