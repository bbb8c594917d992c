"""The typed declaration of an operation, written once.

A page's form, an API's serializer, a command's arguments, the words on the page of a run and the signature
of a result are all made from it, each by a small adaptor that reads `Spec.parameters`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from hashlib import blake2b
from typing import Any, ClassVar, Literal, Self, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

LARGEST_SEED = 2**31 - 1
# Ratios whose products with any length fit into 64 bits, in a database too.
LARGEST_DENOMINATOR = 1_000_000_000
_RATIO = re.compile(r"[0-9]{1,10}/(?!0+$)[0-9]{1,10}|[0-9]{1,9}|[0-9]?\.[0-9]{1,9}", re.ASCII)

Kind = Literal["flag", "whole number", "number", "ratio", "choice", "choices", "text", "words"]


class SpecError(ValueError):
    """Values that a Spec does not allow.

    problems: name of the parameter (empty for a combination of several) and what is wrong, for each.
    """

    def __init__(self, problems: Sequence[tuple[str, str]]) -> None:
        super().__init__(" ".join(message for _, message in problems))
        self.problems = list(problems)

    def __reduce__(self) -> tuple[type[SpecError], tuple[list[tuple[str, str]]]]:
        return type(self), (self.problems,)


@dataclass(frozen=True, slots=True)
class Parameter:
    """The declaration of one field of a Spec.

    kind: "words" is a set of words, "choices" one of choices; all others are single values, a "ratio" exact.
    optional: a number that may be left out: None.
    default: None of other parameters, never in a Spec itself, where several of them are shown as one and have
        different defaults.
    minimum, maximum: inclusive, or None; exclusive_minimum: the value must be above `minimum`.
    max_length: of texts in characters, of sets of words in words, or None.
    choices: value and label of each, in order; empty for all other kinds.
    when: the parameter has an effect only where each of these parameters has one of these values.
    on_server: value and label of all that people may choose who use a server, not its files; empty where
        they may choose whatever the parameter allows.
    """

    name: str
    kind: Kind
    label: str
    help: str
    default: Any
    minimum: float | None = None
    maximum: float | None = None
    exclusive_minimum: bool = False
    max_length: int | None = None
    choices: tuple[tuple[str, str], ...] = ()
    when: Mapping[str, Collection[Any]] | None = None
    optional: bool = False
    on_server: tuple[tuple[str, str], ...] = ()

    def explained(self) -> str:
        """The help, and what each choice means."""
        choices = [f"{value}: {words}." for value, words in self.choices if words != value]
        return " ".join(filter(None, [self.help, *choices]))

    def in_words(self, value: Any) -> str:
        """The value as people read it."""
        if value is None:
            return "none"
        if self.kind == "flag":
            return "yes" if value else "no"
        if self.kind == "choice":
            return dict(self.choices)[value]
        if self.kind == "choices":
            return ", ".join(label for choice, label in self.choices if choice in value) or "none"
        if self.kind == "words":
            return (" ".join(sorted(value)) or "none") + (" (default)" if value == self.default else "")
        if self.kind == "whole number":
            # Seeds are names rather than amounts.
            return str(value) if self.maximum == LARGEST_SEED else f"{value:,}"
        return f"{value:g}" if self.kind == "number" else str(value)

    def in_signature(self, value: Any) -> str:
        """The value as a signature has it: short, and different for different values."""
        if value is None:
            return "none"
        if self.kind == "flag":
            return "yes" if value else "no"
        if self.kind == "words":
            if value == self.default:
                return "default"
            return blake2b(json.dumps(sorted(value)).encode(), digest_size=6).hexdigest()
        if self.kind == "choices":
            return ",".join(sorted(value)) or "none"
        return f"{value:g}" if self.kind == "number" else str(value)


def param(
    default: Any,
    label: str,
    help: str = "",
    *,
    choices: Mapping[str, str] | None = None,
    when: Mapping[str, Collection[Any]] | None = None,
    on_server: Mapping[str, str] | None = None,
    **bounds: Any,
) -> Any:
    """The default of a field of a Spec, with what people read about it.

    choices: value and label of each. A field annotated as a Literal, a str or a frozenset[str] may have them.
    on_server: as for a Parameter.
    bounds: `gt`, `ge`, `le` of numbers, `max_length` of texts and sets, as pydantic's `Field` takes them.
    """
    about: dict[str, Any] = {"choices": choices or {}, "when": when, "on_server": on_server or {}}
    return Field(default, title=label, description=help, json_schema_extra={"about": about}, **bounds)


def seed_param(help: str, **options: Any) -> Any:
    """A random seed, 1 by default; `help` says what it determines."""
    return param(1, "Random seed", help, ge=0, le=LARGEST_SEED, **options)


class Spec(BaseModel):
    """All parameters of one operation. Subclasses declare them with `param`.

    Values may be text, as they are typed: yes or no, 2/3 or 0.66, "none" or nothing for no limit.
    Raises SpecError, on construction, for parameters that are unknown and values that are not allowed.
    `VERSION` of a subclass is raised whenever the same values would give another result.
    """

    VERSION: ClassVar[str] = "1"

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    def __init__(self, /, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise SpecError([_problem(type(self), one) for one in error.errors(include_url=False)]) from None

    @field_validator("*", mode="before")
    @classmethod
    def _read(cls, value: Any, field: ValidationInfo) -> Any:
        parameter = cls.parameter(field.field_name or "")
        if parameter.optional and isinstance(value, str) and value.strip().lower() in ("", "none"):
            return None
        if parameter.kind == "flag" and isinstance(value, str):
            return value.strip()
        if parameter.kind == "ratio" and not isinstance(value, Fraction):
            text = str(value).strip()
            value = Fraction(text) if _RATIO.fullmatch(text) else value
        if parameter.kind == "ratio" and not (
            isinstance(value, Fraction) and 0 <= value <= 1 and value.denominator <= LARGEST_DENOMINATOR
        ):
            raise ValueError(_not_allowed(parameter, value))
        return value

    @field_validator("*")
    @classmethod
    def _is_listed(cls, value: Any, field: ValidationInfo) -> Any:
        parameter = cls.parameter(field.field_name or "")
        chosen = value if parameter.kind == "choices" else [value]
        listed = dict(parameter.choices)
        if parameter.choices and not all(one in listed for one in chosen):
            raise ValueError(_not_allowed(parameter, value))
        return value

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """The parameters in the order of their declaration, those of a base class first."""
        return _parameters(cls)

    @classmethod
    def parameter(cls, name: str) -> Parameter:
        """The parameter of that name, which there must be."""
        return next(parameter for parameter in cls.parameters() if parameter.name == name)

    def applies(self, parameter: Parameter) -> bool:
        """Whether the parameter has an effect with these values of the others."""
        return all(getattr(self, name) in values for name, values in (parameter.when or {}).items())

    def described(self) -> list[tuple[str, str]]:
        """Label and value, in words, of the parameters that have an effect."""
        return [
            (parameter.label, parameter.in_words(getattr(self, parameter.name)))
            for parameter in self.parameters()
            if self.applies(parameter)
        ]

    def signature(self) -> str:
        """The values that decide the result, as one stable line."""
        parts = [
            f"{parameter.name}:{parameter.in_signature(getattr(self, parameter.name))}"
            for parameter in self.parameters()
            if self.applies(parameter)
        ]
        return "|".join([*parts, f"version:{self.VERSION}"])

    def as_json(self) -> dict[str, Any]:
        """All values as JSON can hold them, sets as lists and ratios as text; `from_json` reads them back."""
        return {one.name: _as_json(getattr(self, one.name)) for one in self.parameters()}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Raises SpecError as the constructor does."""
        return cls(**values)

    def replace(self, /, **values: Any) -> Self:
        """The same with some values replaced. Raises SpecError as the constructor does."""
        return type(self)(**{**dict(self), **values})


