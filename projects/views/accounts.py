"""Logging in by page."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse

from projects.services import login_limits


class Login(LoginView):
    """Django's own, slowed down after failures (`login_limits`)."""

    redirect_authenticated_user = True
    attempt: login_limits.Attempt

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        username = request.POST.get("username", "")
        try:
            self.attempt = login_limits.begin(request, username)
        except login_limits.TooManyFailures as error:
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
