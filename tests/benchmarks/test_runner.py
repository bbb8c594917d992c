import inspect
import re

from benchmarks.__main__ import WORKS
from benchmarks.measuring import REPOSITORY


def test_each_work_says_what_it_measures_and_its_small_options_exist():
    assert len({work.name for work in WORKS}) == len(WORKS)
    for work in WORKS:
        assert work.description.split("\n")[0].endswith("."), work.name
        parameters = inspect.signature(work.run).parameters
        assert set(work.small) <= set(parameters)
        assert all(parameter.default is not parameter.empty for parameter in parameters.values())


def test_works_that_documents_name_exist_with_their_options():
    named = re.compile(r"python -m benchmarks ([a-z][\w-]*)([^`\n]*)")
    works = {work.name: inspect.signature(work.run).parameters for work in WORKS}
    pages = [REPOSITORY / "README.md", *(REPOSITORY / "docs").rglob("*.md")]
    found = [match for page in pages for match in named.findall(page.read_text(encoding="utf-8"))]
    assert len(found) > 20
    for name, options in found:
        given = {option.replace("-", "_") for option in re.findall(r"--([a-z][\w-]*)", options)}
        assert given <= {*works[name], "json", "small"}, name
