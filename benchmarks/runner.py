"""Runs one work of a table of works: its options, a table on the terminal, and JSON."""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from benchmarks.measuring import Row, machine


class Work(NamedTuple):
    """A function that measures and returns rows.

    Its keyword parameters, which have defaults, are the options; `small` are those with which it takes
    seconds, to see that it works. A row with a `problem` makes the run fail.
    """

    run: Callable[..., list[Row]]
    small: Mapping[str, Any]

    @property
    def name(self) -> str:
        return self.run.__name__.replace("_", "-")

    @property
    def description(self) -> str:
        return inspect.cleandoc(self.run.__doc__ or "")


def main(works: Sequence[Work], arguments: Sequence[str] | None = None) -> int:
    """The program of a table of works; returns the exit code."""
    parser = argparse.ArgumentParser(description="Measures one work; NAME --help lists its options.")
    named = parser.add_subparsers(dest="work", required=True, metavar="NAME")
    for work in works:
        _add(named, work)
    options = vars(parser.parse_args(arguments))
    name = options.pop("work")
    work = next(work for work in works if work.name == name)
    written, small = options.pop("json"), options.pop("small")
    chosen = {name: value for name, value in options.items() if value is not None}
    rows = work.run(**{**(work.small if small else {}), **chosen})
    table = pd.DataFrame([{name: shown(value) for name, value in row.items()} for row in rows], dtype=object)
    report = {"work": work.name, "options": chosen, "small": small, "rows": rows} | machine()
    if written == Path("-"):
        print(json.dumps(report, indent=2))
    else:
        print(table.fillna("").to_string(index=False))
        if written is not None:
            written.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    problems = [str(row["problem"]) for row in rows if row.get("problem")]
    sys.stderr.write("".join(f"{problem}\n" for problem in problems))
    return 1 if problems else 0


def shown(value: object) -> object:
    return json.dumps(value) if isinstance(value, (dict, list, tuple)) else value


def _add(named: Any, work: Work) -> None:
    first = work.description.split("\n")[0]
    raw = argparse.RawDescriptionHelpFormatter
    parser = named.add_parser(work.name, help=first, description=work.description, formatter_class=raw)
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="write rows and machine; - in place of the table"
    )
    parser.add_argument("--small", action="store_true", help=f"try it: {dict(work.small)}")
    for parameter in inspect.signature(work.run).parameters.values():
        option, default = f"--{parameter.name.replace('_', '-')}", parameter.default
        about: dict[str, Any] = {"help": f"default: {default!r}"}
        if isinstance(default, bool):
            about["action"] = argparse.BooleanOptionalAction
        elif isinstance(default, tuple):
            about |= {"nargs": "+", "type": type(default[0]) if default else str}
        else:
            about["type"] = type(default)
        parser.add_argument(option, default=None, **about)
