"""What every page inside a project begins with: the project, and whether this person may; errors on it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import wraps
from typing import Any, Concatenate, TypeVar, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods

from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_administer, visible_project

ResponseT = TypeVar("ResponseT", bound=HttpResponseBase)
ResultT = TypeVar("ResultT")
SAFE, POST, FORM = ("GET", "HEAD"), ("POST",), ("GET", "HEAD", "POST")
"""The methods of a page that only shows something, of a button, and of a page with a form."""


def project_view(
    check: Callable[[Any, Project], None],
    methods: Collection[str] | None = None,
    *,
    refused: Sequence[str] = (),
) -> Callable[[Callable[Concatenate[HttpRequest, Project, ...], ResponseT]], Callable[..., ResponseT]]:
    """Make a view of `slug` one of a project that the user sees and `check(user, project)` admits.

    Other `methods` than these, if they are given, are refused (405). `refused` is the page that shows a
    PublicError of the view, and which of its arguments are in that page's address.
    """

    def decorate(
        view: Callable[Concatenate[HttpRequest, Project, ...], ResponseT],
    ) -> Callable[..., ResponseT]:
        @wraps(view)
        def wrapped(request: HttpRequest, slug: str, **arguments: Any) -> ResponseT:
            project = visible_project(request.user, slug)
            request.project = project  # type: ignore[attr-defined]  # for the navigation
            check(request.user, project)
            try:
                return view(request, project, **arguments)
            except PublicError as error:
                if not refused:
                    raise
                show_error(request, error)
                page, *names = refused
                return cast(ResponseT, redirect(page, slug, *(arguments[name] for name in names)))

        return require_http_methods([*methods])(wrapped) if methods else wrapped

    return decorate


def administrator_view(
    methods: Collection[str],
) -> Callable[[Callable[..., ResponseT]], Callable[..., ResponseT]]:
    """Make a view one that only administrators of the installation open, by these methods."""

    def decorate(view: Callable[..., ResponseT]) -> Callable[..., ResponseT]:
        @wraps(view)
        def wrapped(request: HttpRequest, **arguments: Any) -> ResponseT:
            check_administer(request.user)
            return view(request, **arguments)

        return require_http_methods([*methods])(wrapped)

    return decorate


def any_member(user: Any, project: Project) -> None:
    """For pages that every member may open: seeing the project is enough."""


def user_of(request: HttpRequest) -> User:
    """Who asks: always somebody, since LoginRequiredMiddleware sends everyone else to the login page."""
    return cast(User, request.user)


def back_to(request: HttpRequest, view: str, *arguments: object) -> HttpResponse:
    """The page of this site that the form names as `next`, else the view."""
    address = next_address(request)
    return redirect(address) if address else redirect(view, *arguments)


def next_address(request: HttpRequest) -> str:
    """The address on this site that the form names as `next`, else ""."""
    address = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(address, allowed_hosts=None) and address.startswith("/")
    return address if safe else ""


def show_error(request: HttpRequest, error: PublicError) -> None:
    """Show an error where the page shows its messages; the form was refused and may be sent again."""
    request.refused = True  # type: ignore[attr-defined]  # for `form_tokens`
    messages.error(request, str(error))


def show_field_error(form: forms.BaseForm, error: PublicError) -> None:
    """Show a service's error beside the field it is about, or at the top of the form."""
    form.add_error(error.field if error.field in form.fields else None, str(error))


def initial_from(request: HttpRequest, *names: str) -> dict[str, str]:
    """What the address says that a form begins with."""
    return {name: value for name in names if (value := request.GET.get(name))}


def form_page(request: HttpRequest, template: str, form: forms.BaseForm, **context: Any) -> HttpResponse:
    """A page with a form; where the form has errors, it was refused (422)."""
    return render(request, template, {"form": form, **context}, status=422 if form.errors else 200)


def submitted(form: forms.BaseForm, act: Callable[[], ResultT]) -> ResultT | None:
    """What `act` makes of a form that was sent and is valid, else None; the form shows what it refuses."""
    if not form.is_bound or not form.is_valid():
        return None
    try:
        return act()
    except PublicError as error:
        show_field_error(form, error)
        return None
