"""What endpoints begin with: the project or the object, and whether this person may; lists and details."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, cast

from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils.translation import gettext
from django_filters.rest_framework import DjangoFilterBackend, FilterSet
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from projects.api.serializers import LARGEST_ID, ListField, StrictSerializer, refuse_unknown
from projects.errors import PublicError
from projects.listings import Outcome, Resource
from projects.models import Project
from projects.permissions import check_manage, visible_project
from projects.submissions import HEADER, once
from projects.views.keyset import keyset_page

Check = Callable[[Any, Project], None]
DEFAULT_LIMIT = 100
MAX_LIMIT = 500
PARAMETERS = ("limit", "cursor")


class KeySetPagination(BasePagination):
    """Rows in the order of their ids, or of `sort` where the view has such a filter. `cursor` is the id after
    which the page begins; in a list that is computed for each request, the number of rows before it.

    A page costs the same however deep it lies, and no row is shown twice.
    """

    next: str | None = None

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        limit, after = self.limit_and_cursor(request)
        if isinstance(queryset, list):
            self.next = str(after + limit) if after + limit < len(queryset) else None
            return queryset[after : after + limit]
        filters = getattr(view, "filterset_class", None)
        sorts = filters.sorts() if filters else {"id": "pk"}
        parameters = {"sort": request.query_params.get("sort", ""), "after": str(after or "")}
        page = keyset_page(queryset, parameters, sorts, size=limit)
        if after and page.previous is None and page.rows:
            raise ValidationError({"cursor": [gettext("This row is no longer in the list. Begin again.")]})
        self.next = None if page.next is None else str(page.next)
        return page.rows

    def limit_and_cursor(self, request: Request) -> tuple[int, int]:
        """How many rows, and the cursor. Raises ValidationError."""
        limit = _number(request.query_params, "limit", default=DEFAULT_LIMIT, low=1, high=MAX_LIMIT)
        return limit, _number(request.query_params, "cursor", default=0, low=0, high=LARGEST_ID)

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"items": data, "next": self.next})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": "object",
            "required": ["items", "next"],
            "properties": {
                "items": schema,
                "next": {"type": "string", "nullable": True, "description": "Cursor of the next page."},
            },
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        texts = {
            "limit": f"Rows per page, 1 to {MAX_LIMIT}; {DEFAULT_LIMIT} by default.",
            "cursor": "`next` of the previous page.",
        }
        kinds = {"limit": "integer", "cursor": "string"}
        return [
            {
                "name": name,
                "in": "query",
                "required": False,
                "description": text,
                "schema": {"type": kinds[name]},
            }
            for name, text in texts.items()
        ]


def _number(parameters: Mapping[str, str], name: str, *, default: int, low: int, high: int) -> int:
    """A parameter of paging. Raises ValidationError."""
    text = parameters.get(name, str(default))
    if not text.isascii() or not text.isdigit() or len(text) > 19 or not low <= int(text) <= high:
        raise ValidationError(
            {
                name: [
                    gettext("%(name)s must be a whole number from %(low)s to %(high)s.")
                    % {"name": name, "low": low, "high": high}
                ]
            }
        )
    return int(text)


class Endpoint(APIView):
    """Gives paged lists and refuses query parameters that it does not know."""

    pagination_class: type[BasePagination] | None = KeySetPagination

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        post = getattr(self, "post", None)
        if request.method == "POST" and post is not None and HEADER in request.headers:
            self.post = once(post)  # within what the framework checks before it calls a handler
        return super().dispatch(request, *args, **kwargs)

    @property
    def caller(self) -> User:
        """Who is logged in: the permission classes let nobody else in."""
        return cast(User, self.request.user)

    def paged(
        self, rows: QuerySet[Any] | list[Any], serializer: type[BaseSerializer[Any]], **context: Any
    ) -> Response:
        """A page of `rows`; refuse unknown parameters with `filters` before."""
        paginator = KeySetPagination()
        page = paginator.paginate_queryset(rows, self.request, self)
        context = {"request": self.request, **context}
        return paginator.get_paginated_response(serializer(page, many=True, context=context).data)

    def created(self, serializer: type[BaseSerializer[Any]], row: Any) -> Response:
        """What a request has made (201)."""
        return Response(serializer(row, context={"request": self.request}).data, status=201)

    def filters(self, serializer: type[StrictSerializer] = StrictSerializer) -> dict[str, Any]:
        """The query parameters apart from those of paging, checked. Raises ValidationError."""
        return checked_filters(self.request, serializer)

    def body(self, serializer: type[StrictSerializer], **options: Any) -> dict[str, Any]:
        """The request's body, checked. Raises ValidationError."""
        return checked(serializer, self.request.data, **options)


