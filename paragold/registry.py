"""A table of the things of one kind that can be chosen by id: link formats, aligners, importers and so on.

Each kind is registered in one visible table:

    LINK_FORMATS = Registry("link format", LinkFormat, [PHARAOH, NAACL], entry_points="paragold.link_formats")

Other distributions add to it by a Python entry point of the named group that leads to such an object.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from importlib.metadata import entry_points as installed_entry_points
from threading import RLock
from typing import Generic, Protocol, TypeVar

logger = logging.getLogger(__name__)


class Registered(Protocol):
    """What a registry holds: an id, which is stored and typed, and a label, which people read."""

    @property
    def id(self) -> str: ...

    @property
    def label(self) -> str: ...


Item = TypeVar("Item", bound=Registered)


class NotRegisteredError(ValueError):
    """An id that a registry does not hold; the message lists those that it holds."""


class Registry(Generic[Item]):
    """The items of one kind in the order of their registration, those of entry points last, by name.

    Entry points are read at the first use of the registry, not at its import. One that cannot be loaded is
    logged and listed by `failures`; all other items can still be used.

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

    Raises
    ------
    ValueError
        Two items have the same id.
    """

    def __init__(
        self, noun: str, kind: type[Item], items: Iterable[Item], *, entry_points: str | None = None
    ) -> None:
        self.noun = noun
        self._kind = kind
        self._items: dict[str, Item] = {}
        self._failures: list[str] = []
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

    def failures(self) -> tuple[str, ...]:
        """A sentence for each entry point that could not be used."""
        self._all()
        return tuple(self._failures)

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
            try:
                item = entry.load()
                if not isinstance(item, self._kind):
                    raise TypeError(f"{entry.value} is not a {self._kind.__name__}")
                self._add(item)
            except Exception as error:
                # It is the code of others, and the rest must remain usable.
                failure = f"The {self.noun} {entry.name} ({entry.value}) cannot be used: {error!r}."
                self._failures.append(failure)
                logger.warning(failure)
