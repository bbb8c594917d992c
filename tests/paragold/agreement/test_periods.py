from datetime import UTC, datetime, timedelta

import pytest

from paragold.agreement.periods import days, first_and_last, tenths

START = datetime(2026, 3, 1, 22, tzinfo=UTC)


def finished(number):
    return [(START + timedelta(hours=hour), (f"label {hour}",)) for hour in range(number)]


def test_tenths_are_equal_parts_in_the_order_of_time():
    periods = tenths(finished(23)[::-1])
    assert [len(period.units) for period in periods] == [2, 2, 2, 3, 2, 2, 3, 2, 2, 3]
    assert [period.name for period in periods] == [str(number) for number in range(1, 11)]
    assert [unit for period in periods for unit in period.units] == [unit for _, unit in finished(23)]
    assert (periods[0].first, periods[0].last) == (START, START + timedelta(hours=1))


def test_fewer_items_than_parts_give_fewer_parts():
    assert [period.units for period in tenths(finished(2))] == [(("label 0",),), (("label 1",),)]
    assert tenths([]) == []


def test_days_with_work():
    entries = [*finished(3), (START + timedelta(days=3), ("y",))]
    assert [(period.name, len(period.units)) for period in days(entries)] == [
        ("2026-03-01", 2),
        ("2026-03-02", 1),
        ("2026-03-04", 1),
    ]
    assert days([]) == []


FIRST = datetime(2026, 3, 1, tzinfo=UTC)


def answers(*labels):
    return [(FIRST + timedelta(minutes=minute), label) for minute, label in enumerate(labels)]


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
    assert first_and_last(given, FIRST + timedelta(minutes=3)) == ("n", "y")
    assert first_and_last(given, FIRST) == (None, "y")
    assert first_and_last(given, FIRST + timedelta(days=1)) == ("y", "y")
