"""Batches: drawing them, opening and closing them, their annotators, and the second pass."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import Http404
from django_filters.rest_framework import ChoiceFilter
from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_view
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.listings import BatchListFilters
from annotation.models import AssignmentState, Batch, BatchAnnotator, BatchKind, HandingOut
from annotation.permissions import can_see_answers, own_progress_only
from annotation.services.batches import close_batch, reopen_batch
from annotation.services.drawing import draw_judging_batch, draw_splitting_batch
from annotation.services.progress import Progress, own_progress_of, progress_of
from annotation.services.reassignment import OpenItems, change_annotator
from annotation.services.second_pass import end_second_pass, second_pass_summary, start_second_pass
from annotation.specs import SplitDrawSpec
from jobs.api.removal import ArchivedFilters, RemovableEndpoint, RemovableListEndpoint
from paragold.sampling.strategy import DrawSpec
from projects.api.endpoint import ObjectEndpoint, ProjectEndpoint
from projects.api.lists import SortedPagination
from projects.api.serializers import (
    LARGEST_SEED,
    DictField,
    IdField,
    RowSerializer,
    SeedField,
    SpecSerializer,
    StrictSerializer,
    Usernames,
    with_rows,
)
from projects.errors import PublicError
from projects.models import PhenomenaScope, Project, Role
from projects.permissions import MANAGERS, check_manage, roles_of
from projects.views.project_view import any_member


class ProgressSerializer(serializers.Serializer[Any]):
    """Answers given or skipped, and what is left: everybody's ("batch") or the caller's ("own")."""

    scope = serializers.ChoiceField(choices=["batch", "own"])
    done = serializers.IntegerField()
    skipped = serializers.IntegerField(help_text="How many of `done` were skipped: they are not answered.")
    total = serializers.IntegerField(help_text="How many answers are expected in all, given ones included.")
    left = serializers.IntegerField(help_text="Expected answers; in a second pass, open second looks.")
    missing = serializers.IntegerField(
        help_text="Open but not expected: the batch is closed, or its second pass runs."
    )
    looks = serializers.IntegerField(help_text="Answers shown again in the running second pass.")
    looked = serializers.IntegerField(help_text="How many of them were answered again.")


def progress_json(progress: Progress, *, scope: str) -> dict[str, Any]:
    return {
        "scope": scope,
        "done": progress.answered,
        "skipped": progress.skipped,
        "total": progress.expected,
        "left": progress.waiting,
        "missing": progress.missing,
        "looks": progress.looks,
        "looked": progress.looked,
    }


class BatchSerializer(RowSerializer[Batch]):
    """Annotators of a batch see only their own progress, unless they are managers."""

    progress = serializers.SerializerMethodField()
    sampling = serializers.SerializerMethodField()

    class Meta:
        model = Batch
        fields = (
            "id", "name", "kind", "state", "scheme", "overlap", "handing_out", "lease_minutes",
            "seed", "suggester", "count_phenomena", "sampling", "trial",
            "dataset", "gold_set", "corpus_import", "created_at", "progress", "archived_at",
        )  # fmt: skip

    @extend_schema_field(ProgressSerializer)
    def get_progress(self, batch: Any) -> dict[str, Any]:
        if batch.own_only:
            return progress_json(own_progress_of(batch, self.context["user"]), scope="own")
        return progress_json(progress_of(batch), scope="batch")

    @extend_schema_field(
        serializers.DictField(allow_null=True, help_text="How the items were drawn; managers only get it.")
    )
    def get_sampling(self, batch: Any) -> dict[str, Any] | None:
        return batch.sampling if self.context["manages"] else None


def batches_of(user: Any, project: Project) -> QuerySet[Batch]:
    """The batches that a person may see, with everybody's progress and the person's own.

    All of them for managers and adjudicators, else those in which the person has items.
    """
    rows = Batch.objects.filter(project=project).with_progress()
    own_only = own_progress_only(user, project).filter(pk=OuterRef("pk"))
    rows = rows.with_own_progress(user).annotate(own_only=Exists(own_only))
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
        raise Http404("Nothing in this batch is assigned to you.")
    return BatchSerializer(row, context=shown_to(user, batch.project)).data


class BatchFilters(ArchivedFilters, BatchListFilters):
    kind = ChoiceFilter(choices=BatchKind.choices)


class StrategySerializer(SpecSerializer):
    """Sampling parameters; see docs/sampling.md."""

    spec_class = DrawSpec


class NewBatchFields(StrictSerializer):
    """Parameters of every batch."""

    name = serializers.CharField(max_length=80)
    annotators = Usernames()
    seed = SeedField(default=1)
    overlap = serializers.IntegerField(
        min_value=1,
        max_value=20,
        required=False,
        help_text="Annotators for each item; the project's by default.",
    )


class DrawFields(NewBatchFields):
    size = serializers.IntegerField(min_value=1, max_value=LARGEST_SEED)
    handing_out = serializers.ChoiceField(choices=HandingOut.choices, default=HandingOut.AT_ONCE)
    lease_minutes = serializers.IntegerField(min_value=1, max_value=100_000, default=60)
    quotas = DictField(
        max_length=1000,
        child=serializers.IntegerField(min_value=0, max_value=LARGEST_SEED),
        required=False,
        help_text="Maximum items per annotator, by username.",
    )
    strategy = StrategySerializer(required=False)
    count_phenomena = serializers.ChoiceField(
        choices=PhenomenaScope.choices,
        required=False,
        help_text="In which pairs annotators count phenomena; by default that of the project.",
    )


class NewBatchSerializer(DrawFields):
    dataset = IdField()
    paraphrases_of = IdField(
        required=False, help_text="A gold set: draw only its paraphrases and partial paraphrases, again."
    )


@extend_schema_view(get=extend_schema(operation_id="batches_list"))
class BatchesView(RemovableListEndpoint):
    """The batches that I may see."""

    checks = {"GET": any_member, "POST": check_manage}
    rows = Batch.objects.all()
    filterset_class = BatchFilters
    pagination_class = SortedPagination
    serializer_class = BatchSerializer

    def get_queryset(self) -> QuerySet[Batch]:
        return batches_of(self.caller, self.project)

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), **shown_to(self.caller, self.project)}

    @extend_schema(request=NewBatchSerializer, responses={201: BatchSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Draw pairs of a dataset for annotators to judge, at random or by `strategy`."""
        datasets, gold_sets = self.project.datasets.all(), self.project.gold_sets.all()
        fields = with_rows(self.body(NewBatchSerializer), dataset=datasets, paraphrases_of=gold_sets)
        fields["strategy"] = fields["strategy"]["spec"] if "strategy" in fields else DrawSpec()
        batch = draw_judging_batch(project=self.project, by=self.caller, **fields)
        return Response(batch_json(batch, request.user), status=status.HTTP_201_CREATED)


