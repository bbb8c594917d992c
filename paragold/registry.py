"""A table of the things of one kind that can be chosen by id: link formats, aligners, importers and so on.

Each kind is registered in one visible table:

    LINK_FORMATS = Registry("link format", LinkFormat, [PHARAOH, NAACL], entry_points="paragold.link_formats")

Plug-ins, which are other distributions, add to it by a Python entry point of the named group that leads to
such an object (docs/plugins.md).
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass, replace
from importlib.metadata import EntryPoint, entry_points as installed_entry_points
from threading import RLock
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError

from paragold.problems import FileProblem, shortened

if TYPE_CHECKING:
    from paragold.spec import Parameter, Spec

logger = logging.getLogger(__name__)


class Registered(Protocol):
    """An item of a registry: an id, which is stored and typed, and a label, which people read."""

    @property
    def id(self) -> str: ...

    @property
    def label(self) -> str: ...


Item = TypeVar("Item", bound=Registered)


class NotRegisteredError(ValueError):
    """An id that a registry does not hold; the message lists those that it holds."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """One entry point of another distribution: what it adds to a registry, or why it cannot be used.

    group, name, value: the entry point. kind: what it adds, such as "link format". distribution, version: of
    the package that it is in. id, label: of what was added; "" where it cannot be used. error, remedy: why it
    cannot be used and what to do; "" where it can.
    """

    group: str
    name: str
    value: str
    kind: str
    distribution: str
    version: str
    id: str = ""
    label: str = ""
    error: str = ""
    remedy: str = ""

    @property
    def package(self) -> str:
        """The outermost package, or the module, that the entry point leads to."""
        return re.split("[.:]", self.value)[0].strip()

    @property
    def signature(self) -> str:
        """The part of the signatures of its results that names the plug-in."""
        return f"plugin:{self.distribution} {self.version}"

    def failure(self, what: str) -> str:
        """The message for a plug-in that fails."""
        return (
            f"The plug-in {self.distribution} {self.version} failed: {what.rstrip('.')}. "
            "Report this to its authors, or choose something else."
        )


class UnusableError(ValueError):
    """Why what an entry point leads to cannot be registered, and what its authors can do."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.remedy = remedy


def check_endings(endings: Collection[str], taken: Collection[str]) -> None:
    """Raises UnusableError for a format without an ending of its files, or with one that is taken."""
    again = sorted({ending.lower() for ending in endings} & {ending.lower() for ending in taken})
    if again or not endings:
        message = f"The ending {again[0]} of its files is taken." if again else "Its files have no ending."
        raise UnusableError(message, "Give them an ending of their own.")


class PluginError(ValueError):
    """A plug-in failed, or gave what it must not give; the message names it and its version."""


_usable: list[Plugin] = []
"""The usable plug-ins of all registries that were read."""


def plugin_failure(error: BaseException | None) -> str:
    """A sentence that names the plug-in in whose code an error was raised; "" for any other error.

    What is wrong with a file or a parameter is no failure of the plug-in that says so.
    """
    from paragold.spec import SpecError

    if isinstance(error, PluginError):
        return str(error)
    if not _usable or error is None or isinstance(error, FileProblem | SpecError):
        return ""
    modules = [frame.f_globals.get("__name__", "") for frame, _ in walk_tb(error.__traceback__)]
    packages = {name.split(".")[0] for name in modules} - {"paragold"}
    plugin = next((one for one in _usable if one.package in packages), None)
    return plugin.failure(_in_words(error)) if plugin else ""


@contextmanager
def plugin_failures() -> Iterator[None]:
    """Errors of the code of plug-ins become PluginErrors, which keep the plug-in's name between processes."""
    try:
        yield
    except Exception as error:
        if message := plugin_failure(error):
            raise PluginError(message) from error
        raise


_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_LONGEST_ERROR = 300


