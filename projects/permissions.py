"""Who may do what in a project. Pairs of `can_...` (bool) and `check_...` (raises).

A project that one has no role in does not exist for one (404); what one's role does not allow in a
project one sees is forbidden (403).
"""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _

from projects.models import Membership, Project, Role

ADMIN = "admin"
READERS = frozenset({ADMIN, Role.MANAGER, Role.ADJUDICATOR, Role.VIEWER})
MANAGERS = frozenset({ADMIN, Role.MANAGER})


def roles_of(user, project: Project) -> frozenset[str]:
    """The roles of a user in a project; {"admin"} on top for an administrator of the installation."""
    roles = set(Membership.objects.filter(project=project, user=user).values_list("role", flat=True))
    if user.is_superuser:
        roles.add(ADMIN)
    return frozenset(roles)


def visible_project(user, slug: str) -> Project:
    """The project called `slug`, if `user` has a role in it. Raises Http404 otherwise."""
    project = Project.objects.visible_to(user).filter(slug=slug).first()
    if project is None:
        raise Http404(_("No project %(slug)s.") % {"slug": slug})
    return project


def can_manage(user, project: Project) -> bool:
    return bool(roles_of(user, project) & MANAGERS)


def check_manage(user, project: Project) -> None:
    if not can_manage(user, project):
        raise PermissionDenied(_("Only managers of this project can do this."))


def check_read_corpus(user, project: Project) -> None:
    if not roles_of(user, project) & READERS:
        raise PermissionDenied(_("Annotators can only see pairs assigned to them, not the whole corpus."))


def can_rate(user, project: Project) -> bool:
    """Managers and adjudicators rate the word pairs of lexicons."""
    return bool(roles_of(user, project) & (MANAGERS | {Role.ADJUDICATOR}))


def check_rate(user, project: Project) -> None:
    if not can_rate(user, project):
        raise PermissionDenied(_("Only managers and adjudicators can rate word pairs."))


def check_administer(user) -> None:
    if not user.is_superuser:
        raise PermissionDenied(_("Only administrators of the installation can do this."))


def can_create_projects(user) -> bool:
    return bool(user.is_superuser) or Membership.objects.filter(user=user, role=Role.MANAGER).exists()


def check_create_projects(user) -> None:
    if not can_create_projects(user):
        raise PermissionDenied(_("Only administrators and managers can create projects."))
