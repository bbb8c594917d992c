"""Deleting a person, whose answers stay under a pseudonym or go; what is held about somebody, as a file."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

from django.contrib.auth.models import User
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.db.models import Count, F, ProtectedError, QuerySet, Value
from django.db.models.functions import Least
from django.forms.models import model_to_dict

from annotation.models import Assignment, AssignmentState, BatchState, Decision, GoldSet, Item, KeyBindings
from corpus.models import LexiconRating
from ops.archive.archive_storage import delete_archive
from ops.models import ProjectArchive
from projects import submissions
from projects.errors import PublicError
from projects.models import AuditEntry, Membership, OwnLanguage, Project, Role
from projects.services.audit import audit_values, record
from projects.services.projects import first_free
from projects.sessions import end_sessions

KEEP, REMOVE = "keep", "remove"
ANSWERS_AT_ONCE = 200
# What people did themselves is in their data as a whole, what they made only by name.
_OWN_RECORDS = (Membership, KeyBindings, OwnLanguage, Decision, LexiconRating)


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a person gave to a project. `pairs_without_gold` would be left with fewer labels than gold needs;
    `gold_sets` are frozen and keep a copy of the answers."""

    project: Project
    answers: int
    decisions: int
    ratings: int
    pairs_without_gold: int
    gold_sets: int


def contributions(user: User) -> list[Contribution]:
    """What would go with a person's answers, by project."""
    judged = Assignment.objects.of(user).exclude(judgement=None).values("item")
    labels = Item.objects.filter(pk__in=judged).annotate(labels=Count("assignments__judgement"))
    needed = Least(Value(2), F("batch__overlap"), output_field=models.IntegerField())
    without = labels.filter(labels=needed)
    rows = (
        Contribution(
            project=project,
            answers=_given(user).filter(item__batch__project=project).count(),
            decisions=Decision.objects.filter(adjudicator=user, item__batch__project=project).count(),
            ratings=LexiconRating.objects.filter(rater=user, entry__lexicon__project=project).count(),
            pairs_without_gold=without.filter(batch__project=project).count(),
            gold_sets=GoldSet.objects.filter(project=project, judgements__item__in=judged).distinct().count(),
        )
        for project in Project.objects.all()
    )
    return [row for row in rows if row.answers or row.decisions or row.ratings]


def _given(user: User) -> QuerySet[Assignment]:
    return Assignment.objects.of(user).exclude(state=AssignmentState.OPEN)


def delete_person(*, user: User, by: User | None, confirmed: str, answers: str) -> str:
    """Delete an account; returns the pseudonym of what is kept, "" where nothing is.

    `answers` KEEP leaves answers, decisions and ratings under the pseudonym; REMOVE removes them in pieces:
    call it again after an interruption. Frozen gold sets stay as they are. Without `by` it is done on the
    server. Raises PublicError for the own account, for the only administrator, for the only manager of a
    project, and unless `confirmed` is the person's name.
    """
    name = user.get_username()
    if by and (user == by or not by.is_superuser):
        raise PublicError("Only another administrator can delete an account.")
    administrators = User.objects.filter(is_superuser=True, is_active=True)
    if user.is_superuser and not administrators.exclude(pk=user.pk).exists():
        raise PublicError("%(name)s is the only administrator. Make another one first.", name=name)
    if answers not in (KEEP, REMOVE):
        raise PublicError("Choose whether the answers are kept or removed.", field="answers")
    if confirmed != name:
        raise PublicError("To delete the account, type its name.", field="confirm")
    for project in Project.objects.filter(memberships__user=user, memberships__role=Role.MANAGER):
        managers = Membership.objects.filter(project=project, role=Role.MANAGER, user__is_active=True)
        if not managers.exclude(user=user).exists():
            raise PublicError(
                "%(name)s is the only manager of %(project)s. Give this role to another first.",
                name=name,
                project=project,
            )
    User.objects.filter(pk=user.pk).update(is_active=False)
    while answers == REMOVE and _remove_answers(user):
        pass
    with transaction.atomic():
        if answers == REMOVE:
            Decision.objects.filter(adjudicator=user).delete()
            LexiconRating.objects.filter(rater=user).delete()
        return _remove_account(user, by)