class Registry(Generic[Item]):
    """The items of one kind in the order of their registration, those of entry points last, by name.

    Entry points are read at the first use of the registry, not at its import. One that cannot be used is
    logged and listed by `plugins` with its error; all other items can still be used.

    Parameters
    ----------
    noun : str
        What one item is called in messages, such as "link format".
    kind : type
        The class of the items; an entry point that leads to anything else is a failure.
    items : iterable
        The items that come with Paragold.
    entry_points : str, optional
        The group of entry points that is read.
    reserved : collection of str
        Names that no parameter of a plug-in may have.
    check : callable, optional
        Raises UnusableError for an object of the right type that cannot be used as a plug-in all the same.

    Raises
    ------
    ValueError
        Two items have the same id.
    """

    def __init__(
        self,
        noun: str,
        kind: type[Item],
        items: Iterable[Item],
        *,
        entry_points: str | None = None,
        reserved: Collection[str] = (),
        check: Callable[[Item], None] | None = None,
    ) -> None:
        self.noun = noun
        self.group = entry_points
        self._kind = kind
        self._reserved = reserved
        self._further_check = check
        self._items: dict[str, Item] = {}
        self._plugins: list[Plugin] = []
        self._unread_group = entry_points
        # A module that an entry point leads to may use the registry while it is imported.
        self._lock = RLock()
        for item in items:
            self._add(item)

    def get(self, id: str) -> Item:
        """The item with that id. Raises NotRegisteredError, which lists the ids, when there is none."""
        items = self._all()
        if id not in items:
            shown = id if len(id) <= 40 else id[:40] + "..."
            raise NotRegisteredError(f"There is no {self.noun} {shown!r}. Available: {', '.join(items)}.")
        return items[id]

    def ids(self) -> tuple[str, ...]:
        return tuple(self._all())

    def choices(self) -> list[tuple[str, str]]:
        """Id and label of each item, as forms and serializers take them."""
        return [(item.id, item.label) for item in self]

    def plugins(self) -> tuple[Plugin, ...]:
        """The entry points of other distributions, by name, also those that cannot be used."""
        self._all()
        return tuple(self._plugins)

    def plugin(self, id: str) -> Plugin | None:
        """The plug-in of the item with that id; None for those that come with Paragold."""
        return next((one for one in self.plugins() if one.id == id), None)

    def signed(self, id: str, signature: str) -> str:
        """A signature of the item's results with name and version of the plug-in that the item is from."""
        plugin = self.plugin(id)
        return f"{signature}|{plugin.signature}" if plugin else signature

    def wrong_result(self, id: str, result: str) -> PluginError:
        """The error for a result of the item with that id that is not allowed."""
        plugin = self.plugin(id)
        what = f"the {self.noun} {id} gave {result}"
        return PluginError(plugin.failure(what) if plugin else f"{what}.")

    def __iter__(self) -> Iterator[Item]:
        return iter(self._all().values())

    def __contains__(self, id: object) -> bool:
        return id in self._all()

    def __len__(self) -> int:
        return len(self._all())

    def __deepcopy__(self, memo: object) -> Registry[Item]:
        """A registry is shared, never copied; forms copy their fields, which may take its choices."""
        return self

    def _add(self, item: Item) -> None:
        if item.id in self._items:
            raise ValueError(f"Two {self.noun}s have the id {item.id!r}.")
        self._items[item.id] = item

    def _all(self) -> dict[str, Item]:
        with self._lock:
            if self._unread_group is not None:
                group, self._unread_group = self._unread_group, None
                self._read_entry_points(group)
        return self._items

    def _read_entry_points(self, group: str) -> None:
        for entry in sorted(installed_entry_points(group=group), key=lambda one: (one.name, one.value)):
            plugin = Plugin(
                group,
                entry.name,
                entry.value,
                self.noun,
                entry.dist.name if entry.dist else "unknown",
                entry.dist.version if entry.dist else "",
            )
            try:
                item = self._loaded(entry)
                self._add(item)
                self._plugins.append(replace(plugin, id=item.id, label=item.label))
                _usable.append(self._plugins[-1])
            except (Exception, SystemExit) as error:  # the code of others; the rest must remain usable
                message, remedy = _explained(error, plugin)
                self._plugins.append(replace(plugin, error=message, remedy=remedy))
                logger.warning(
                    "The %s %s of %s cannot be used: %s", self.noun, entry.name, entry.value, message
                )

    def _loaded(self, entry: EntryPoint) -> Item:
        """The object of an entry point. Raises UnusableError, and any error of its code."""
        item = entry.load()
        name = f"{self._kind.__module__}.{self._kind.__qualname__}"
        if isinstance(item, type):
            raise UnusableError(
                f"{entry.value} is a class.", f"Make an object of {name}, and name that in the entry point."
            )
        if not isinstance(item, self._kind):
            raise UnusableError(
                f"{entry.value} is of type {type(item).__name__}.", f"It must be an object of {name}."
            )
        _check_fields(item, self._kind)
        id: object = item.id
        if not isinstance(id, str) or not _ID.fullmatch(id):
            raise UnusableError(
                f"The id {id!r} is not allowed.",
                "Use 1 to 40 lower-case letters, digits, - and _; begin with a letter or digit.",
            )
        if item.id in self._items:
            raise UnusableError(f"The id {item.id!r} is taken.", f"Give the {self.noun} another id.")
        if not item.label:
            raise UnusableError("It has no label.", "Give it a label: one line of text that people read.")
        if (declared := getattr(item, "parameters", None)) is not None:
            self._check_parameters(declared)
        if self._further_check:
            self._further_check(item)
        return item

    def _check_parameters(self, declared: object) -> None:
        """Raises UnusableError for parameters that forms, commands and the API cannot show."""
        from paragold.spec import Spec

        if not isinstance(declared, type) or not issubclass(declared, Spec):
            raise UnusableError("`parameters` is not a subclass of paragold.spec.Spec.", "Make it one.")
        try:
            parameters = declared.parameters()
            declared(**{one.name: one.default for one in parameters})
        except Exception as error:
            raise UnusableError(
                f"The parameters are declared wrongly: {error}", "Declare each with `paragold.spec.param`."
            ) from error
        known = {one.name: one.kind for item in self._items.values() for one in _parameters_of(item)}
        for parameter in parameters:
            name, kind = parameter.name, parameter.kind
            if name in self._reserved or known.get(name, kind) != kind:
                of = f"another parameter, a {known[name]}," if name in known else "something else"
                raise UnusableError(
                    f"The name of the parameter {name} is used for {of} on forms.",
                    "Give the parameter another name.",
                )


