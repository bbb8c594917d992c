"""Logging in, slowed down for whoever guesses."""

from __future__ import annotations

import hashlib
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.debug import sensitive_post_parameters

TRIES = 10
WINDOW_SECONDS = 300


# LoginView has these on its own `dispatch`, which is overridden here.
@method_decorator(
    [login_not_required, never_cache, csrf_protect, sensitive_post_parameters()], name="dispatch"
)
class Login(LoginView):
    """Django's own, but after TRIES failures for one name from one address it waits out the window.

    The count lives in each server process's cache: it makes guessing slow and promises no more.
    """

    redirect_authenticated_user = True

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method == "POST" and cache.get(_key(request), 0) >= TRIES:
            form = AuthenticationForm(request, initial={"username": request.POST.get("username", "")})
            context = self.get_context_data(form=form, waiting_minutes=WINDOW_SECONDS // 60)
            return self.render_to_response(context, status=429)
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        cache.delete(_key(self.request))
        return super().form_valid(form)

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        key = _key(self.request)
        cache.add(key, 0, WINDOW_SECONDS)
        try:
            cache.incr(key)
        except ValueError:  # it ran out in this very moment
            cache.set(key, 1, WINDOW_SECONDS)
        return self.render_to_response(self.get_context_data(form=form), status=422)


def _key(request: HttpRequest) -> str:
    who = f"{request.META.get('REMOTE_ADDR', '')}\x1f{request.POST.get('username', '').strip().lower()}"
    return "login:" + hashlib.sha256(who.encode()).hexdigest()
