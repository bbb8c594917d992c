from pathlib import Path

from jobs.state_diagram import markdown

PAGE = Path(__file__).resolve().parents[3] / "docs" / "job-states.md"


def test_the_page_shows_the_transitions_that_are_allowed() -> None:
    assert PAGE.read_text(encoding="utf-8") == markdown(), (
        "docs/job-states.md is out of date: write jobs.state_diagram.markdown() into it"
    )
