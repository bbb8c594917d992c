"""Who is in a project, with which roles; invitations; and for administrators all accounts."""

from __future__ import annotations

from itertools import groupby, islice
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from projects.errors import PublicError
from projects.forms.people import AccountForm, InvitationForm, MemberForm
from projects.models import AuditEntry, Membership, Project, Role
from projects.permissions import check_manage
from projects.services.people import (
    change_account,
    create_account,
    invite,
    open_invitations,
    reset_password,
    revoke,
    token_of,
)
from projects.services.projects import add_member
from projects.sign_on import has_second_factor, remove_second_factor

from .keyset import keyset_page
from .project_view import (
    FORM,
    POST,
    administrator_view,
    back_to,
    project_view,
    show_error,
    submitted,
    user_of,
)

SHOWN = 20
ROLES = [Role.ANNOTATOR, Role.ADJUDICATOR, Role.VIEWER, Role.MANAGER]


def cells(memberships: list[Membership]) -> list[tuple[Role, Membership | None]]:
    """A row of the table of roles: each role with the membership that gives it."""
    held = {membership.role: membership for membership in memberships}
    return [(role, held.get(role.value)) for role in ROLES]


@project_view(check_manage, FORM)
def members(request: HttpRequest, project: Project) -> HttpResponse:
    """The members and their roles; a POST gives somebody a role. Taking one away has a page of its own."""
    form = MemberForm(request.POST if request.method == "POST" else None)
    by = user_of(request)
    if added := submitted(form, lambda: add_member(project=project, by=by, **form.cleaned_data)):
        role = gettext(added.get_role_display().lower())
        messages.success(
            request,
            gettext("%(username)s is %(role)s of %(name)s now.")
            % {"username": added.user.username, "role": role, "name": project.name},
        )
        return back_to(request, "members", project.slug)
    return _members_page(request, project, form=form)


@project_view(check_manage, POST)
def new_invitation(request: HttpRequest, project: Project) -> HttpResponse:
    form = InvitationForm(request.POST)
    if submitted(form, lambda: invite(project=project, by=user_of(request), **form.cleaned_data)):
        messages.success(
            request, gettext("The link is listed under Invitations. Send it to the people you invite.")
        )
        return redirect("members", project.slug)
    return _members_page(request, project, invite=form)


@project_view(check_manage, POST)
def revoke_invitation(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    revoke(invitation=get_object_or_404(project.invitations, pk=pk), by=user_of(request))
    messages.success(request, gettext("The invitation is revoked: its link is not valid any more."))
    return redirect("members", project.slug)


def _members_page(request: HttpRequest, project: Project, **forms: Any) -> HttpResponse:
    by_user: dict[User, list[Membership]] = {}
    for membership in project.memberships.select_related("user"):
        by_user.setdefault(membership.user, []).append(membership)
    context = {
        "form": MemberForm(),
        "invite": InvitationForm(),
        "roles": ROLES,
        "people": [(user, cells(held)) for user, held in by_user.items()],
        "invitations": [
            (invitation, request.build_absolute_uri(reverse("join", args=[token_of(invitation)])))
            for invitation in open_invitations(project)
        ],
        "history": _history(project),
    } | forms
    failed = any(form.is_bound for form in forms.values())
    return render(request, "projects/members.html", context, status=422 if failed else 200)


def _history(project: Project) -> list[tuple[AuditEntry, int]]:
    """The latest entries; the same again and again is one, with how many times."""
    latest = AuditEntry.objects.filter(project_id=project.pk)[: 10 * SHOWN]
    groups = groupby(latest, lambda entry: (entry.actor_id, entry.event, entry.target))
    return [(next(group), 1 + len(list(group))) for _, group in islice(groups, SHOWN)]


@never_cache
@administrator_view(FORM)
def people(request: HttpRequest) -> HttpResponse:
    """All accounts with their roles; a POST makes one and shows its password this once."""
    form = AccountForm(request.POST if request.method == "POST" else None)
    by = user_of(request)
    if made := submitted(form, lambda: create_account(by=by, **form.cleaned_data)):
        return _person_page(request, *made)
    by_project = Membership.objects.select_related("project").order_by("project__name", "role")
    rows = User.objects.prefetch_related(Prefetch("memberships", by_project))
    if search := request.GET.get("q", "").strip():
        rows = rows.filter(username__icontains=search)
    context = {
        "form": form,
        "q": search,
        "page": keyset_page(rows, request.GET, {"name": "username"}),
    }
    return render(request, "projects/people.html", context, status=422 if form.is_bound else 200)


@never_cache
@require_http_methods(FORM)
def person(request: HttpRequest, pk: int) -> HttpResponse:
    """One account: its roles in every project, its password, whether it is active."""
    by = user_of(request)
    # Only administrators learn whether there is such an account.
    user = get_object_or_404(User.objects.all() if by.is_superuser else User.objects.none(), pk=pk)
    if request.method != "POST":
        return _person_page(request, user)
    try:
        if "reset" in request.POST:
            return _person_page(request, user, reset_password(user=user, by=by))
        if "second_factor" in request.POST:
            remove_second_factor(user=user, by=by)
            messages.success(request, gettext("The second factor is removed."))
        for name in ("active", "administrator"):
            if name in request.POST:
                change_account(user=user, by=by, **{name: request.POST[name] == "yes"})
                messages.success(request, gettext("The account is changed."))
    except PublicError as error:
        show_error(request, error)
    return redirect("person", pk)


def _person_page(request: HttpRequest, user: User, password: str = "") -> HttpResponse:
    held: dict[int, list[Membership]] = {}
    for membership in user.memberships.all():
        held.setdefault(membership.project_id, []).append(membership)
    context = {
        "person": user,
        "password": password,
        "second_factor": has_second_factor(user),
        "roles": ROLES,
        "projects": [(project, cells(held.get(project.pk, []))) for project in Project.objects.all()],
    }
    return render(request, "projects/person.html", context)
