"""What people launch in a project: declared once; page, command and endpoint are made from it.

The operations of an app are in its `operations.py`, all of them in `config/operations.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils.module_loading import import_string
from django.utils.translation import gettext_noop as _

from jobs.models import Job
from jobs.services.launch_cost import LaunchCost
from paragold.spec import Parameter, Spec, param
from projects.models import Project

if TYPE_CHECKING:
    from django.http import HttpRequest

    from jobs.launch_form import LaunchForm


class Named(Spec):
    """The name of what an operation makes."""

    name: str = param("", "Name", "Empty: one is made of the choices.", max_length=80)


class Confirmed(Named):
    confirmed: bool = param(False, "Confirm launch", "Launch even if very many pairs are expected.")


@dataclass(frozen=True, slots=True)
class Rows:
    """A choice among rows of the project, one or (`many`) several.

    name: of the argument of the service; offered: the rows of a project that may be chosen, of which the page
    shows those that are not archived.
    key: the field by which commands and programs name a row; the number where there is none.
    label, none, called: on the page, the label of the field, the words for no row, and what a row is called.
    preselected: the row, or rows, that the page begins with.
    """

    name: str
    help: str
    offered: Callable[[Project], QuerySet[Any]]
    many: bool = False
    required: bool = False
    key: str = ""
    label: Any = ""
    none: str = _("None")
    called: Callable[[Any], str] = str
    preselected: Callable[[Project], Any] = lambda project: None


@dataclass(frozen=True, slots=True)
class Missing:
    """What has to be made before anything can be launched; address: the name of the page that makes it."""

    heading: str
    text: str
    address: str
    button: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchPage:
    """The page of an operation.

    title, about: heading and the sentence below it. button: the word on it. launched: the message, with what
    was made in place of {}, or a function of what was made. back: the address that the page is below, and the
    words for it.
    order, folded: names of fields, those that come first, and those that are shown on request.
    missing: what there has to be before, None where it is there.
    form: a subclass fits the fields to a project. template: one that extends jobs/launch.html, where the page
    shows more; context: what it needs beside the form. preview: the word on a second button, which shows the
    page again with what the choices would give, `form.previews`.
    """

    title: str
    button: str
    launched: str | Callable[[Any], str]
    back: tuple[str, str]
    manual: str
    about: str = ""
    order: tuple[str, ...] = ()
    folded: tuple[str, ...] = ()
    folded_under: str = _("More choices")
    missing: Callable[[Project], Missing | None] = lambda project: None
    form: type[LaunchForm] | None = None
    template: str = "jobs/launch.html"
    context: Callable[[HttpRequest, LaunchForm], Mapping[str, Any]] = lambda request, form: {}
    preview: str = ""


def no_cost(**arguments: Any) -> LaunchCost | None:
    """Nothing is known of how long it takes."""
    return None


@dataclass(frozen=True, slots=True)
class Operation:
    """Something that managers launch in a project.

    kind: in addresses and commands. help: what it does, in a sentence. launch: the service, which is called
    with `project`, `by`, the chosen rows and the values of `options` by their names, those of `spec` as one
    object of it, called `spec`, and `settings`; it returns what it made, or its job; see `job_of`.
    settings: what people read of `settings`, a mapping that the service checks; "" where there is none.
    leave_out: parameters of `spec` that the service knows by itself.
    cost: what a launch with these arguments processes, and how long it takes; takes what `launch` does.
    """

    kind: str
    help: str
    launch: Callable[..., Any]
    rows: tuple[Rows, ...] = ()
    options: type[Spec] = Named
    spec: type[Spec] | None = None
    leave_out: Collection[str] = ()
    settings: str = ""
    cost: Callable[..., LaunchCost | None] = no_cost
    page: LaunchPage | None = None

    def parameters(self) -> list[Parameter]:
        """The values that are asked for, beside rows and settings."""
        of_spec = self.spec.parameters() if self.spec else ()
        shown = (parameter for parameter in of_spec if parameter.name not in self.leave_out)
        return [*shown, *self.options.parameters()]

    def arguments(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values of the parameters as the service takes them; what is left out has its default.

        Raises SpecError for what is not allowed.
        """
        own = {parameter.name for parameter in self.options.parameters()}
        options = self.options(**{name: value for name, value in values.items() if name in own})
        if self.spec is None:
            return dict(options)
        return {
            **dict(options),
            "spec": self.spec(**{name: value for name, value in values.items() if name not in own}),
        }


def job_of(made: Any) -> Job | None:
    """The job that works on what an operation made, None where there is nothing left to do."""
    job: Job | None = made if isinstance(made, Job) else getattr(made, "job", None)
    return job


def operations() -> dict[str, Operation]:
    """All operations by kind."""
    known: dict[str, Operation] = import_string(settings.OPERATIONS)
    return known
