"""Batches: drawing them, opening and closing them, and what people said in them."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Batch, BatchKind, HandingOut
from annotation.models.item import takes_part
from annotation.permissions import can_see_answers
from annotation.services.batch_progress import Progress, own_progress_of, progress_of
from annotation.services.batches import close_batch, reopen_batch
from annotation.services.drawing import draw_judging_batch
from jobs.api.removal import ArchivedFilter, RemovableEndpoint, listed
from paragold.sampling.strata import ALLOCATIONS
from paragold.sampling.strategy import CLUSTERS, STRATIFIED_BY, UNCERTAINTY, Strategy
from projects.api.endpoint import ObjectEndpoint, ProjectEndpoint
from projects.api.serializers import LARGEST_SEED, IdField, SeedField, StrictSerializer, Usernames, found
from projects.models import Project, Role
from projects.permissions import MANAGERS, check_manage, roles_of
from projects.views.project_view import anybody_in_it


class ProgressSerializer(serializers.Serializer[Any]):
    """Answers given or skipped, and what is left: everybody's ("batch") or the caller's ("own")."""

    scope = serializers.ChoiceField(
        choices=["batch", "own"],
    )
    done = serializers.IntegerField()
    total = serializers.IntegerField(help_text="Answers given and answers waited for.")
    left = serializers.IntegerField(help_text="Waited for; in a second pass, open looks.")
    missing = serializers.IntegerField(
        help_text="Open and not waited for: the batch is closed, or its second pass runs."
    )
    looks = serializers.IntegerField(help_text="Answers that a running second pass shows once more.")
    looked = serializers.IntegerField(help_text="Those of them that were decided again.")


def progress_json(progress: Progress, *, scope: str) -> dict[str, Any]:
    return {
        "scope": scope,
        "done": progress.answered,
        "total": progress.wanted,
        "left": progress.waiting,
        "missing": progress.missing,
        "looks": progress.looks,
        "looked": progress.looked,
    }


class BatchSerializer(serializers.ModelSerializer[Batch]):
    """Whoever has items of a batch sees the own progress only, unless as a manager."""

    progress = serializers.SerializerMethodField()
    sampling = serializers.SerializerMethodField()

    class Meta:
        model = Batch
        fields = (
            "id", "name", "kind", "state", "scheme", "overlap", "handing_out", "lease_minutes",
            "seed", "suggester", "asks_phenomena", "sampling",
            "dataset", "gold_set", "corpus_import", "created_at", "progress", "archived_at",
        )  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(ProgressSerializer)
    def get_progress(self, batch: Any) -> dict[str, Any]:
        if (batch.own_answered or batch.own_unanswered or batch.takes_part) and not self.context["manages"]:
            return progress_json(own_progress_of(batch, self.context["user"]), scope="own")
        return progress_json(progress_of(batch), scope="batch")

    @extend_schema_field(serializers.DictField(allow_null=True, help_text="Seen by managers only."))
    def get_sampling(self, batch: Any) -> dict[str, Any] | None:
        return batch.sampling if self.context["manages"] else None


def batches_of(user: Any, project: Project) -> QuerySet[Batch]:
    """The batches that a person may see, with everybody's progress and the person's own.

    All of them for managers and adjudicators, else those in which the person has items.
    """
    rows = Batch.objects.filter(project=project).with_progress()
    rows = rows.with_own_progress(user).annotate(takes_part=Exists(takes_part(user, "pk")))
    if can_see_answers(user, project):
        return rows
    assigned = (
        Batch.objects.assigned_to(user) if Role.ANNOTATOR in roles_of(user, project) else Batch.objects.none()
    )
    return rows.filter(pk__in=assigned.values("pk"))


def manages(user: Any, project: Project) -> bool:
    return bool(roles_of(user, project) & MANAGERS)


def batch_json(batch: Batch, user: Any) -> dict[str, Any]:
    """Raises Http404 when the user may not see the batch."""
    row = batches_of(user, batch.project).filter(pk=batch.pk).first()
    if row is None:
        raise Http404("Nothing in this batch is assigned to you.")
    return BatchSerializer(row, context={"manages": manages(user, batch.project), "user": user}).data


class BatchFilters(ArchivedFilter):
    kind = serializers.ChoiceField(choices=BatchKind.choices, required=False)


class StrategySerializer(StrictSerializer):
    """What the draw sees to beside chance; see docs/sampling.md."""

    by = serializers.ChoiceField(choices=STRATIFIED_BY, default="random")
    allocation = serializers.ChoiceField(choices=ALLOCATIONS, default="proportional")
    per_cluster = serializers.IntegerField(
        min_value=1,
        max_value=LARGEST_SEED,
        default=None,
        allow_null=True,
        help_text="At most, of one cluster.",
    )
    clusters = serializers.ChoiceField(choices=CLUSTERS, default="all")
    rejected = serializers.IntegerField(
        min_value=0, max_value=100, default=0,
        help_text="Percent of the batch drawn at random from what no extraction of the dataset found.",
    )  # fmt: skip
    again = serializers.BooleanField(default=False, help_text="Also pairs that an earlier batch holds.")
    run = IdField(
        default=None,
        allow_null=True,
        help_text="For by uncertainty: the classifier's run over the dataset.",
    )
    audit = serializers.IntegerField(
        min_value=1, max_value=100, default=20,
        help_text="For by uncertainty: percent of the batch drawn at random and kept apart.",
    )  # fmt: skip

    def validate(self, attributes: dict[str, Any]) -> dict[str, Any]:
        if (attributes["by"] == UNCERTAINTY) != (attributes["run"] is not None):
            message = "A draw by uncertainty, and no other, names a classifier's run."
            raise serializers.ValidationError({"run": [message]})
        return attributes


class NewBatchSerializer(StrictSerializer):
    name = serializers.CharField(max_length=80)
    dataset = IdField()
    size = serializers.IntegerField(min_value=1, max_value=LARGEST_SEED)
    annotators = Usernames()
    seed = SeedField(default=1)
    overlap = serializers.IntegerField(
        min_value=1,
        max_value=20,
        required=False,
        help_text="Annotators for each pair; the project's by default.",
    )
    handing_out = serializers.ChoiceField(choices=HandingOut.choices, default=HandingOut.AT_ONCE)
    lease_minutes = serializers.IntegerField(min_value=1, max_value=100_000, default=60)
    quotas = serializers.DictField(
        child=serializers.IntegerField(min_value=0, max_value=LARGEST_SEED),
        required=False,
        help_text="How many items an annotator gets at most, by username.",
    )
    strategy = StrategySerializer(required=False)
    asks_phenomena = serializers.BooleanField(
        required=False, help_text="Have phenomena counted in paraphrases; the project's setting by default."
    )
    paraphrases_of = IdField(
        required=False, help_text="A gold set: only what it calls a paraphrase or partial, drawn again."
    )


class BatchesView(ProjectEndpoint):
    checks = {"GET": anybody_in_it, "POST": check_manage}

    @extend_schema(
        operation_id="batches_list", parameters=[BatchFilters], responses=BatchSerializer(many=True)
    )
    def get(self, request: Request, slug: str) -> Response:
        """The batches that I may see."""
        rows = batches_of(request.user, self.project)
        chosen = self.filters(BatchFilters)
        rows = listed(rows, chosen.pop("archived")).filter(**chosen)
        manager = manages(request.user, self.project)
        return self.paged(rows, BatchSerializer, manages=manager, user=request.user)

    @extend_schema(request=NewBatchSerializer, responses={201: BatchSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Draw pairs of a dataset for annotators to judge, at random or as `strategy` says."""
        fields = self.body(NewBatchSerializer)
        fields["strategy"] = Strategy(**fields.get("strategy", {}))
        fields["dataset"] = found(self.project.datasets.all(), [fields["dataset"]], field="dataset")[0]
        if "paraphrases_of" in fields:
            gold_sets = self.project.gold_sets.all()
            fields["paraphrases_of"] = found(gold_sets, [fields["paraphrases_of"]], field="paraphrases_of")[0]
        batch = draw_judging_batch(project=self.project, by=self.caller, **fields)
        return Response(batch_json(batch, request.user), status=status.HTTP_201_CREATED)


class BatchView(RemovableEndpoint):
    rows = Batch.objects.all()
    checks = {"GET": anybody_in_it, "DELETE": check_manage}

    @extend_schema(responses=BatchSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """One batch, if I may see it."""
        return Response(batch_json(self.object, request.user))


class BatchCloseView(ObjectEndpoint):
    rows = Batch.objects.all()
    checks = {"POST": check_manage}

    @extend_schema(request=None, responses=BatchSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Take no more answers. What was answered stays."""
        close_batch(batch=self.object)
        return Response(batch_json(self.object, request.user))


class BatchReopenView(ObjectEndpoint):
    rows = Batch.objects.all()
    checks = {"POST": check_manage}

    @extend_schema(request=None, responses=BatchSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Take answers again."""
        reopen_batch(batch=self.object)
        return Response(batch_json(self.object, request.user))
