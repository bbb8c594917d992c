"""One's own tokens of the API: listed, made, shown once, revoked."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from projects.forms.people import TokenForm
from projects.services.tokens import make_token, revoke_token, valid_tokens

from .project_view import FORM, submitted, user_of


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
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    user = user_of(request)
    token = get_object_or_404(valid_tokens(user), pk=pk)
    revoke_token(token=token, by=user)
    messages.success(request, f"The token “{token.name}” is revoked: requests with it are refused.")
    return redirect("tokens")
