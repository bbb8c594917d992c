from pathlib import Path

from scripts.job_states import markdown

PAGE = Path(__file__).resolve().parents[2] / "docs" / "job-states.md"


def test_the_page_shows_the_transitions_that_are_allowed():
    assert PAGE.read_text(encoding="utf-8") == markdown(), (
        "docs/job-states.md is out of date: run `python -m scripts.job_states > docs/job-states.md`"
    )
