import pytest

from paragold.metrics.competence import fit
from paragold.metrics.third_judgements import differing_twos, most_uncertain, saving

from .test_competence import JUDGEMENTS, LABELS, simulated


def test_two_that_differ_get_a_third():
    items = [{"a": "y", "b": "n"}, {"a": "y", "b": "y"}, {"a": "y"}, {"a": "y", "b": "n", "c": None}]
    items += [{"a": "y", "b": "n", "c": "n"}]
    assert differing_twos(items) == [0, 3]


def test_the_most_uncertain_come_first_and_only_where_something_is_known():
    fitted = fit(JUDGEMENTS, "abc")
    items = most_uncertain(fitted)
    highest = fitted.posterior.max(axis=1)
    assert fitted.identified and items
    assert sorted(items) == [place for place in range(60) if highest[place] <= 0.9]
    assert [highest[place] for place in items] == sorted(highest[place] for place in items)
    assert most_uncertain(fit(simulated(["good", "hasty"], 100)[0], LABELS)) == []


def test_a_third_judgement_is_saved_where_the_first_two_agree():
    assert saving(3, differ=1) == {
        "items": 3, "all_three": 9, "where_two_differ": 7, "saved": pytest.approx(2 / 9),
    }  # fmt: skip
    assert saving(0, differ=0)["saved"] is None
