"""The plan file of a chain of steps (YAML), read strictly: every problem names its line and key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paragold.problems import FileProblem
from paragold.registry import NotRegisteredError
from paragold.shards.packages import package
from paragold.shards.steps import STEPS
from paragold.shards.steps.step import Step
from paragold.spec import Spec, SpecError

_NAME_CHARACTERS = 40
# The file, `steps`, a step, what is below `set`.
_LEVELS = 4


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A step of a chain.

    name: its own in the chain. input: paths and patterns, absolute; () where it reads what `source`, an
    earlier step, gives. values: of its parameters. more: the settings under `set`. models: by parameter the
    earlier step whose file it takes. locate: makes the problem of a message, at one of its keys.
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

    Raises FileProblem, with what is wrong with the first step that cannot be used.
    """
    content, problem = _load(path)
    given = content.get("steps") if isinstance(content, dict) else None
    if not isinstance(given, list) or not given:
        raise problem("", "It has no list of steps.", "Write `steps:` and a list below it.")
    for key in content.keys() - {"steps"}:
        raise problem(str(key), "There is no such key.", "Available: steps.")
    steps: list[PlannedStep] = []
    for number, one in enumerate(given, 1):
        steps.append(_step(one, f"steps[{number}]", steps, path.resolve().parent, problem))
    return steps


def _load(path: Path) -> tuple[Any, Callable[..., FileProblem]]:
    """The content of the file, and what makes the problem of a place such as `steps[2].preset`."""
    yaml = package("yaml")
    places: dict[str, Any] = {}

    def problem(where: str, message: str, remedy: str = "Correct it.") -> FileProblem:
        known = where
        while known and known not in places:
            known = known.rpartition(".")[0]
        line, column = (places[known].line, places[known].column) if known else (0, 0)
        message = f"{where}: {message}" if where else message
        return FileProblem(message, remedy, line=line + 1, column=column + 1, file=str(path))

    try:
        loader = yaml.SafeLoader(path.read_text(encoding="utf-8"))
        root = loader.get_single_node()
        for where, mark in _places(root, ""):
            if where in places:
                places[where] = mark
                raise problem(where, "The key is given twice.", "Keep one of them.")
            places[where] = mark
        return root and loader.construct_document(root), problem
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


def _places(node: Any, where: str, level: int = 1) -> Iterator[tuple[str, Any]]:
    """Where the keys of mappings and the items of lists are in the file."""
    if node is None or level > _LEVELS:
        return
    for number, item in enumerate(node.value if node.id != "scalar" else (), 1):
        key, value = item if node.id == "mapping" else (item, item)
        name = f"{where}.{key.value}".lstrip(".") if node.id == "mapping" else f"{where}[{number}]"
        yield name, key.start_mark
        yield from _places(value, name, level + 1)


def _step(
    given: Any, where: str, earlier: Sequence[PlannedStep], folder: Path, problem: Callable[..., FileProblem]
) -> PlannedStep:
    def locate(message: str, key: str = "", remedy: str = "Correct it.") -> FileProblem:
        return problem(f"{where}.{key}" if key else where, message, remedy)

    if not isinstance(given, dict) or "step" not in given:
        raise locate("It has no step.", remedy=f"Name one of {', '.join(STEPS.ids())}.")
    own = {str(key): value for key, value in given.items()}
    try:
        step = STEPS.get(str(own.pop("step")))
    except NotRegisteredError as error:
        raise locate(str(error), "step", "Correct the name.") from None
    name, more = str(own.pop("name", step.id)), own.pop("set", {})
    if not name.replace("-", "").isalnum() or not name.isascii() or len(name) > _NAME_CHARACTERS:
        raise locate("It is not a name.", "name", "Use letters, digits and hyphens, 40 at most.")
    if name in {one.name for one in earlier}:
        raise locate(f"Another step is called {name}.", "name", "Give one of them another `name`.")
    if not isinstance(more, dict):
        raise locate("It is not a mapping.", "set", "Write `set: {name: value}`.")
    patterns, source = own.pop("input", []), str(own.pop("from", ""))
    patterns = [patterns] if isinstance(patterns, str) else patterns
    if not isinstance(patterns, list) or not all(isinstance(pattern, str) for pattern in patterns):
        raise locate("It is not a path or a list of paths.", "input")
    for key in step.models:
        if own.get(key) and (folder / str(own[key])).exists():
            own[key] = str((folder / str(own[key])).resolve())
    try:
        values = step.parameters(**own)
        step.check(values, more)
    except SpecError as error:
        raise FileProblem.of(
            [locate(message, key, "Correct it, or leave it out.") for key, message in error.problems]
        ) from None
    return PlannedStep(
        name=name,
        step=step,
        input=tuple(pattern if "://" in pattern else str(folder / pattern) for pattern in patterns),
        source="" if patterns else _source(step, source, earlier, locate),
        values=values,
        more=more,
        models=dict(_models(step, values, earlier, locate)),
        locate=locate,
    )


def _models(
    step: Step, values: Spec, earlier: Sequence[PlannedStep], locate: Callable[..., FileProblem]
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


def _source(
    step: Step, asked: str, earlier: Sequence[PlannedStep], locate: Callable[..., FileProblem]
) -> str:
    """The earlier step whose result is read."""
    fitting = [one.name for one in earlier if one.step.gives == step.reads]
    if asked and asked not in fitting:
        raise locate(f"No earlier step {asked} gives {step.reads}.", "from", "Name one that does.")
    if not fitting:
        remedy = "Name files with `input`, or put such a step before it."
        raise locate(f"No earlier step gives {step.reads}.", remedy=remedy)
    return asked or fitting[-1]
