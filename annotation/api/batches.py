"""Batches: drawing them, closing and opening them again, and how far they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.listings import BATCHES
from annotation.models import Batch, Measure
from annotation.permissions import can_see_answers, own_progress_only
from annotation.services.batches import close_batch, reopen_batch, show_decisions
from annotation.services.progress import Progress, counted
from annotation.services.third_judgements import third_judgements_of
from annotation.services.training import start_try
from jobs.api.removal import ChangeSerializer, RemovableObject
from projects.api.endpoint import ObjectEndpoint, ResourceList
from projects.api.serializers import (
    RowSerializer,
)
from projects.models import Project, Role
from projects.permissions import MANAGERS, roles_of
from projects.views.project_view import any_member


class ProgressSerializer(serializers.Serializer[Progress]):
    """Answers given or skipped, and what is left: everybody's ("batch") or the caller's ("own")."""

    scope = serializers.SerializerMethodField()
    done = serializers.IntegerField(source="answered")
    skipped = serializers.IntegerField(help_text="How many of `done` were skipped: they are not answered.")
    total = serializers.IntegerField(
        source="expected", help_text="How many answers are expected in all, given ones included."
    )
    left = serializers.IntegerField(
        source="waiting", help_text="Expected answers; in a second pass, open second looks."
    )
    missing = serializers.IntegerField(
        help_text="Open but not expected: the batch is closed, or its second pass runs."
    )
    looks = serializers.IntegerField(help_text="Answers shown again in the running second pass.")
    looked = serializers.IntegerField(help_text="How many of them were answered again.")

    @extend_schema_field(serializers.ChoiceField(choices=["batch", "own"]))
    def get_scope(self, progress: Progress) -> str:
        return "own" if self.context["own"] else "batch"


class BatchSerializer(RowSerializer[Batch]):
    """Annotators of a batch see only their own progress, unless they are managers."""

    progress = serializers.SerializerMethodField()
    sampling = serializers.SerializerMethodField()
    third_judgements = serializers.SerializerMethodField()
    measure = serializers.ChoiceField(
        choices=["", *Measure.values], help_text=Batch._meta.get_field("measure").help_text
    )

    class Meta:
        model = Batch
        fields = (
            "id", "name", "kind", "state", "scheme", "overlap", "handing_out", "lease_minutes",
            "seed", "suggester", "count_phenomena", "sampling", "trial", "measure", "threshold", "requires",
            "shows_decisions", "dataset", "gold_set", "corpus_import", "created_at", "progress",
            "third_judgements", "archived_at",
        )  # fmt: skip

    @extend_schema_field(ProgressSerializer)
    def get_progress(self, batch: Any) -> dict[str, Any]:
        return ProgressSerializer(self.progresses[batch.pk], context={"own": batch.own_only}).data

    @extend_schema_field(
        serializers.DictField(allow_null=True, help_text="How the items were drawn; managers only get it.")
    )
    def get_sampling(self, batch: Any) -> dict[str, Any] | None:
        return batch.sampling if self.context["manages"] else None

    @extend_schema_field(
        serializers.DictField(
            allow_null=True,
            help_text="Over the `pairs` with two judgements: how many got a third one (`thirds`), all "
            "judgements `asked` for, `all_three` of three for each pair, the shares `saved` and `agreed` "
            "(first two); null in batches without third judgements. Managers only get it.",
        )
    )
    def get_third_judgements(self, batch: Any) -> Mapping[str, Any] | None:
        return self.thirds.get(batch.pk) if self.context["manages"] else None

    @cached_property
    def shown(self) -> list[Any]:
        """All batches that are shown together."""
        rows: Any = self.parent.instance if self.parent else [self.instance]
        return list(rows)

    @cached_property
    def progresses(self) -> dict[int, Progress]:
        """Everybody's progress by batch id, or the person's own, who sees no other."""
        own = [row for row in self.shown if row.own_only]
        others = [row for row in self.shown if not row.own_only]
        return counted(others) | counted(own, self.context["user"])

    @cached_property
    def thirds(self) -> dict[int, Mapping[str, Any]]:
        """Third judgements by batch id."""
        return third_judgements_of([row for row in self.shown if row.third_judgement])


class TrySerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField(help_text="Counts your tries of the training, from 1.")


class TriesView(ObjectEndpoint):
    checks = {"POST": any_member}
    rows = Batch.objects.all()

    @extend_schema(request=None, responses=TrySerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Begin a training, or begin it again once all of it is answered; its queue then has the pairs."""
        return Response({"number": start_try(batch=self.object, by=self.caller)})


def batches_of(user: Any, project: Project) -> QuerySet[Batch]:
    """The batches that a person may see, with whether it is the own progress only.

    All of them for managers and adjudicators, else those in which the person has items.
    """
    own_only = own_progress_only(user, project).filter(pk=OuterRef("pk"))
    rows = Batch.objects.filter(project=project).annotate(own_only=Exists(own_only))
    if can_see_answers(user, project):
        return rows
    assigned = (
        Batch.objects.assigned_to(user) if Role.ANNOTATOR in roles_of(user, project) else Batch.objects.none()
    )
    return rows.filter(pk__in=assigned.values("pk"))


def shown_to(user: Any, project: Project) -> dict[str, Any]:
    """The context of `BatchSerializer` for a reader."""
    return {"manages": bool(roles_of(user, project) & MANAGERS), "user": user}


def batch_json(batch: Batch, user: Any) -> dict[str, Any]:
    """Raises Http404 when the user may not see the batch."""
    row = batches_of(user, batch.project).filter(pk=batch.pk).first()
    if row is None:
        raise Http404(_("Nothing in this batch is assigned to you."))
    return BatchSerializer(row, context=shown_to(user, batch.project)).data


MY_BATCHES = replace(
    BATCHES,
    visible=batches_of,
    check=any_member,
    serializer=BatchSerializer,
    order="",
    about="Those that I may see.",
)


class BatchesView(ResourceList):
    resource = MY_BATCHES

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), **shown_to(self.caller, self.project)}


class BatchChanges(ChangeSerializer):
    closed = serializers.BooleanField(
        required=False, help_text="true: it takes no more answers, and keeps those it has; false: it does."
    )
    shows_decisions = serializers.BooleanField(
        required=False, help_text="Whether annotators see decisions that differ, while it is closed."
    )


class BatchView(RemovableObject):
    resource = MY_BATCHES
    change_serializer = BatchChanges

    def get(self, request: Request, *arguments: Any, **kwargs: Any) -> Response:
        return Response(batch_json(self.object, request.user))

    @extend_schema(request=BatchChanges)
    def patch(self, request: Request, *arguments: Any, **kwargs: Any) -> Response:
        """Close it or open it again, archive or restore it; fields that are left out stay as they are."""
        return super().patch(request, *arguments, **kwargs)

    @transaction.atomic
    def change(self, fields: dict[str, Any]) -> None:
        if "closed" in fields:
            change = close_batch if fields["closed"] else reopen_batch
            change(batch=self.object)
        if "shows_decisions" in fields:
            show_decisions(batch=self.object, shown=fields["shows_decisions"])
        super().change(fields)
