import numpy as np
import pytest
from hypothesis import given, strategies as st
from statsmodels.stats.proportion import proportion_confint

from paragold import parallel
from paragold.folds import FOLDS, curve_sizes, folds, groups_of
from paragold.statistics import holm, percentile_interval, wilson_interval


def test_percentiles_and_holm_by_hand():
    assert percentile_interval(np.arange(101.0)) == (2.5, 97.5)
    assert percentile_interval(np.array([np.nan, 2.0, np.nan])) == (2, 2)
    assert percentile_interval(np.array([np.nan])) is None
    assert holm([0.04, 0.01, 0.03, 0.005]) == pytest.approx([0.06, 0.03, 0.06, 0.02])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([0.02]) == [0.02]
    assert holm([]) == []


@given(st.integers(1, 3000).flatmap(lambda items: st.tuples(st.integers(0, items), st.just(items))))
def test_interval_equals_statsmodels(proportion):
    count, items = proportion
    assert wilson_interval(count, items) == pytest.approx(
        proportion_confint(count, items, method="wilson"), abs=1e-9
    )


def test_folds_hold_every_pair_out_once_and_keep_sentences_together():
    parts = folds(range(23), seed=3)
    assert len(parts) == FOLDS
    assert sorted(number for part in parts for number in part) == list(range(23))
    assert {len(part) for part in parts} == {4, 5}
    assert parts == folds(range(23), seed=3) != folds(range(23), seed=4)
    assert len(folds(range(2), seed=1)) == 2
    pairs = [(["A", str(n // 3)], [f"b{n}"]) for n in range(30)]
    groups = groups_of([*pairs, (["b0"], ["B3"])])
    assert groups[:6] == [0] * 6 and groups[-1] == 0 and len(set(groups)) == 9
    parts = folds(groups, seed=2)
    assert len(parts) == FOLDS and sorted(n for part in parts for n in part) == list(range(31))
    assert sum(len({groups[n] for n in part}) for part in parts) == 9
    assert folds([0, 0, 0], seed=1) == [[0, 1, 2]] and curve_sizes([[0, 1, 2]]) == []


@pytest.mark.parametrize(
    ("pairs", "sizes"), [(0, []), (4, [3]), (10, [5, 8]), (500, [5, 10, 20, 50, 100, 200, 400])]
)
def test_the_curve_ends_with_all_other_folds(pairs, sizes):
    parts = folds(range(pairs), seed=1)
    assert curve_sizes(parts) == sizes
    if sizes:
        assert sizes[-1] <= min(pairs - len(part) for part in parts)


@pytest.mark.parametrize("cores", [1, 3])
def test_results_come_in_order_and_errors_are_raised(monkeypatch, cores):
    monkeypatch.setattr(parallel, "cores", lambda: cores)
    assert parallel.each(lambda n: n * n, range(20)) == [n * n for n in range(20)]
    assert parallel.each(str, []) == []
    with pytest.raises(ZeroDivisionError):
        parallel.each(lambda n: 1 // n, [2, 1, 0, 3])
