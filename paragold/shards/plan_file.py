"""The plan file of a chain of steps (YAML), read strictly: every problem names its line and key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paragold.problems import FileProblem
from paragold.registry import NotRegisteredError
from paragold.shards.packages import package
from paragold.shards.steps import STEPS
from paragold.shards.steps.step import Step
from paragold.spec import Spec, SpecError

OWN_KEYS = ("step", "name", "input", "from", "set")
_NAME_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A step of a chain.

    name: its own in the chain. input: paths and patterns, absolute; () where it reads what `source`, an
    earlier step, gives. values: of its parameters. more: the settings under `set`. models: by parameter the
    earlier step whose file it takes.
    """

    name: str
    step: Step
    input: tuple[str, ...]
    source: str
    values: Spec
    more: Mapping[str, Any]
    models: Mapping[str, str]
    locate: Callable[..., FileProblem]


def read_plan(path: Path) -> list[PlannedStep]:
    """The steps of a plan file in their order. Paths in it are relative to its folder.

    Raises FileProblem, with all that is wrong with the file.
    """
    yaml = package("yaml")
    try:
        root = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except OSError as error:
        raise FileProblem(
            f"It cannot be read ({error.strerror}).", "Check its name.", file=str(path)
        ) from error
    except UnicodeDecodeError as error:
        raise FileProblem("The file is not UTF-8.", "Write it as UTF-8.", file=str(path)) from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = {"line": mark.line + 1, "column": mark.column + 1} if mark else {}
        reason = getattr(error, "problem", None) or str(error)
        raise FileProblem(f"It is not YAML: {reason}.", "Correct it.", file=str(path), **place) from error
    return _Reader(path, yaml).steps(root)


