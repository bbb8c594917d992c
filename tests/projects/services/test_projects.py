"""Services of projects that need no page."""

from __future__ import annotations

from projects.services.projects import first_free


def test_a_free_name_keeps_to_the_length_of_names():
    assert first_free("L12", {"other"}) == "L12"
    assert first_free("L12", {"L12", "L12 2"}) == "L12 3"
    assert first_free("Table 6", {"Table 6"}, between=", ") == "Table 6, 2"
    long = "x" * 90
    assert first_free(long, ()) == "x" * 80
    assert first_free(long, {"x" * 80}) == "x" * 78 + " 2"
