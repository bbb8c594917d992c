import inspect
import re
from importlib import import_module

import pytest

from benchmarks.measuring import REPOSITORY


@pytest.fixture(scope="module")
def works():
    """Imported by the process that needs it: with all its libraries it takes seconds."""
    return import_module("benchmarks.__main__").WORKS


def test_each_work_says_what_it_measures_and_its_small_options_exist(works):
    assert len({work.name for work in works}) == len(works)
    for work in works:
        assert work.description.split("\n")[0].endswith("."), work.name
        parameters = inspect.signature(work.run).parameters
        assert set(work.small) <= set(parameters)
        assert all(parameter.default is not parameter.empty for parameter in parameters.values())


def test_works_that_documents_name_exist_with_their_options(works):
    named = re.compile(r"python -m benchmarks ([a-z][\w-]*)([^`\n]*)")
    of_work = {work.name: inspect.signature(work.run).parameters for work in works}
    pages = [REPOSITORY / "README.md", *(REPOSITORY / "docs").rglob("*.md")]
    found = [match for page in pages for match in named.findall(page.read_text(encoding="utf-8"))]
    assert len(found) > 20
    for name, options in found:
        given = {option.replace("-", "_") for option in re.findall(r"--([a-z][\w-]*)", options)}
        assert given <= {*of_work[name], "json", "small"}, name
