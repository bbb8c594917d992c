"""The API of long lists (`projects.listings`): the same rows, filters and orders as their pages."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import QuerySet
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from projects.listings import Listing
from projects.views.keyset import keyset_page

from .endpoint import KeySetPagination, ListEndpoint


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
