"""The kinds of value that an extraction parameter can take: how each is read, and how its range is told."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

LARGEST_WHOLE_NUMBER = 1_000_000
LARGEST_DENOMINATOR = 1_000_000_000

_WHOLE_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
_RATIO = re.compile(r"[0-9]{1,10}/[0-9]{1,10}|[0-9]{1,9}|[0-9]?\.[0-9]{1,9}", re.ASCII)
_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class Parameter(Protocol):
    """What a parameter is called, what it means, and what it may hold."""

    @property
    def label(self) -> str: ...

    @property
    def help(self) -> str: ...

    @property
    def allowed(self) -> str:
        """The allowed values in words, for an error message or a form's help text."""
        ...

    def parse(self, value: object) -> object:
        """Return the typed value; raises ValueError when `value` is outside what is allowed."""
        ...


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """An integer from `low` to `high`; when `optional`, "none" or nothing means no limit."""

    label: str = ""
    help: str = ""
    low: int = 0
    high: int = LARGEST_WHOLE_NUMBER
    optional: bool = False

    @property
    def allowed(self) -> str:
        return f"a whole number from {self.low} to {self.high}" + (", or none" if self.optional else "")

    def parse(self, value: object) -> int | None:
        text = "none" if value is None else str(value).strip().lower()
        if self.optional and text in ("", "none"):
            return None
        if not _WHOLE_NUMBER.fullmatch(text) or not self.low <= int(text) <= self.high:
            raise ValueError(value)
        return int(text)


@dataclass(frozen=True, slots=True)
class Ratio:
    """An exact number from 0 to 1, written 2/3 or 0.66; never a binary float."""

    label: str
    help: str

    @property
    def allowed(self) -> str:
        return "a fraction or decimal number from 0 to 1, such as 2/3 or 0.66"

    def parse(self, value: object) -> Fraction:
        text = str(value).strip()
        if not _RATIO.fullmatch(text) or re.search(r"/0+$", text):
            raise ValueError(value)
        ratio = Fraction(text)
        if not 0 <= ratio <= 1 or ratio.denominator > LARGEST_DENOMINATOR:
            raise ValueError(value)
        return ratio


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    label: str
    help: str

    @property
    def allowed(self) -> str:
        return "true or false"

    def parse(self, value: object) -> bool:
        try:
            return _FLAGS[str(value).strip().lower()]
        except KeyError:
            raise ValueError(value) from None


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few names."""

    label: str
    help: str
    names: tuple[str, ...]

    @property
    def allowed(self) -> str:
        return " or ".join(self.names)

    def parse(self, value: object) -> str:
        text = str(value).strip()
        if text not in self.names:
            raise ValueError(value)
        return text
