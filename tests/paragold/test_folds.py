import pytest

from paragold import parallel
from paragold.folds import FOLDS, curve_sizes, folds, groups_of


def test_every_pair_is_held_out_once():
    parts = folds(range(23), seed=3)
    assert len(parts) == FOLDS
    assert sorted(number for part in parts for number in part) == list(range(23))
    assert {len(part) for part in parts} == {4, 5}
    assert parts == folds(range(23), seed=3) != folds(range(23), seed=4)
    assert len(folds(range(2), seed=1)) == 2


@pytest.mark.parametrize(
    ("pairs", "sizes"),
    [
        (0, []),
        (3, []),
        (4, [3]),
        (10, [5, 8]),
        (70, [5, 10, 20, 50, 56]),
        (500, [5, 10, 20, 50, 100, 200, 400]),
    ],
)
def test_the_curve_ends_with_all_other_folds(pairs, sizes):
    parts = folds(range(pairs), seed=1)
    assert curve_sizes(parts) == sizes
    if sizes:
        assert sizes[-1] <= min(pairs - len(part) for part in parts)


def test_pairs_that_share_a_sentence_are_held_out_together():
    pairs = [(["A", str(n // 3)], [f"b{n}"]) for n in range(30)]
    groups = groups_of([*pairs, (["b0"], ["B3"])])
    assert groups[:6] == [0] * 6 and groups[-1] == 0 and len(set(groups)) == 9
    parts = folds(groups, seed=2)
    assert len(parts) == FOLDS and sorted(n for part in parts for n in part) == list(range(31))
    assert sum(len({groups[n] for n in part}) for part in parts) == 9
    assert folds([0, 0, 0], seed=1) == [[0, 1, 2]] and curve_sizes([[0, 1, 2]]) == []


@pytest.mark.parametrize("cores", [1, 3])
def test_results_come_in_order_and_errors_are_raised(monkeypatch, cores):
    monkeypatch.setattr(parallel, "cores", lambda: cores)
    assert parallel.each(lambda n: n * n, range(20)) == [n * n for n in range(20)]
    assert parallel.each(str, []) == []
    with pytest.raises(ZeroDivisionError):
        parallel.each(lambda n: 1 // n, [2, 1, 0, 3])