class _Reader:
    def __init__(self, path: Path, yaml: Any) -> None:
        self._path = path
        self._yaml = yaml
        self._problems: list[FileProblem] = []

    def steps(self, root: Any) -> list[PlannedStep]:
        listed = self._mapping(root, "the file", ("steps",)).get("steps") if root else None
        if listed is None or not isinstance(listed[1], self._yaml.SequenceNode) or not listed[1].value:
            self._problems = self._problems or [
                FileProblem("It has no list of steps.", "Write `steps:` and a list below it.", line=1)
            ]
        else:
            steps: list[PlannedStep] = []
            for number, node in enumerate(listed[1].value, 1):
                try:
                    steps.append(self._step(node, f"steps[{number}]", steps))
                except FileProblem as problem:
                    # Later steps may lack what this one would have given.
                    self._problems += problem.problems
                    break
            if not self._problems:
                return steps
        raise FileProblem.of(self._problems, file=str(self._path))

    def _mapping(self, node: Any, where: str, known: tuple[str, ...] = ()) -> dict[str, tuple[Any, Any]]:
        """Key and value nodes by key; with `known`, no other keys."""
        if not isinstance(node, self._yaml.MappingNode):
            raise self._problem(node, where, "It is not a mapping.", "Write `key: value` lines.")
        found: dict[str, tuple[Any, Any]] = {}
        for key, value in node.value:
            name = str(key.value)
            if name in found:
                raise self._problem(key, f"{where}.{name}", "The key is given twice.", "Keep one of them.")
            if known and name not in known:
                keys = ", ".join(known)
                raise self._problem(key, f"{where}.{name}", "There is no such key.", f"Available: {keys}.")
            found[name] = key, value
        return found

    def _problem(self, node: Any, where: str, message: str, remedy: str) -> FileProblem:
        mark = node.start_mark
        return FileProblem(
            f"{where}: {message}", remedy, line=mark.line + 1, column=mark.column + 1, file=str(self._path)
        )

    def _value(self, node: Any) -> Any:
        """The plain value of a node."""
        loader = self._yaml.SafeLoader("")
        try:
            return loader.construct_document(node)
        finally:
            loader.dispose()

    def _step(self, node: Any, where: str, earlier: list[PlannedStep]) -> PlannedStep:
        keys = self._mapping(node, where)
        if "step" not in keys:
            raise self._problem(node, where, "It has no step.", f"Name one of {', '.join(STEPS.ids())}.")
        id = str(self._value(keys["step"][1]))
        try:
            step = STEPS.get(id)
        except NotRegisteredError as error:
            raise self._problem(keys["step"][1], f"{where}.step", str(error), "Correct the name.") from None

        def locate(problem: str, key: str = "", remedy: str = "Correct it.") -> FileProblem:
            place = keys[key][1] if key in keys else node
            return self._problem(place, f"{where}.{key}" if key else where, problem, remedy)

        given = {name: self._value(value) for name, (_, value) in keys.items()}
        name = str(given.get("name", id))
        if not name.replace("-", "").isalnum() or not name.isascii() or len(name) > _NAME_CHARACTERS:
            raise locate("It is not a name.", "name", "Use letters, digits and hyphens, 40 at most.")
        if name in {one.name for one in earlier}:
            raise locate(f"Another step is called {name}.", "name", "Give one of them another `name`.")
        if "set" in given and not isinstance(given["set"], dict):
            raise locate("It is not a mapping.", "set", "Write `set: {name: value}`.")
        values = self._values(step, given, keys, where)
        return PlannedStep(
            name=name,
            step=step,
            input=tuple(self._input(given.get("input", ()), locate)),
            source="" if "input" in given else _source(step, str(given.get("from", "")), earlier, locate),
            values=values,
            more=given.get("set", {}),
            models=dict(self._models(step, values, earlier, locate)),
            locate=locate,
        )

    def _values(self, step: Step, given: Mapping[str, Any], keys: Mapping[str, Any], where: str) -> Spec:
        own = {name: value for name, value in given.items() if name not in OWN_KEYS}
        for name in step.models:
            if own.get(name):
                file = self._path.parent / str(own[name])
                own[name] = str(file.resolve()) if file.exists() else own[name]
        try:
            values = step.parameters(**own)
            step.check(values, given.get("set", {}))
            return values
        except SpecError as error:
            raise FileProblem.of(
                [
                    self._problem(
                        keys[name][0] if name in keys else keys["step"][0], f"{where}.{name}", message,
                        "Correct it, or leave it out.",
                    )
                    for name, message in error.problems
                ]
            ) from None  # fmt: skip

    def _input(self, value: Any, locate: Callable[..., FileProblem]) -> Iterator[str]:
        for pattern in [value] if isinstance(value, str) else value:
            if not isinstance(pattern, str):
                raise locate("It is not a path or a list of paths.", "input")
            yield pattern if "://" in pattern else str(self._path.resolve().parent / pattern)

    def _models(
        self, step: Step, values: Spec, earlier: list[PlannedStep], locate: Callable[..., FileProblem]
    ) -> Iterator[tuple[str, str]]:
        """The parameters that take the file of an earlier step."""
        for parameter, kind in step.models.items():
            given = getattr(values, parameter)
            steps = [one.name for one in earlier if one.step.gives == kind]
            if given in steps or (not given and steps):
                yield parameter, given or steps[-1]
            elif not given or not Path(given).is_file():
                raise locate(
                    f"There is no file {given!r}, and no earlier step of that name that gives the {kind}.",
                    parameter,
                    "Give the path of the file, relative to the plan file.",
                )


def _source(step: Step, wanted: str, earlier: list[PlannedStep], locate: Callable[..., FileProblem]) -> str:
    """The earlier step whose result is read."""
    fitting = [one.name for one in earlier if one.step.gives == step.reads]
    if wanted and wanted not in fitting:
        raise locate(f"No earlier step {wanted} gives {step.reads}.", "from", "Name one that does.")
    if not fitting:
        raise locate(
            f"No earlier step gives {step.reads}.",
            remedy="Name files with `input`, or put such a step before it.",
        )
    return wanted or fitting[-1]