def _as_json(value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted(value)
    return str(value) if isinstance(value, Fraction) else value


@cache
def _parameters(spec: type[Spec]) -> tuple[Parameter, ...]:
    return tuple(_parameter(name, field) for name, field in spec.model_fields.items())


def _parameter(name: str, field: FieldInfo) -> Parameter:
    extra = field.json_schema_extra
    if not isinstance(extra, dict):
        raise TypeError(f"{name} is not declared with `param`.")
    about: Any = extra["about"]
    bounds = {
        key: getattr(bound, key)
        for bound in field.metadata
        for key in ("gt", "ge", "le", "max_length")
        if hasattr(bound, key)
    }
    annotation: Any = field.annotation
    optional = annotation in (int | None, float | None)
    return Parameter(
        name=name,
        kind=_kind(name, get_args(annotation)[0] if optional else annotation, bool(about["choices"])),
        optional=optional,
        label=field.title or name,
        help=field.description or "",
        default=field.default,
        minimum=bounds.get("gt", bounds.get("ge")),
        maximum=bounds.get("le"),
        exclusive_minimum="gt" in bounds,
        max_length=bounds.get("max_length"),
        choices=tuple(about["choices"].items()),
        when=about["when"],
        on_server=tuple(about["on_server"].items()),
    )


def _kind(name: str, annotation: Any, has_choices: bool) -> Kind:
    if get_origin(annotation) is Literal or (has_choices and annotation is str):
        return "choice"
    kinds: dict[Any, Kind] = {
        bool: "flag", int: "whole number", float: "number", Fraction: "ratio", str: "text",
    }  # fmt: skip
    if annotation in kinds:
        return kinds[annotation]
    if get_origin(annotation) is frozenset and get_args(annotation) == (str,):
        return "choices" if has_choices else "words"
    raise TypeError(f"{name}: there is no parameter of type {annotation}.")


def _problem(spec: type[Spec], error: ErrorDetails) -> tuple[str, str]:
    """The parameter that has a value it does not allow, and what is wrong, in words."""
    name = str(error["loc"][0]) if error["loc"] else ""
    if error["type"] == "extra_forbidden":
        return name, f"There is no parameter {name}. {suggestion(name, spec.model_fields)}"
    if error["type"] == "value_error":
        # A validator of the subclass has refused it, in its own words; with SpecError it names the parameter.
        refused = error["ctx"]["error"]
        return refused.problems[0] if isinstance(refused, SpecError) else (name, str(refused))
    parameter = spec.parameter(name)
    return name, _not_allowed(parameter, error["input"])


def _not_allowed(parameter: Parameter, value: Any) -> str:
    if isinstance(value, (frozenset, set, list, tuple)):
        given = ", ".join(sorted(map(str, value)))
    else:
        given = f"{value:g}" if isinstance(value, float) else str(value)
    given = given if len(given) <= 40 else given[:40] + "..."
    return f"{parameter.label} must be {allowed(parameter)}; it is {given}."


def suggestion(name: str, names: Iterable[str]) -> str:
    """A sentence with the nearest of `names`, or all of them when none is near."""
    by_lower_case = {known.lower(): known for known in names}
    near = get_close_matches(name.lower(), by_lower_case, n=1, cutoff=0.5)
    return (
        f"Did you mean {by_lower_case[near[0]]}?"
        if near
        else f"Available: {', '.join(by_lower_case.values())}."
    )


def allowed(parameter: Parameter) -> str:
    """The values that a parameter allows, in words."""
    none = ", or none" if parameter.optional else ""
    words = {
        "flag": "yes or no (true or false)",
        "choice": "one of " + ", ".join(value for value, _ in parameter.choices),
        "choices": "some of " + ", ".join(value for value, _ in parameter.choices),
        "words": "a list of words",
        "ratio": "a fraction or decimal number from 0 to 1, such as 2/3 or 0.66",
        "text": "a text"
        + (f" of at most {parameter.max_length:,} characters" if parameter.max_length else ""),
        "number": "a number",
        "whole number": "a whole number",
    }[parameter.kind]
    low, high = parameter.minimum, parameter.maximum
    if parameter.kind not in ("number", "whole number") or (low is None and high is None):
        return words + none
    if parameter.exclusive_minimum:
        return f"{words} above {low:,}" + ("" if high is None else f" and at most {high:,}") + none
    if high is None:
        return f"{words} of at least {low:,}{none}"
    return (f"{words} of at most {high:,}" if low is None else f"{words} from {low:,} to {high:,}") + none


def words_of(lines: Iterable[str]) -> frozenset[str]:
    """The words of a list, separated by white space or commas, in lower case."""
    return frozenset(word for line in lines for word in line.replace(",", " ").lower().split())


def lower_case(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word.lower() for word in words)