def checked_filters(
    request: Request, serializer: type[StrictSerializer] = StrictSerializer
) -> dict[str, Any]:
    """The query parameters of a request apart from those of paging, checked. Raises ValidationError."""
    sent, fields = request.query_params, serializer().fields
    given: dict[str, Any] = {
        name: sent.getlist(name) if isinstance(fields.get(name), ListField) else value
        for name, value in sent.items()
        if name not in PARAMETERS
    }
    refuse_unknown(given, fields, "filter")
    return checked(serializer, given, context={"texts": True})


def checked(serializer: type[StrictSerializer], data: Any, **options: Any) -> dict[str, Any]:
    bound = serializer(data=data, **options)
    bound.is_valid(raise_exception=True)
    fields: dict[str, Any] = bound.validated_data
    return fields


class ProjectEndpoint(Endpoint):
    """An endpoint below projects/{slug}/, or of none. `checks` has one for each method that there is."""

    checks: ClassVar[Mapping[str, Check]]
    project: Project = None  # type: ignore[assignment]  # where the address has a slug

    def initial(self, request: Request, *arguments: Any, **kwargs: Any) -> None:
        super().initial(request, *arguments, **kwargs)
        if "slug" in kwargs:
            self.project = visible_project(request.user, kwargs["slug"])
            request.project = self.project  # type: ignore[attr-defined]  # for filters by the project's objects
        run_check(self.checks, request, self.project)


class ObjectEndpoint(Endpoint):
    """An endpoint for one object with a number of its own, reached through its project.

    `project_path` leads from the object to its project, which is that of the address where it has a slug.
    """

    checks: ClassVar[Mapping[str, Check]]
    project_path: ClassVar[tuple[str, ...]] = ("project",)
    rows: ClassVar[QuerySet[Any]]
    project: Project
    object: Any

    def initial(self, request: Request, *arguments: Any, **kwargs: Any) -> None:
        super().initial(request, *arguments, **kwargs)
        path = "__".join(self.project_path)
        visible: dict[str, Any] = {f"{path}__in": Project.objects.visible_to(request.user)}
        if "slug" in kwargs:
            visible[f"{path}__slug"] = kwargs["slug"]
        row: Model | None = self.rows.all().filter(pk=kwargs["pk"], **visible).select_related(path).first()
        if row is None:
            raise Http404(gettext("There is no object with this number that you may see."))
        self.object = project = row
        for name in self.project_path:
            project = getattr(project, name)
        self.project = request.project = project  # type: ignore[assignment, attr-defined]  # what the path leads to
        run_check(self.checks, request, self.project)


class KnownFilters(DjangoFilterBackend):
    """The filters of a FilterSet; parameters that it does not have are refused by name."""

    def get_filterset(self, request: Request, queryset: QuerySet[Any], view: APIView) -> FilterSet:
        filters = self.get_filterset_class(view, queryset) or FilterSet
        given = [name for name in request.query_params if name not in PARAMETERS]
        refuse_unknown(given, filters.base_filters, "filter")
        return filters(request.query_params, queryset=queryset, request=request)


