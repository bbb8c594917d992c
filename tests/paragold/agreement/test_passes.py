from datetime import UTC, datetime, timedelta

import pytest

from paragold.agreement.passes import first_and_last

START = datetime(2026, 3, 1, tzinfo=UTC)


def answers(*labels):
    return [(START + timedelta(minutes=minute), label) for minute, label in enumerate(labels)]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((), (None, None)),
        (("y",), ("y", "y")),
        ((None, "y", "n"), ("y", "n")),
        (("y", None), ("y", None)),
        ((None,), (None, None)),
    ],
)
def test_first_label_and_the_one_that_stands(given, expected):
    assert first_and_last(answers(*given)) == expected


def test_before_a_second_pass_the_mended_label_counts():
    given = answers("y", None, "n", "y")
    assert first_and_last(given, START + timedelta(minutes=3)) == ("n", "y")
    assert first_and_last(given, START) == (None, "y")
    assert first_and_last(given, START + timedelta(days=1)) == ("y", "y")