def _parameters_of(item: Any) -> tuple[Parameter, ...]:
    declared: type[Spec] | None = getattr(item, "parameters", None)
    return declared.parameters() if declared else ()


def _check_fields(item: Any, kind: type[Any]) -> None:
    """Raises UnusableError for a field of a dataclass that holds something of another type."""
    if not is_dataclass(kind):
        return
    for name, hint in get_type_hints(kind).items():
        value = getattr(item, name)
        config = None if is_dataclass(hint) else ConfigDict(arbitrary_types_allowed=True)
        try:
            TypeAdapter(hint, config=config).validate_python(value, strict=True)
        except ValidationError as error:
            needed = "function" if "Callable" in str(hint) else getattr(hint, "__name__", str(hint))
            raise UnusableError(
                f"Its {name} is {shortened(repr(value))}.", f"It must be of type {needed}."
            ) from error


def _explained(error: BaseException, plugin: Plugin) -> tuple[str, str]:
    """Why an entry point cannot be used, and what to do."""
    update = f"Update the plug-in, or uninstall it: pip uninstall {plugin.distribution}."
    if isinstance(error, UnusableError):
        return str(error), f"{update} For its authors: {error.remedy}"
    message = _in_words(error)
    if isinstance(error, ModuleNotFoundError) and (error.name or "").split(".")[0] != plugin.package:
        return message, f"Install {error.name}, which the plug-in needs."
    return message, update


def _in_words(error: BaseException) -> str:
    return shortened(" ".join(f"{type(error).__name__}: {error}".split()), _LONGEST_ERROR)
