"""The form of an operation: a field for each choice of rows and for each parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.http import QueryDict
from django.utils.translation import gettext, gettext_noop as _

from jobs.operations import Operation, Rows
from jobs.services.launch_cost import CONFIRM_SECONDS, LaunchCost, duration_words
from paragold.spec import SpecError
from projects.forms.spec_form import form_field
from projects.models import Project

CONFIRMED_TIME = "confirmed_time"
NOTHING_ASKED = QueryDict()


def check_confirmed(
    form: forms.Form, work: str, seconds: float, field: str = "confirmed", further: str = ""
) -> None:
    """Ask once more, by a box that the form shows from now on, before launching what takes very long.

    work: what is launched, the subject of the message; field: the box, another one where the form has a
    "confirmed" for something else; further: what else there is to do.
    """
    if seconds <= CONFIRM_SECONDS:
        return
    form.fields[field] = forms.BooleanField(label=_("Confirm launch"), required=False)
    if form.data.get(field):
        return
    message = gettext("%(work)s takes %(duration)s. Choose less, or confirm the launch.")
    message %= {"work": work, "duration": duration_words(seconds)}
    form.add_error(field, f"{message} {further}".strip())


class RowsField(forms.ModelChoiceField):
    """One row, called as its choice says."""

    def __init__(self, rows: Rows, queryset: QuerySet[Any], **options: Any) -> None:
        super().__init__(
            queryset,
            required=rows.required,
            label=rows.label or None,
            help_text=rows.help,
            to_field_name=rows.key or None,
            **options,
        )
        self.called = rows.called

    def label_from_instance(self, obj: Model) -> str:
        return self.called(obj)


class SeveralRowsField(RowsField, forms.ModelMultipleChoiceField):
    widget = forms.CheckboxSelectMultiple


def rows_field(rows: Rows, project: Project) -> forms.Field | None:
    """The field of a choice among rows; None for one that may be left out where there is no row."""
    offered = rows.offered(project)
    if any(field.name == "archived_at" for field in offered.model._meta.fields):
        offered = offered.filter(archived_at=None)
    if not rows.required and not offered.exists():
        return None
    initial = rows.preselected(project)
    if rows.many:
        return SeveralRowsField(rows, offered, initial=initial)
    return RowsField(rows, offered, initial=initial, empty_label=None if rows.required else rows.none)


class LaunchForm(forms.Form):
    """The choices of an operation; `arguments` is there once the form is valid, as the service takes them.

    `asked` is what the address says that it begins with, `by` who looks at it. A subclass fits the fields to
    a project in `fit`. `installable`: names of what could be chosen as well, each with what installs it.
    `notice`, `note`: what the page says above the form, and below its buttons.
    """

    arguments: dict[str, Any]
    installable: Sequence[tuple[str, str]] = ()
    notice: str = ""
    note: str = ""

    def __init__(
        self,
        *args: Any,
        operation: Operation,
        project: Project,
        asked: QueryDict = NOTHING_ASKED,
        by: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **({"label_suffix": ""} | kwargs))
        assert operation.page is not None  # noqa: S101 - tells the type checker: others have no form
        self.operation, self.project, self.page = operation, project, operation.page
        self.asked, self.by = asked, by
        for rows in operation.rows:
            if field := rows_field(rows, project):
                self.fields[rows.name] = field
        for parameter in operation.parameters():
            self.fields[parameter.name] = form_field(parameter)
        self.fit()
        self.order_fields([*self.page.order])

    def fit(self) -> None:
        """Set what differs in this project: choices, initial values, fields without effect."""

    @property
    def previews(self) -> bool:
        """Whether the choices are shown rather than launched."""
        return "preview" in self.data

    @property
    def shown(self) -> list[forms.BoundField]:
        """The fields above the folded ones; a confirmation is asked for when it is needed."""
        return [
            field
            for field in self
            if field.name not in self.page.folded and (field.name != "confirmed" or field.errors)
        ]

    @property
    def more(self) -> list[forms.BoundField]:
        return [field for field in self if field.name in self.page.folded]

    @property
    def opened(self) -> bool:
        """Whether the folded fields are shown: one has an error, or begins with what the address names."""
        return any(field.errors or field.name in self.initial for field in self.more)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        try:
            self.arguments = self.arguments_of(cleaned)
        except SpecError as error:
            for name, message in error.problems:
                self.add_error(name if name in self.fields else None, message)
        if not self.errors and not self.previews and (cost := self._cost_of(self.arguments)):
            check_confirmed(
                self,
                gettext("This launch (%(processes)s)") % {"processes": cost.processes},
                cost.seconds,
                CONFIRMED_TIME,
                self.again(),
            )
        return cleaned

    def again(self) -> str:
        """What there is to do again when a launch is confirmed, in a sentence."""
        return ""

    def arguments_of(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of the service apart from project and person. Raises SpecError."""
        rows = {
            choice.name: list(values.get(choice.name) or ()) if choice.many else values.get(choice.name)
            for choice in self.operation.rows
        }
        names = [parameter.name for parameter in self.operation.parameters()]
        given = {name: values[name] for name in names if values.get(name) not in (None, "")}
        return self.operation.arguments(given) | rows

    def launch(self, by: User) -> Any:
        """Launch the operation; what it made. Only of a valid form."""
        return self.operation.launch(project=self.project, by=by, **self.arguments)

    def chosen(self, name: str) -> Any:
        """The row that was sent, or that the form begins with; None for none."""
        if self.is_bound:
            return self.cleaned_data.get(name) if self.is_valid() or name in self.cleaned_data else None
        return self._begins_with(name)

    @property
    def cost(self) -> LaunchCost | None:
        """That of what was sent, or of what the form begins with; None where it cannot be launched."""
        if self.is_bound:
            ready = not set(self.errors) - {"confirmed", CONFIRMED_TIME}
            return self._cost_of(self.arguments) if ready else None
        try:
            return self._cost_of(self.arguments_of({name: self._begins_with(name) for name in self.fields}))
        except SpecError:
            return None

    def _begins_with(self, name: str) -> Any:
        field = self.fields[name]
        try:
            return field.clean(field.prepare_value(self.get_initial_for_field(field, name)))
        except forms.ValidationError:
            return None

    def _cost_of(self, arguments: Mapping[str, Any]) -> LaunchCost | None:
        needed = [rows.name for rows in self.operation.rows if rows.required]
        if any(arguments[name] is None for name in needed):
            return None
        return self.operation.cost(project=self.project, **arguments)
