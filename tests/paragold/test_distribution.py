import ast
import re
import sys
import tomllib
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# Modules that are called otherwise than what is installed.
DISTRIBUTIONS = {
    "sklearn": "scikit-learn",
    "lazy_loader": "lazy-loader",
    "llvmlite": "numba",
    "pydantic_core": "pydantic",
    "thot": "sil-thot",
    "huggingface_hub": "huggingface-hub",
}


def test_what_the_library_imports_is_named():
    imported = set()
    for path in (ROOT / "paragold").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                imported.add(str(node.module).split(".")[0])
    others = imported - set(sys.stdlib_module_names) - {"paragold"}
    extras = {name: lines for name, lines in PROJECT["optional-dependencies"].items() if name != "web"}
    lines = [*PROJECT["dependencies"], *chain.from_iterable(extras.values())]
    named = {re.split(r"[^\w-]", line)[0] for line in lines}
    assert {DISTRIBUTIONS.get(name, name) for name in others} <= named
