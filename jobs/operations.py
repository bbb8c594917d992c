"""What people launch in a project: each operation is declared once; command and endpoint are made from it.

The operations of an app are in its `operations.py`, all of them in `config/operations.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from paragold.spec import Parameter, Spec, param
from projects.models import Project


class Named(Spec):
    """The name of what an operation makes."""

    name: str = param("", "Name", "Empty: one is made of the choices.", max_length=80)


class Confirmed(Named):
    confirmed: bool = param(False, "Confirm launch", "Launch even if very many pairs are expected.")


@dataclass(frozen=True, slots=True)
class Rows:
    """A choice among rows of the project, one or (`many`) several.

    name: of the argument of the service; offered: the rows of a project that may be chosen.
    """

    name: str
    help: str
    offered: Callable[[Project], QuerySet[Any]]
    many: bool = False
    required: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    """Something that managers launch in a project.

    kind: in addresses and commands. help: what it does, in a sentence. launch: the service, which is called
    with `project`, `by`, the chosen rows and the values of `options` by their names, those of `spec` as one
    object of it, called `spec`, and `settings`; it returns what it made, whose `job` does the work.
    settings: what people read of `settings`, a mapping that the service checks; "" where there is none.
    leave_out: parameters of `spec` that the service knows by itself.
    """

    kind: str
    help: str
    launch: Callable[..., Any]
    rows: tuple[Rows, ...] = ()
    options: type[Spec] = Named
    spec: type[Spec] | None = None
    leave_out: Collection[str] = ()
    settings: str = ""

    def parameters(self) -> list[Parameter]:
        """The values that are asked for, beside rows and settings."""
        of_spec = self.spec.parameters() if self.spec else ()
        return [*self.options.parameters(), *(one for one in of_spec if one.name not in self.leave_out)]

    def arguments(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values of the parameters as the service takes them; what is left out has its default.

        Raises SpecError for what is not allowed.
        """
        own = {one.name for one in self.options.parameters()}
        options = self.options(**{name: value for name, value in values.items() if name in own})
        if self.spec is None:
            return dict(options)
        return {
            **dict(options),
            "spec": self.spec(**{n: value for n, value in values.items() if n not in own}),
        }


def operations() -> dict[str, Operation]:
    """All operations by kind."""
    known: dict[str, Operation] = import_string(settings.OPERATIONS)
    return known
