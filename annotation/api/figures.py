"""Figures over answers, at the addresses of their pages: agreement, progress of the work, phenomena."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Batch, BatchKind, Phenomenon
from annotation.permissions import check_see_answers, visible_items
from annotation.services.agreement import PERIODS, agreement_report
from annotation.services.dataset_figures import phenomena_means
from annotation.services.progress import Work, project_work
from annotation.services.review import record_answers_seen
from annotation.services.subclusters import agreement_of
from paragold.metrics.partitions import SIGNATURE
from projects.api.endpoint import ObjectEndpoint, ProjectEndpoint
from projects.api.serializers import IdField, StrictSerializer
from projects.models import Scheme
from projects.permissions import check_manage


class AgreementFilters(StrictSerializer):
    batch = IdField(required=False, help_text="One judging batch; default: all of a scheme.")
    scheme = serializers.ChoiceField(
        choices=Scheme.choices,
        required=False,
        help_text="Rule by which answers become gold; by default that of the project.",
    )
    by = serializers.ChoiceField(choices=list(PERIODS), default="tenths", help_text="The periods.")


class AgreementView(ProjectEndpoint):
    checks = {"GET": check_see_answers}

    def get(self, request: Request, slug: str) -> Response:
        """Agreement over the items whose answers I may see."""
        chosen = self.filters(AgreementFilters)
        batches = Batch.objects.filter(project=self.project, kind=BatchKind.JUDGE)
        if "batch" in chosen:
            batches = batches.filter(pk=chosen["batch"])
            if not batches:
                raise Http404("The project has no judging batch with this number.")
        else:
            batches = batches.current().filter(scheme=chosen.get("scheme", self.project.scheme))
        items = visible_items(request.user, self.project)
        return Response(
            agreement_report(project=self.project, batches=list(batches), items=items, by=chosen["by"])
        )


class SubclusterAgreementView(ObjectEndpoint):
    rows = Batch.objects.filter(kind=BatchKind.SPLIT)
    checks = {"GET": check_see_answers}

    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Adjusted Rand index and pairwise precision, recall and F of every two annotators, by pseudonym."""
        self.filters()
        items = visible_items(request.user, self.project).filter(batch=self.object)
        rows, overall = agreement_of(self.object, items.order_by().values_list("pk", flat=True))
        record_answers_seen(batch=self.object, by=self.caller, page="agreement")
        return Response({"overall": overall, "annotators": rows, "signature": SIGNATURE})


class WorkFilters(StrictSerializer):
    kind = serializers.ChoiceField(choices=BatchKind.choices, default=BatchKind.JUDGE)


class WorkView(ProjectEndpoint):
    checks = {"GET": check_manage}

    def get(self, request: Request, slug: str) -> Response:
        """Work done by each person, its pace, and the work left."""
        work = project_work(self.project, self.filters(WorkFilters)["kind"])
        batches = [
            {
                "batch": row.batch.pk,
                "expected": row.progress.expected,
                "answered": row.progress.answered,
                "left": row.progress.waiting,
                "missing": row.progress.missing,
                "skipped": row.skipped,
                "flagged": row.flagged,
            }
            for row in work.batches
        ]
        people = [
            {
                "username": row.username,
                "left": row.left,
                "skipped": row.skipped,
                "flagged": row.flagged,
                "work": _work_figures(row.work),
            }
            for row in work.people
        ]
        return Response(
            {
                "left": work.left,
                "days_left": work.days_left,
                "total": _work_figures(work.total),
                "batches": batches,
                "people": people,
                "days": work.days,
            }
        )


def _work_figures(work: Work) -> dict[str, Any]:
    return {name: getattr(work, name) for name in ("answers", "days", "hours", "per_day", "per_hour")}


class PhenomenaView(ProjectEndpoint):
    checks = {"GET": check_see_answers}

    def get(self, request: Request, slug: str) -> Response:
        """The mean number of each phenomenon per dataset, over the items whose answers I may see."""
        self.filters()
        rows = [
            {
                "dataset": means.dataset.pk,
                "name": means.dataset.name,
                "base": means.base,
                "judged": means.judged,
                "pairs": means.pairs,
                "means": [{"phenomenon": name, **means.means[name]} for name in Phenomenon.values],
                "signature": means.signature,
            }
            for means in phenomena_means(visible_items(request.user, self.project))
        ]
        return Response({"items": rows})
