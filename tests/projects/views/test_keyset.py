"""Pages of lists that are computed for each request."""

from __future__ import annotations

import pytest

from projects.views.keyset import listed_page


@pytest.mark.parametrize(
    ("asked", "rows", "previous", "following"),
    [
        ({}, [0, 1, 2], None, 3),
        ({"after": "3"}, [3, 4, 5], 4, 6),
        ({"after": "6"}, [6], 7, None),
        ({"before": "7"}, [3, 4, 5], 4, 6),
        ({"before": "4"}, [0, 1, 2], None, 3),
        ({"after": "70"}, [0, 1, 2], None, 3),
        ({"after": "x"}, [0, 1, 2], None, 3),
    ],
)
def test_pages_of_a_list(asked, rows, previous, following):
    page = listed_page(range(7), asked, size=3)
    assert (page.rows, page.previous, page.next) == (rows, previous, following)
