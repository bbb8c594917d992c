"""What aligners, classifiers and matchers have in common: estimators in the sense of scikit-learn."""

from __future__ import annotations

from copy import copy
from inspect import Parameter, Signature
from typing import Any, ClassVar, Self

from paragold.spec import Spec


class Estimator:
    """A method with its parameters: `fit` learns from data, `predict` applies what was learned.

    It is made of the values of the fields of `parameters`, its Spec, or of an object of it; what is left out
    has its default. Raises SpecError for an unknown parameter, with the nearest name that exists, and for a
    value that is not allowed.
    """

    parameters: ClassVar[type[Spec]] = Spec

    def __init__(self, spec: Spec | None = None, **values: Any) -> None:
        self.spec: Any = spec or self.parameters(**values)

    def __init_subclass__(cls) -> None:
        # What editors and notebooks show as the arguments: the fields of the Spec with their defaults.
        cls.__signature__ = Signature(  # type: ignore[attr-defined]  # read by inspect.signature
            [
                Parameter(one.name, Parameter.KEYWORD_ONLY, default=one.default)
                for one in cls.parameters.parameters()
            ]
        )

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name, as scikit-learn asks for them; `deep` has no effect."""
        return dict(self.spec)

    def set_params(self, **values: Any) -> Self:
        """Change some parameters; what was learned stays until the next `fit`. Raises SpecError."""
        self.spec = self.spec.replace(**values)
        return self

    def with_spec(self, spec: Spec) -> Self:
        """A copy with these parameters."""
        other = copy(self)
        other.spec = spec
        return other

    def __sklearn_clone__(self) -> Self:
        return type(self)(self.spec)

    def __repr__(self) -> str:
        defaults = {one.name: one.default for one in self.parameters.parameters()}
        changed = [f"{name}={value!r}" for name, value in self.spec if value != defaults[name]]
        return f"{type(self).__name__}({', '.join(changed)})"
