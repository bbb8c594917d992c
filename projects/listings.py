"""Resources: what can be listed, read, filtered and deleted, each declared once for page, CSV and API.

`settings.RESOURCES` names those with actions by dotted path. A page shows one with
`projects.views.lists.table_of`, the API with `projects.api.endpoint.ResourceList` and `ResourceObject`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.http import QueryDict
from django.utils.formats import number_format
from django.utils.http import urlencode
from django.utils.module_loading import import_string
from django.utils.translation import gettext_noop as _, ngettext, ngettext_lazy
from django_filters import CharFilter, ChoiceFilter, Filter, FilterSet, ModelChoiceFilter, NumberFilter
from drf_spectacular.drainage import set_override

from projects.columns import Column
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_read_corpus

# More rows than this are not counted while somebody waits.
MAX_COUNTED = 10_000
MAX_CHOSEN = 500
# An action on more rows than these is a job (`settings.LIST_ACTION_JOB`).
CHANGED_AT_ONCE = 2_000
# What is counted, for the catalogs of translations.
_NOUNS = (
    ngettext_lazy("article", "articles"), ngettext_lazy("batch", "batches"),
    ngettext_lazy("classifier", "classifiers"), ngettext_lazy("cluster", "clusters"),
    ngettext_lazy("dataset", "datasets"), ngettext_lazy("day", "days"),
    ngettext_lazy("disagreement", "disagreements"), ngettext_lazy("disputed cluster", "disputed clusters"),
    ngettext_lazy("disputed linked pair", "disputed linked pairs"),
    ngettext_lazy("disputed pair", "disputed pairs"), ngettext_lazy("entry", "entries"),
    ngettext_lazy("experiment", "experiments"), ngettext_lazy("export", "exports"),
    ngettext_lazy("extraction", "extractions"), ngettext_lazy("gold set", "gold sets"),
    ngettext_lazy("import", "imports"), ngettext_lazy("imported pair", "imported pairs"),
    ngettext_lazy("item", "items"), ngettext_lazy("job", "jobs"), ngettext_lazy("lexicon", "lexicons"),
    ngettext_lazy("link", "links"), ngettext_lazy("member", "members"),
    ngettext_lazy("model that answered a batch", "models that answered a batch"),
    ngettext_lazy("open item", "open items"), ngettext_lazy("pair", "pairs"),
    ngettext_lazy("project", "projects"), ngettext_lazy("run of a classifier", "runs of classifiers"),
    ngettext_lazy("run of a trained aligner", "runs of trained aligners"),
    ngettext_lazy("score of an aligner", "scores of aligners"), ngettext_lazy("sentence", "sentences"),
    ngettext_lazy("set of gold links", "sets of gold links"), ngettext_lazy("token", "tokens"),
    ngettext_lazy("trained aligner", "trained aligners"), ngettext_lazy("training", "trainings"),
)  # fmt: skip


def grouped(count: int) -> str:
    """A number as pages show it: "1,234"."""
    return number_format(count, force_grouping=True)


def many(count: int, noun: str, plural: str = "") -> str:
    """A number with its noun: "1 pair", "1,234 pairs"; `plural` is of a noun that takes no s."""
    return f"{grouped(count)} {ngettext(noun, plural or f'{noun}s', count)}"


def row_id(text: str) -> int | None:
    """The id of a row in an address or a form, None for any other text."""
    return int(text) if re.fullmatch(r"[0-9]{1,18}", text, re.ASCII) else None


class SortFilter(ChoiceFilter):
    """The order of a list; key-set paging applies it. sorts: name in the address -> field or annotation."""

    def __init__(self, sorts: Mapping[str, str]) -> None:
        self.sorts = sorts
        names = [name for sort in sorts for name in (sort, f"-{sort}")]
        super().__init__(
            choices=[(name, name) for name in names],
            widget=forms.HiddenInput,
            help_text="The order; a hyphen before the name reverses it.",
        )

    def filter(self, qs: QuerySet[Any], value: str) -> QuerySet[Any]:
        return qs


def _documented(field: Filter, *, label: str, help_text: str = "", **rest: Any) -> None:
    """A whole number in the OpenAPI document."""
    set_override(field, "field", {"type": "integer", "minimum": 0, "description": help_text or f"{label}."})


class TextFilter(CharFilter):
    def __init__(self, **options: Any) -> None:
        super().__init__(
            max_length=200, widget=forms.TextInput(attrs={"type": "search", "size": 16}), **options
        )


class WholeNumberFilter(NumberFilter):
    field_class = forms.IntegerField

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=0, max_value=2**31 - 1, **options)
        _documented(self, **options)

    def get_max_validator(self) -> None:
        return None


class ObjectFilter(ModelChoiceFilter):
    """One of the project's objects; archived ones are not offered, but heeded where the address names one."""

    def __init__(self, model: type[Model], name: str, **options: Any) -> None:
        super().__init__(queryset=model._default_manager.none(), **options)
        self.of, self.name = model, name
        _documented(self, **options)

    def get_queryset(self, request: Any) -> QuerySet[Any]:
        if request is None:  # for the OpenAPI document
            return self.of._default_manager.none()
        chosen = row_id(self.parent.data.get(self.name, ""))
        rows = self.of._default_manager.filter(project=request.project)
        return rows.filter(Q(archived_at=None) | Q(pk=chosen))


