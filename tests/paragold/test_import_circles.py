import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import paragold


def imports_by_module(root):
    """The modules of a package that each of them imports: at its head, in functions, or for types."""
    parts = {path: (root.name, *path.relative_to(root).with_suffix("").parts) for path in root.rglob("*.py")}
    modules = {".".join(names).removesuffix(".__init__"): path for path, names in parts.items()}

    def imported(name, path):
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                around = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
                start = ".".join([*around, *filter(None, [node.module])])
                for alias in node.names:
                    whole = f"{start}.{alias.name}"
                    yield whole if whole in modules else start

    return {name: {*imported(name, path)} & modules.keys() - {name} for name, path in modules.items()}


def test_no_module_of_the_library_imports_itself_by_way_of_others():
    imports = imports_by_module(Path(paragold.__file__).parent)
    assert len(imports) > 100
    assert "paragold.spec" in imports["paragold.aligners.aligner"]
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        pytest.fail(f"A circle of imports: {' <- '.join(error.args[1])}")
