"""The API of long lists (`projects.listings`): the same rows, filters, orders and actions as their pages."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, ClassVar

from django.db import transaction
from django.db.models import QuerySet
from django.urls import URLPattern
from django.utils.http import urlencode
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from projects.listings import CHANGED_AT_ONCE, MAX_CHOSEN, Listing, listings
from projects.permissions import check_manage
from projects.views.keyset import keyset_page
from projects.views.lists import filtered_ids, launch_action

from .endpoint import KeySetPagination, ListEndpoint, ProjectEndpoint, route
from .serializers import MAX_PARAMETERS, DictField, IdField, ListField, StrictSerializer


class SortedPagination(KeySetPagination):
    """Rows in the order of `sort`. `cursor` is the id after which the page begins."""

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        limit, after = self.limit_and_cursor(request)
        sorts = view.filterset_class.sorts()
        parameters = {"sort": request.query_params.get("sort", ""), "after": str(after or "")}
        page = keyset_page(queryset, parameters, sorts, size=limit)
        if after and page.previous is None and page.rows:
            raise ValidationError({"cursor": ["This row is no longer in the list. Begin again."]})
        self.next = None if page.next is None else str(page.next)
        return page.rows


class ListingEndpoint(ListEndpoint):
    """The rows of `listing` that the caller may see, by its filters and in its orders."""

    listing: ClassVar[Listing]
    pagination_class = SortedPagination

    @property
    def filterset_class(self) -> Any:
        return self.listing.filters

    @property
    def queryset(self) -> QuerySet[Any]:  # type: ignore[override]  # for the OpenAPI document
        return self.serializer_class.Meta.model.objects.none()  # type: ignore[union-attr]  # of a model

    def get_queryset(self) -> QuerySet[Any]:
        return self.listing.rows(self.caller, self.project)


class RefusedSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    reason = serializers.CharField()


class OutcomeSerializer(serializers.Serializer[Any]):
    """The rows that were changed, and those that were left as they are."""

    done = serializers.ListField(child=serializers.IntegerField())
    refused = RefusedSerializer(many=True)
    job = serializers.IntegerField(
        allow_null=True, help_text="More than 2,000 rows are changed by a job; both lists are then empty."
    )


class ActionView(ProjectEndpoint):
    """Do something with several rows of a list at once, or with all that its filters leave."""

    checks = {"POST": check_manage}
    listing: ClassVar[Listing]
    serializer: ClassVar[type[StrictSerializer]]

    def post(self, request: Request, slug: str) -> Response:
        """Do something with several rows at once: each is changed, or left as it is with the reason."""
        fields = self.body(self.serializer)
        action = self.listing.action(fields.pop("action"))
        assert action is not None  # noqa: S101 - one of the choices
        ids, narrowed = fields.pop("ids", None), fields.pop("filter", None)
        if (ids is None) == (narrowed is None):
            raise ValidationError({"ids": ["Send either ids or filter."]})
        ids = self._filtered(narrowed) if ids is None else ids
        cleaned: dict[str, Any] = {}
        if action.form is not None:
            form = action.form(fields, project=self.project)
            if not form.is_valid():
                raise ValidationError({name: list(map(str, errors)) for name, errors in form.errors.items()})
            cleaned = form.cleaned_data
        if len(ids) > CHANGED_AT_ONCE:
            job = launch_action(self.project, self.caller, self.listing, action, ids, fields)
            return Response({"done": [], "refused": [], "job": job.pk}, status=202)
        rows = self.listing.chosen(request.user, self.project, ids)
        with transaction.atomic() if narrowed is not None else nullcontext():
            outcome = action.act(rows, self.caller, **cleaned)
        refused = [{"id": row.pk, "reason": reason} for row, reason in outcome.refused]
        return Response({"done": [row.pk for row in outcome.done], "refused": refused, "job": None})

    def _filtered(self, narrowed: dict[str, str]) -> list[int]:
        known = self.listing.filters.base_filters.keys() - {"sort"}
        if unknown := narrowed.keys() - known:
            names, available = (", ".join(sorted(some)) for some in (unknown, known))
            raise ValidationError({"filter": [f"The list has no filter {names}. Available: {available}."]})
        filters = self.listing.matching(self.request, self.project, urlencode(narrowed))
        if not filters.is_valid():
            raise ValidationError({name: list(map(str, errors)) for name, errors in filters.errors.items()})
        return filtered_ids(filters)


def action_routes() -> list[URLPattern]:
    """For each list with actions, where they are asked for."""
    return [
        route(f"projects/<slug:slug>/lists/{name}/", _view(listing), f"api-{name}-action")
        for name, listing in listings().items()
    ]


def _view(listing: Listing) -> type[APIView]:
    choices = [(action.name, action.label) for action in listing.actions]
    destroying = [action.name for action in listing.actions if action.destroys]
    note = f" `{'`, `'.join(destroying)}` cannot be undone." if destroying else ""
    forms = [action.form for action in listing.actions if action.form is not None]
    fields: dict[str, Any] = {
        "action": serializers.ChoiceField(choices=choices, help_text=f"What to do.{note}"),
        "ids": ListField(child=IdField(), allow_empty=False, max_length=MAX_CHOSEN, required=False),
        "filter": DictField(
            max_length=MAX_PARAMETERS,
            child=serializers.CharField(max_length=200),
            required=False,
            help_text="Instead of ids: all rows that these filters of the list leave; {} means all its rows.",
        ),
    } | {name: IdField(required=False) for form in forms for name in form.base_fields}
    title = listing.name.capitalize()
    serializer = type(f"{title}ActionSerializer", (StrictSerializer,), fields)
    view = type(f"{title}ActionView", (ActionView,), {"listing": listing, "serializer": serializer})
    schema = extend_schema(
        operation_id=f"{listing.name}_action",
        request=serializer,
        responses={200: OutcomeSerializer, 202: OutcomeSerializer},
    )
    return extend_schema_view(post=schema)(view)
