import inspect
import json
import re

import pytest

from benchmarks.__main__ import WORKS
from benchmarks.measuring import REPOSITORY
from benchmarks.runner import Work, main


def plain(*, words: int = 3, names: tuple[str, ...] = ("a",), deep: bool = False):
    """Count words.

    More about it.
    """
    return [{"who": name, "words": words, "deep": deep, "problem": "None." * (words == 0)} for name in names]


TABLE = (Work(plain, {"words": 1}),)


def test_each_work_says_what_it_measures_and_its_small_options_exist():
    assert len({work.name for work in WORKS}) == len(WORKS)
    for work in WORKS:
        assert work.description.split("\n")[0].endswith("."), work.name
        parameters = inspect.signature(work.run).parameters
        assert set(work.small) <= set(parameters)
        assert all(parameter.default is not parameter.empty for parameter in parameters.values())


@pytest.mark.parametrize(
    ("options", "words", "names"),
    [
        ([], 3, ["a"]),
        (["--small"], 1, ["a"]),
        (["--small", "--words", "2", "--names", "x", "y"], 2, ["x", "y"]),
    ],
)
def test_options_are_the_parameters_of_the_function(options, words, names, tmp_path, capsys):
    assert main(TABLE, ["plain", *options, "--json", str(tmp_path / "out.json")]) == 0
    report = json.loads((tmp_path / "out.json").read_text())
    assert [(row["who"], row["words"]) for row in report["rows"]] == [(name, words) for name in names]
    assert report["work"] == "plain" and report["versions"]["numpy"] and report["cores"]
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(names)


def test_json_in_place_of_the_table_and_a_problem(capsys):
    assert main(TABLE, ["plain", "--words", "0", "--deep", "--json", "-"]) == 1
    said = capsys.readouterr()
    assert json.loads(said.out)["rows"][0]["deep"] is True and said.err == "None.\n"


def test_works_that_documents_name_exist_with_their_options():
    named = re.compile(r"python -m benchmarks ([a-z][\w-]*)([^`\n]*)")
    works = {work.name: inspect.signature(work.run).parameters for work in WORKS}
    pages = [REPOSITORY / "README.md", *(REPOSITORY / "docs").rglob("*.md")]
    found = [match for page in pages for match in named.findall(page.read_text(encoding="utf-8"))]
    assert len(found) > 20
    for name, options in found:
        given = {option.replace("-", "_") for option in re.findall(r"--([a-z][\w-]*)", options)}
        assert given <= {*works[name], "json", "small"}, name