class NewSplitBatchSerializer(NewBatchFields, SpecSerializer):
    spec_class = SplitDrawSpec


class SplitBatchesView(ProjectEndpoint):
    checks = {"POST": check_manage}

    @extend_schema(request=NewSplitBatchSerializer, responses={201: BatchSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Draw clusters at random for annotators to split into sub-clusters of headlines."""
        fields = self.body(NewSplitBatchSerializer)
        batch = draw_splitting_batch(project=self.project, by=self.caller, **fields)
        return Response(batch_json(batch, request.user), status=status.HTTP_201_CREATED)


class BatchView(RemovableEndpoint):
    rows = Batch.objects.all()
    checks = {"GET": any_member, "DELETE": check_manage}
    serializer_class = BatchSerializer

    def get(self, request: Request, pk: int) -> Response:
        """One batch, if I may see it."""
        return Response(batch_json(self.object, request.user))


class BatchStateView(ObjectEndpoint):
    """Stop accepting answers (`close`; given answers stay), or accept them again (`reopen`)."""

    rows = Batch.objects.all()
    checks = {"POST": check_manage}
    closes = True

    @extend_schema(request=None, responses=BatchSerializer)
    def post(self, request: Request, pk: int) -> Response:
        change = close_batch if self.closes else reopen_batch
        change(batch=self.object)
        return Response(batch_json(self.object, request.user))


class BatchAnnotatorSerializer(RowSerializer[BatchAnnotator]):
    username = serializers.CharField(source="annotator.username")
    done = serializers.IntegerField(help_text="Items answered or skipped.")
    skipped = serializers.IntegerField(help_text="How many of them were skipped.")
    total = serializers.IntegerField(help_text="Items assigned to the annotator, or taken.")

    class Meta:
        model = BatchAnnotator
        fields = ("username", "quota", "paused", "done", "skipped", "total")


class SettledSerializer(StrictSerializer):
    """Fields that are left out do not change."""

    username = serializers.CharField(max_length=150)
    quota = serializers.IntegerField(
        min_value=0,
        max_value=LARGEST_SEED,
        required=False,
        allow_null=True,
        help_text="Maximum number of items for the person; null for no limit.",
    )
    paused = serializers.BooleanField(required=False)
    open_items = serializers.ChoiceField(
        choices=OpenItems.choices,
        required=False,
        help_text="For a pause: what happens to open items. By default the annotator keeps those assigned "
        "at once; those taken on demand go back to the batch.",
    )
    to = serializers.CharField(
        max_length=150,
        required=False,
        help_text="For hand_over: user name of the annotator who gets the items.",
    )


class BatchAnnotatorsView(ObjectEndpoint):
    rows = Batch.objects.all()
    checks = {"GET": check_manage, "PUT": check_manage}

    @extend_schema(operation_id="batch_annotators_list", responses=BatchAnnotatorSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The annotators of a batch with their progress, quotas and pauses."""
        self.filters()
        return self.paged(self._annotators(), BatchAnnotatorSerializer)

    @extend_schema(request=SettledSerializer, responses=BatchAnnotatorSerializer)
    def put(self, request: Request, pk: int) -> Response:
        """Set the quota of an annotator, pause the annotator or resume the work."""
        fields = self.body(SettledSerializer)
        person = User.objects.filter(
            username=fields.pop("username"), pk__in=self.object.annotators.values("annotator")
        ).first()
        if person is None:
            raise PublicError("No annotator of this batch has this name.", field="username")
        settled = change_annotator(batch=self.object, by=self.caller, annotator=person, **fields)
        return Response(BatchAnnotatorSerializer(self._annotators().get(pk=settled.pk)).data)

    def _annotators(self) -> QuerySet[BatchAnnotator]:
        mine = Q(annotator__assignments__item__batch=self.object)
        counts = {
            "total": mine,
            "done": mine & ~Q(annotator__assignments__state=AssignmentState.OPEN),
            "skipped": mine & Q(annotator__assignments__state=AssignmentState.SKIPPED),
        }
        rows = self.object.annotators.select_related("annotator")
        return rows.annotate(
            **{name: Count("annotator__assignments", filter=which) for name, which in counts.items()}
        )


class SecondPassSerializer(serializers.Serializer[Any]):
    """`after` is the agreement now, until the pass has ended. `looks` are disputed answers."""

    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    before = serializers.DictField()
    after = serializers.DictField()
    looks = serializers.IntegerField()
    decided = serializers.IntegerField()
    changed = serializers.IntegerField()
    withheld = serializers.IntegerField(help_text="Open answers that are withheld until it ends.")
    signature = serializers.CharField()


class SecondPassMoveSerializer(StrictSerializer):
    move = serializers.ChoiceField(choices=["start", "end"])
    anyway = serializers.BooleanField(
        default=False,
        help_text="Start without the missing answers; they are withheld until it ends.",
    )


class SecondPassView(ObjectEndpoint):
    rows = Batch.objects.all()
    checks = {"GET": check_manage, "POST": check_manage}

    @extend_schema(responses=SecondPassSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """The second pass of a batch."""
        self.filters()
        return self._summary()

    @extend_schema(request=SecondPassMoveSerializer, responses=SecondPassSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Start the second pass, or end it."""
        fields = self.body(SecondPassMoveSerializer)
        if fields["move"] == "start":
            start_second_pass(batch=self.object, by=self.caller, anyway=fields["anyway"])
        else:
            end_second_pass(batch=self.object, by=self.caller)
        return self._summary()

    def _summary(self) -> Response:
        summary = second_pass_summary(self.object)
        if summary is None:
            raise Http404("This batch has had no second pass.")
        return Response(SecondPassSerializer(summary).data)