class ArchivedFilter(ChoiceFilter):
    """Rows that are not archived; with `true` those that are; with `all` both."""

    def __init__(self) -> None:
        choices = [(name, name) for name in ("false", "true", "all")]
        super().__init__(label=_("Archived"), choices=choices, widget=forms.HiddenInput)
        set_override(
            self,
            "field",
            {
                "type": "string",
                "enum": ["false", "true", "all"],
                "default": "false",
                "description": "Archived objects: `false` leaves them out, `true` lists only them, "
                "`all` both.",
            },
        )

    def filter(self, qs: QuerySet[Any], value: str) -> QuerySet[Any]:
        if value == "all":
            return qs
        return qs.exclude(archived_at=None) if value == "true" else qs.filter(archived_at=None)


class ListFilters(FilterSet):
    """The filters of a long list. On a page an invalid one filters nothing and says so, in the API it is
    refused."""

    sort = SortFilter({"id": "pk"})
    # What says which list is shown rather than narrows it.
    not_narrowing: ClassVar[Collection[str]] = ("sort",)

    @classmethod
    def sorts(cls) -> Mapping[str, str]:
        sorts: Mapping[str, str] = cls.base_filters["sort"].sorts
        return sorts

    @property
    def chosen(self) -> dict[str, Any]:
        """What says which rows there are."""
        self.form.is_valid()
        cleaned = self.form.cleaned_data.items()
        return {name: value for name, value in cleaned if name != "sort" and value not in (None, "")}

    @property
    def given(self) -> dict[str, Any]:
        """What narrows the list."""
        return {name: value for name, value in self.chosen.items() if name not in self.not_narrowing}

    @property
    def query(self) -> str:
        """All of the address that says which rows there are, so everything but order and place."""
        names = [name for name in self.form.fields if name != "sort" and self.data.get(name)]
        return urlencode({name: self.data[name] for name in names})

    @property
    def in_words(self) -> list[tuple[str, str]]:
        """What says which rows there are: label of the filter and what was chosen."""
        return [(str(self.form.fields[name].label), self._said(name)) for name in self.chosen]

    def _said(self, name: str) -> str:
        field, value = self.form.fields[name], self.chosen[name]
        choices: Iterable[Any] = getattr(field.widget, "choices", ()) or getattr(field, "choices", ())
        chosen = {str(choice): str(label) for choice, label in choices}
        return chosen.get(str(value), str(value))


class NamedFilters(ListFilters):
    """Of things that have a name and can be archived."""

    q = TextFilter(label=_("Name"), field_name="name", lookup_expr="icontains")
    archived = ArchivedFilter()
    sort = SortFilter({"id": "pk", "name": "name"})
    not_narrowing: ClassVar[Collection[str]] = ("sort", "archived")


