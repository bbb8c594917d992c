"""Lines of JavaScript have at most 110 characters, as those of Python; ruff does not read them."""

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
LIMIT = 110


def test_no_line_of_javascript_is_too_long() -> None:
    files = [*(REPOSITORY / "static" / "js").rglob("*.js"), *(REPOSITORY / "tests" / "js").rglob("*.mjs")]
    too_long = [
        f"{path.relative_to(REPOSITORY)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LIMIT
    ]
    assert files and too_long == []