@transaction.atomic
def _remove_answers(user: User) -> int:
    """Remove some answers; in open batches others can take the places. Returns how many were removed."""
    some = Assignment.objects.filter(pk__in=list(_given(user).values_list("pk", flat=True)[:ANSWERS_AT_ONCE]))
    open_items = some.filter(item__batch__state=BatchState.OPEN).values_list("item", flat=True)
    places = [Assignment(item_id=item, position=0) for item in open_items]
    removed = some.count()
    some.delete()
    Assignment.objects.bulk_create(places)
    return removed


def _remove_account(user: User, by: User | None) -> str:
    """Remove all that names the person: the account as a whole, where nothing refers to it."""
    name, pseudonym = user.get_username(), ""
    submissions.forget(name, user.email)
    for relation in _relations():
        if relation.on_delete is models.CASCADE:
            relation.related_model._base_manager.filter(**{relation.field.name: user}).delete()
    end_sessions(user)
    for archive in ProjectArchive.objects.select_related("project"):  # they hold names
        delete_archive(archive=archive)
    try:
        with transaction.atomic():
            User.objects.filter(pk=user.pk).delete()
    except ProtectedError:
        wish = f"person-{user.pk}"
        others = User.objects.exclude(pk=user.pk).filter(username__startswith=wish)
        pseudonym = first_free(wish, list(others.values_list("username", flat=True)), between="-")
        fresh = User(pk=user.pk, username=pseudonym, is_active=False, date_joined=user.date_joined)
        fresh.set_unusable_password()
        fresh.save(force_update=True)
    record("person-deleted", actor=by, target=name, kept_as=pseudonym)
    return pseudonym


def _relations() -> Iterator[Any]:
    """Every foreign key that points at accounts, from its other end."""
    for relation in User._meta.get_fields(include_hidden=True):
        if relation.auto_created and not relation.concrete and not relation.many_to_many:
            yield relation


def write_data(user: User, file: IO[bytes]) -> None:
    """Write a zip of what is held about a person: the account, every answer with its history, and JSON lines
    of what else the person did and made. Nothing in it was said by others."""
    account = model_to_dict(user, fields=["username", "first_name", "last_name", "email", "is_active"])
    account |= {"date_joined": user.date_joined, "last_login": user.last_login}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, rows in (("account", [account]), ("answers", _answers(user)), ("records", _records(user))):
            with archive.open(f"{name}.jsonl", "w") as lines:
                for row in rows:
                    line = json.dumps(row, cls=DjangoJSONEncoder, ensure_ascii=False)
                    lines.write(f"{line}\n".encode())


def _answers(user: User) -> Iterator[dict[str, Any]]:
    assignments = (
        _given(user)
        .order_by("pk")
        .select_related(
            "judgement", "item__batch__project", "item__pair__sentence_a", "item__pair__sentence_b"
        )
    )
    for assignment in assignments.prefetch_related("answers", "alignment__links").iterator(chunk_size=500):
        pair, links = assignment.item.pair, getattr(assignment, "alignment", None)
        yield {
            "project": assignment.item.batch.project.slug,
            "batch": assignment.item.batch.name,
            "item": assignment.item.number,
            "sentences": [pair.sentence_a.text, pair.sentence_b.text] if assignment.item.pair_id else [],
            "state": assignment.state,
            "label": assignment.judgement.label if hasattr(assignment, "judgement") else None,
            "links": [[link.a, link.b, link.strength] for link in links.links.all()] if links else [],
            "comment": assignment.comment,
            "flagged": assignment.flagged,
            "milliseconds": assignment.milliseconds,
            "answered_at": assignment.answered_at,
            "history": [
                {"version": past.version, "at": past.at, "answer": past.body}
                for past in assignment.answers.all()
            ],
        }


def _records(user: User) -> Iterator[dict[str, Any]]:
    for relation in _relations():
        model = relation.related_model
        if model._meta.app_label in ("auth", "knox") or model is Assignment:
            continue
        for row in model._base_manager.filter(**{relation.field.name: user}).order_by("pk"):
            own = {field.name: field.value_from_object(row) for field in model._meta.concrete_fields}
            times = {name: value for name, value in own.items() if name.endswith("_at") and value}
            values = own if model in _OWN_RECORDS else {"id": row.pk, "name": str(row), **times}
            yield {"kind": str(model._meta.verbose_name), "as": relation.field.name, **values}
    for entry in AuditEntry.objects.filter(actor_id=user.pk).order_by("pk"):
        values = audit_values(entry)
        del values["id"]  # it would tell how much others did
        yield {"kind": "audit entry", **values}