class ArchivedFilters(ListFilters):
    """Of things that can be archived."""

    archived = ArchivedFilter()
    not_narrowing: ClassVar[Collection[str]] = ("sort", "archived")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an action did: the rows it changed, and those that it did not, each with the reason."""

    done: list[Any] = field(default_factory=list)
    refused: list[tuple[Any, str]] = field(default_factory=list)


def each(change: Callable[..., Any]) -> Callable[..., Outcome]:
    """An action that calls `change(row, by, **fields)` for one row after the other."""

    def act(rows: Iterable[Any], by: User, **fields: Any) -> Outcome:
        outcome = Outcome()
        for row in rows:
            try:
                with transaction.atomic():
                    change(row, by, **fields)
            except PublicError as error:
                outcome.refused.append((row, str(error)))
            else:
                outcome.done.append(row)
        return outcome

    return act


class ActionForm(forms.Form):
    """What an action asks for beside the rows."""

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.project = project


@dataclass(frozen=True, slots=True)
class Action:
    """What can be done with several rows at once.

    label: of its button; done: what happened, after "3 batches". act: takes the rows, who asks, and what
    `form` has as fields. destroys: it is asked for confirmation first.
    """

    name: str
    label: str
    done: str
    act: Callable[..., Outcome]
    form: type[ActionForm] | None = None
    destroys: bool = False


@dataclass(frozen=True, slots=True)
class ListPage:
    """The words of the page of a list that needs nothing else (`projects.views.lists.list_view`).

    above: address and label of the page above it, None for an entry of the navigation. empty: heading and
    text where there is nothing to list. begin: the button that makes something to list, its label and its
    address, of an operation with its kind.
    """

    title: str
    lede: str
    above: tuple[str, str] | None
    empty: tuple[str, str]
    begin: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Resource:
    """One kind of thing that is listed.

    name: in addresses. objects: its rows, of whatever project; `project_path` leads from one to its project,
    none for those of the installation or of an account. visible: those that a user may see, where that is
    less. check: who may list and read them. columns: of its page; page: its words, where it has no template.
    serializer: a row in the API, and in the CSV file; detail: the answer for one, where that is more. order:
    of the page without one in the address. actions: what managers can do with several. about: what the API's
    description says of it. head, cells: of its CSV file, where that has lines of its own.
    """

    name: str
    noun: str
    objects: QuerySet[Any]
    filters: type[ListFilters]
    check: Callable[[Any, Project], None] = check_read_corpus
    columns: Sequence[Column] = ()
    serializer: Any = None
    detail: Any = None
    visible: Callable[[Any, Any], QuerySet[Any]] | None = None
    project_path: tuple[str, ...] = ("project",)
    order: str = ""
    actions: Sequence[Action] = ()
    plural: str = ""
    about: str = ""
    page: ListPage | None = None
    head: Sequence[str] = ()
    cells: Callable[[Any, list[Any]], Iterable[Sequence[Any]]] | None = None

    def rows(self, user: Any, project: Any) -> QuerySet[Any]:
        if self.visible is not None:
            return self.visible(user, project)
        path = "__".join(self.project_path)
        return self.objects.filter(**{path: project}) if path else self.objects.all()

    @property
    def nouns(self) -> str:
        return self.plural or f"{self.noun}s"

    def many(self, count: int) -> str:
        return many(count, self.noun, self.plural)

    def action(self, name: str) -> Action | None:
        return next((action for action in self.actions if action.name == name), None)

    def matching(self, request: Any, project: Project, query: str) -> ListFilters:
        """The filters with what an address asks for, of rows that the user of the request may see."""
        rows = self.rows(request.user, project)
        return self.filters(QueryDict(query), queryset=rows, request=request)

    def chosen(self, user: Any, project: Project, ids: Iterable[int]) -> list[Any]:
        """The rows of these ids that the user may see, in the order of their ids."""
        return list(self.rows(user, project).filter(pk__in=list(ids)[:CHANGED_AT_ONCE]).order_by("pk"))


@cache
def resources() -> dict[str, Resource]:
    """All resources with actions by name."""
    imported = [import_string(path) for path in settings.RESOURCES]
    return {resource.name: resource for resource in imported}
