"""A form that is sent without a session leads to the login, and from there back to its page."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template import loader
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme


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
