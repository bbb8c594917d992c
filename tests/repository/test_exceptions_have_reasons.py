import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAMES = "alignment annotation benchmarks config corpus docs jobs ops paragold projects scripts tests"
CODE = [ROOT / name for name in NAMES.split()]
# Comments that switch a check off, and how they look with a reason.
EXEMPT = re.compile(r"#\s*(noqa|type: ?ignore|nosec|pragma:|mypy:|pyright:|ruff:)", re.IGNORECASE)
REASONED = re.compile(r"# (noqa: [A-Z]+\d+(, [A-Z]+\d+)* - \w|type: ignore\[[a-z-]+(, [a-z-]+)*\]  # \w)")
SKIPPED = re.compile(r"mark\.(skip|xfail)\b(?!\(.*reason=)|mark\.skipif\((?!.*reason=)|(skip|xfail)\(\)")


def unreasoned(text):
    """The lines that exempt something without a reason."""
    return [
        line.strip()
        for line in text.splitlines()
        if (EXEMPT.search(line) and not REASONED.search(line)) or SKIPPED.search(line)
    ]


def test_every_exception_has_its_reason():
    files = [
        file
        for folder in CODE
        for file in sorted(folder.rglob("*.py"))
        if "migrations" not in file.parts and file != Path(__file__)
    ]
    assert len(files) > 500
    found = {
        f"{file.relative_to(ROOT)}: {line}"
        for file in files
        for line in unreasoned(file.read_text(encoding="utf-8"))
    }
    assert not found, "write the reason behind it: `# noqa: S608 - our own tables`"


LIMIT = 110


def test_no_line_of_javascript_is_too_long():
    files = [*(ROOT / "static" / "js").rglob("*.js"), *(ROOT / "tests" / "js").rglob("*.mjs")]
    too_long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LIMIT
    ]
    assert files and too_long == []
