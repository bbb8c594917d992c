"""Versions of a project's guidelines, and who has confirmed the present one."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.translation import gettext as _

from projects.errors import PublicError
from projects.models import EarlierGuidelines, Membership, Project, Role


def keep_version(*, project: Project, by: User, before: str) -> None:
    """Count a change from `before` as a new version of the guidelines, and keep the one before; the caller
    saves the project. White space does not count."""
    if project.guidelines.split() == before.split():
        return
    EarlierGuidelines.objects.create(
        project=project, version=project.guidelines_version, text=before, replaced_by=by
    )
    project.guidelines_version += 1


@transaction.atomic
def confirm_guidelines(*, project: Project, by: User, version: int) -> None:
    """An annotator has read this version. Raises PublicError where there is a later one, PermissionDenied for
    who does not annotate the project."""
    if version != Project.objects.values_list("guidelines_version", flat=True).get(pk=project.pk):
        raise PublicError("The guidelines have changed meanwhile. Read the present ones, then confirm.")
    mine = Membership.objects.filter(project=project, user=by, role=Role.ANNOTATOR)
    if not mine.update(guidelines_version=version):
        raise PermissionDenied(_("Only annotators of the project confirm its guidelines."))
