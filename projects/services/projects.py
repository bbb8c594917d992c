"""Projects and the people in them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from projects.errors import PublicError
from projects.guidelines import following, guidelines_of
from projects.language_choices import check_languages
from projects.models import Invitation, Membership, Project, Role, Scheme

from .audit import record
from .guidelines import keep_version

SETTINGS = (
    "name", "language", "second_language", "scheme", "overlap", "gold_rule", "count_phenomena",
    "held_out_share", "seed", "near_duplicate_share", "licence", "authors", "contact", "guidelines",
)  # fmt: skip
# They decide how text is cut, and which clusters are held out.
FIXED_BY_IMPORT = ("language", "second_language", "held_out_share", "seed")
MAX_NAME_LENGTH = 80
"""Characters of the name of a data set, batch, extraction or experiment."""


def first_free(base: str, taken: Collection[str], *, between: str = " ") -> str:
    """`base`, or `base 2`, `base 3`, ... where it is taken; cut to the length that names may have."""
    ends = ("" if n == 1 else f"{between}{n}" for n in range(1, len(taken) + 2))
    names = (base[: MAX_NAME_LENGTH - len(end)] + end for end in ends)
    return next(name for name in names if name not in taken)


def checked_name(name: str, default: str = "", *, noun: str = "name", field: str = "name") -> str:
    """The name without white space around it, or the default. Raises PublicError for none and a long one."""
    name = name.strip() or default
    if not name:
        raise PublicError("Give the %(noun)s.", field=field, noun=noun)
    if len(name) > MAX_NAME_LENGTH:
        raise PublicError(
            "The %(noun)s is too long: at most %(limit)s characters.",
            field=field,
            noun=noun,
            limit=MAX_NAME_LENGTH,
        )
    return name


def check_free(slug: str) -> None:
    """Raise PublicError when a project has this short name, even one that is deleted but not yet removed."""
    project = Project.everything.filter(slug=slug).first()
    if project is None:
        return
    problem = "exists"
    if project.deleted_at:
        problem = f"was deleted on {project.deleted_at:%Y-%m-%d}, and is not removed yet"
    raise PublicError(
        "A project called %(slug)r %(problem)s. Choose another short name.",
        field="slug",
        slug=slug,
        problem=problem,
    )


@transaction.atomic
def create_project(*, by: User, slug: str, name: str, **settings: Any) -> Project:
    """Create a project; its creator becomes its manager.

    Without `guidelines` it has those of its scheme and language.
    """
    check_free(slug)
    check_languages(settings.get("language", "en"), settings.get("second_language", ""))
    project = Project(slug=slug, name=name, created_by=by, **settings)
    if "guidelines" not in settings:
        project.guidelines = guidelines_of(
            project.scheme, project.language, two_languages=bool(project.second_language)
        )
    _follow_scheme(project)
    project.full_clean()
    project.save()
    Membership.objects.create(project=project, user=by, role=Role.MANAGER)
    record("project-created", actor=by, project=project, target=name)
    return project


@transaction.atomic
def change_project(*, project: Project, by: User, **settings: Any) -> Project:
    """Change a project's settings. Languages, and which clusters are held out, are fixed by the first import.

    Guidelines that nobody has changed follow the scheme and the languages. Changed ones are a new version,
    which annotators confirm before they go on.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    before, guidelines = project.languages, project.guidelines
    for name, value in settings.items():
        if name not in SETTINGS:
            raise PublicError(
                "%(name)s is not a project setting; available: %(choices)s.",
                name=name,
                choices=", ".join(SETTINGS),
            )
        fixed = name in FIXED_BY_IMPORT and (
            project.clusters.exists() or project.imports.filter(state="storing").exists()
        )
        if fixed and value != getattr(project, name):
            raise PublicError(
                "%(name)s cannot be changed: clusters were imported with the present value.", name=name
            )
        setattr(project, name, value)
    if before != project.languages:
        check_languages(project.language, project.second_language)
    _follow_scheme(project)
    project.full_clean()
    keep_version(project=project, by=by, before=guidelines)
    project.save()
    record("project-changed", actor=by, project=project, target=", ".join(settings))
    return project


def _follow_scheme(project: Project) -> None:
    if project.scheme in Scheme.values:
        project.guidelines = following(
            project.guidelines,
            scheme=project.scheme,
            tag=project.language,
            schemes=Scheme.values,
            two_languages=bool(project.second_language),
        )


@transaction.atomic
def add_member(*, project: Project, by: User, username: str, role: str) -> Membership:
    """Give a user a role in a project. Raises PublicError when there is no such user or role."""
    if role not in Role.values:
        raise PublicError(
            "%(role)r is not a role; choose one of: %(choices)s.", role=role, choices=", ".join(Role.values)
        )
    user = User.objects.filter(username=username, is_active=True).first()
    if user is None:
        raise PublicError(
            "There is no user %(username)r who can log in. Invite the person by a link, or ask an "
            "administrator for an account.",
            field="username",
            username=username,
        )
    membership, created = Membership.objects.get_or_create(project=project, user=user, role=role)
    if created:
        record("role-added", actor=by, project=project, target=username, role=role)
    return membership


@transaction.atomic
def remove_member(*, membership: Membership, by: User) -> None:
    """Take a role away; a manager's open invitations end with it. A project keeps an active manager."""
    project = Project.objects.select_for_update().get(pk=membership.project_id)
    if membership.role == Role.MANAGER:
        managers = Membership.objects.filter(project=project, role=Role.MANAGER, user__is_active=True)
        if not managers.exclude(pk=membership.pk).exists():
            raise PublicError("A project needs a manager. Give this role to another person first.")
        Invitation.objects.filter(project=project, created_by=membership.user_id).delete()
    who, role = membership.user.username, membership.role
    record("role-removed", actor=by, project=project, target=who, role=role)
    membership.delete()


def next_version(rows: Any, name: str) -> int:
    """One more than the latest version of that name among a project's gold sets, models or lexicons."""
    return (rows.filter(name=name).aggregate(latest=Max("version"))["latest"] or 0) + 1
