"""How large the product is, as tables; with --requests, also the files that five requests execute.

Product Python is all that git tracks outside tests, benchmarks, replication, scripts, docs and migrations. A
module with a single importer that is under 100 lines is a candidate for merging into that importer.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
from pathlib import Path

import grimp

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

NOT_PRODUCT = {"tests", "benchmarks", "replication", "scripts", "docs", "demo"}
FACES = {"views", "api", "commands", "management"}
SMALL = 100


def tracked_python() -> list[Path]:
    """Paths of the tracked Python files, relative to the repository."""
    command = ["git", "ls-files", "-z", "*.py"]
    names = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout
    return [Path(name) for name in names.split("\0") if name and (REPOSITORY / name).is_file()]


def line_count(path: Path) -> int:
    return (REPOSITORY / path).read_bytes().count(b"\n")


def is_product(path: Path) -> bool:
    return path.parts[0] not in NOT_PRODUCT and "migrations" not in path.parts


def is_face(path: Path) -> bool:
    """Whether the file is a page, an API endpoint, a form, a command or a table of addresses."""
    return (
        bool(FACES & set(path.parts))
        or "forms" in path.parts
        or path.stem.endswith(("forms", "_form"))
        or path.stem == "urls"
        or (path.parts[0] == "config" and path.stem.startswith("api"))
    )


def module_name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def single_importer_modules(product: list[Path]) -> list[tuple[Path, str]]:
    """Modules that exactly one other module imports, at its top or later, with the name of that one."""
    known = {module_name(path): path for path in product}
    graph = grimp.build_graph(*{path.parts[0] for path in product if len(path.parts) > 1}, cache_dir=None)
    single = []
    for module in known.keys() & graph.modules:
        importers = [name for name in graph.find_modules_that_directly_import(module) if name in known]
        if len(importers) == 1 and known[module].stem != "__init__":
            single.append((known[module], importers[0]))
    return sorted(single)


def record_types(path: Path) -> int:
    """How many dataclasses, NamedTuples and TypedDicts a file declares."""
    marks = {"dataclass", "NamedTuple", "TypedDict"}
    return sum(
        any(
            isinstance(part, ast.Name) and part.id in marks
            for about in (*node.decorator_list, *node.bases)
            for part in ast.walk(about)
        )
        for node in ast.walk(ast.parse((REPOSITORY / path).read_bytes()))
        if isinstance(node, ast.ClassDef)
    )


def print_table(rows: list[tuple[str, int, int]], unit: str = "lines") -> None:
    print(f"{'':46} {unit:>8} {'files':>6}")
    for label, lines, files in rows:
        print(f"{label:46} {lines:>8,} {files:>6,}")


def row(label: str, paths: list[Path]) -> tuple[str, int, int]:
    return label, sum(map(line_count, paths)), len(paths)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", action="store_true", help="trace five requests too (about a minute)")
    parser.add_argument("--list", action="store_true", help="name the small modules with a single importer")
    options = parser.parse_args()
    files = tracked_python()
    product = [path for path in files if is_product(path)]
    single = single_importer_modules(product)
    small = [(path, importer) for path, importer in single if line_count(path) < SMALL]
    rows = [row("product Python", product)]
    packages = sorted({path.parts[0] for path in product if len(path.parts) > 1})
    rows += [row(f"  {name}", [path for path in product if path.parts[0] == name]) for name in packages]
    rows += [
        row("views, API, forms, commands, addresses", [path for path in product if is_face(path)]),
        row("migrations", [path for path in files if "migrations" in path.parts]),
        *(row(name, [path for path in files if path.parts[0] == name]) for name in ("replication", "tests")),
        row("modules with a single importer", [path for path, _ in single]),
        row(f"  of those under {SMALL} lines", [path for path, _ in small]),
    ]
    print_table(rows)
    records = {path: record_types(path) for path in product if path.parts[0] == "paragold"}
    declaring = [count for count in records.values() if count]
    print_table([("record types of the library", sum(declaring), len(declaring))], "number")
    if options.list:
        for path, importer in small:
            print(f"{line_count(path):>5} {path} <- {importer}")
    if options.requests:
        from scripts.traced_requests import executed_files

        print(f"\n{'files executed by a request, imports apart':46} {'files':>6}")
        for label, names in executed_files().items():
            executed = [name for name in names if is_product(Path(name))]
            print(f"{label:46} {len(executed):>6}")
            if options.list:
                print("".join(f"      {name}\n" for name in executed), end="")


if __name__ == "__main__":
    main()
