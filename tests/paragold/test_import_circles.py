import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import paragold


def imports_by_module(root: Path) -> dict[str, set[str]]:
    """The modules of a package that each of them imports: at its head, in functions, or for types."""
    parts = {path: (root.name, *path.relative_to(root).with_suffix("").parts) for path in root.rglob("*.py")}
    modules = {".".join(names).removesuffix(".__init__"): path for path, names in parts.items()}

    def imported(name: str, path: Path) -> Iterator[str]:
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


def check_no_circle(imports: dict[str, set[str]]) -> None:
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        pytest.fail(f"A circle of imports: {' <- '.join(error.args[1])}")


def test_no_module_of_the_library_imports_itself_by_way_of_others() -> None:
    imports = imports_by_module(Path(paragold.__file__).parent)
    assert len(imports) > 100
    assert "paragold.spec" in imports["paragold.aligners.method"]
    check_no_circle(imports)


def test_a_circle_is_named_wherever_its_imports_are(tmp_path: Path) -> None:
    package = tmp_path / "house"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "door.py").write_text("from house import wall\n")
    (package / "wall.py").write_text("def built():\n    from .door import opened\n")
    with pytest.raises(pytest.fail.Exception, match=r"house\.\w+ <- house\.\w+ <- house\.\w+"):
        check_no_circle(imports_by_module(package))
