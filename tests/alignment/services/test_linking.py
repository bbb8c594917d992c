"""Link sets are checked and replaced whole."""

from __future__ import annotations

import pytest

from alignment.models import Alignment, WordLink
from annotation.models import Assignment, AssignmentState
from projects.errors import PublicError
from tests.factories.alignment import link, linking_batch
from tests.factories.annotation import assignments_of
from tests.factories.corpus import ProjectFactory, member

pytestmark = pytest.mark.django_db


@pytest.fixture
def assignment() -> Assignment:
    project = ProjectFactory()
    people = [member(project, "annotator", name) for name in ("ann", "ben")]
    return assignments_of(linking_batch(project, people), people[0])[0]


def test_a_draft_stays_open_and_a_submission_replaces_it(assignment: Assignment) -> None:
    link(assignment, [[0, 0, "sure", "drawn"], [1, 2, "possible", "accepted"]], submitted=False)
    assert assignment.state == AssignmentState.OPEN
    link(assignment, [[3, 3, "sure", "drawn"]], null_a=[0], null_b=[1])
    assignment.refresh_from_db()
    assert (assignment.state, assignment.version) == (AssignmentState.DONE, 2)
    assert list(WordLink.objects.values_list("a", "b", "strength", "origin")) == [(3, 3, "sure", "drawn")]
    alignment = Alignment.objects.get()
    assert (alignment.null_a, alignment.null_b) == ([0], [1])


@pytest.mark.parametrize(
    ("links", "nulls", "told"),
    [
        ([[99, 0, "sure", "drawn"]], {}, "99 is not a word of the first"),
        ([[0, -1, "sure", "drawn"]], {}, "-1 is not a word of the second"),
        ([[True, 0, "sure", "drawn"]], {}, "True is not a word"),
        ([["0", 0, "sure", "drawn"]], {}, "'0' is not a word"),
        ([[0, 0, "maybe", "drawn"]], {}, "sure or possible"),
        ([[0, 0, "sure", "imported"]], {}, "drawn or accepted"),
        ([[0, 0, "sure"]], {}, "A link is"),
        ([[0, 0, "sure", "drawn"], [0, 0, "possible", "drawn"]], {}, "twice"),
        ([[0, 0, "sure", "drawn"]], {"null_a": [0]}, "Word 0 of the first"),
        ([[0, 0, "sure", "drawn"]], {"null_b": [0]}, "Word 0 of the second"),
        ([], {"null_a": [99]}, "99 is not a word"),
    ],
)
def test_links_that_cannot_be_are_refused(
    assignment: Assignment, links: list[list[object]], nulls: dict[str, list[int]], told: str
) -> None:
    with pytest.raises(PublicError, match=told):
        link(assignment, links, **nulls)
    assignment.refresh_from_db()
    assert (assignment.version, WordLink.objects.count()) == (0, 0)