def run_check(checks: Mapping[str, Check], request: Request, project: Project) -> None:
    """A method without a check is one that the endpoint does not have: it is refused as such (405)."""
    check = checks.get("GET" if request.method == "HEAD" else str(request.method))
    if check is not None:
        check(request.user, project)


def route(address: str, view: type[APIView], name: str, **of: Any) -> URLPattern:
    """Where an endpoint is reached, and its name; of: attributes of the endpoint, such as its `resource`."""
    return path(address, view.as_view(**of), name=name)


class ResourceSchema(AutoSchema):
    """Says in the OpenAPI document what is listed or read."""

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular has it
        if self.method != "GET":
            return super().get_description()
        resource = cast("ResourceList | ResourceObject", self.view).resource
        if isinstance(self.view, PartsList):
            return str(self.view.serializer.__doc__)
        listed = isinstance(self.view, ResourceList)
        of = " of the project" if resource.project_path else ""
        which = f"The {resource.nouns}{of}." if listed else f"One {resource.noun}."
        return f"{which} {resource.about}".strip()


class ResourceList(ProjectEndpoint, ListAPIView[Any]):
    """The rows of `resource` that the caller may see, by its filters and in its orders. A subclass that
    takes a POST is for managers."""

    resource: Resource = None  # type: ignore[assignment]  # given by the route or the subclass
    schema = ResourceSchema()
    filter_backends = (KnownFilters,)

    @property
    def checks(self) -> Mapping[str, Check]:  # type: ignore[override]  # of the resource
        posts = {"POST": check_manage} if hasattr(self, "post") else {}
        return {"GET": self.resource.check, **posts}

    @property
    def filterset_class(self) -> Any:
        return self.resource.filters

    @property
    def queryset(self) -> QuerySet[Any]:  # type: ignore[override]  # for the OpenAPI document
        return self.resource.objects.none()

    def get_queryset(self) -> QuerySet[Any]:
        return self.resource.rows(self.caller, self.project)

    def get_serializer_class(self) -> Any:
        return self.resource.serializer


class ResourceObject(ObjectEndpoint, GenericAPIView[Any]):
    """One object of `resource`."""

    resource: Resource = None  # type: ignore[assignment]  # given by the route or the subclass
    schema = ResourceSchema()

    @property
    def checks(self) -> Mapping[str, Check]:  # type: ignore[override]  # of the resource
        return dict.fromkeys(("POST", "PATCH", "DELETE"), check_manage) | {"GET": self.resource.check}

    @property
    def rows(self) -> QuerySet[Any]:  # type: ignore[override]  # of the resource
        return self.resource.objects

    queryset = rows

    @property
    def project_path(self) -> tuple[str, ...]:  # type: ignore[override]  # of the resource
        return self.resource.project_path

    def get_serializer_class(self) -> Any:
        return self.resource.detail or self.resource.serializer

    def get(self, request: Request, *arguments: Any, **kwargs: Any) -> Response:
        self.filters()
        return Response(self.get_serializer(self.object).data)


class PartsList(ResourceObject, ListAPIView[Any]):
    """The rows that an object consists of: `parts` of it, as `serializer` shows them."""

    parts: Callable[[Any], QuerySet[Any]] = None  # type: ignore[assignment]  # given by the route
    serializer: Any = None

    def get_serializer_class(self) -> Any:
        return self.serializer

    def get(self, request: Request, *arguments: Any, **kwargs: Any) -> Response:
        self.filters()
        return self.paged(self.parts(self.object), self.serializer)


class ResourceAction(ResourceObject):
    """An action of `resource` with one object; lists have the same with several."""

    action = ""

    http_method_names = ["post", "options"]

    @extend_schema(request=None)
    def post(self, request: Request, *arguments: Any, **kwargs: Any) -> Response:
        """Do it with this object; 400 says why it cannot be done."""
        action = self.resource.action(self.action)
        outcome = action.act([self.object], self.caller) if action else Outcome()
        for _, reason in outcome.refused:
            raise PublicError(reason)
        return Response(self.get_serializer(*outcome.done).data)
