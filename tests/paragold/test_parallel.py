import pytest

from paragold import parallel


@pytest.mark.parametrize("cores", [1, 3])
def test_results_come_in_order_and_errors_are_raised(monkeypatch, cores):
    monkeypatch.setattr(parallel, "cores", lambda: cores)
    assert parallel.each(lambda n: n * n, range(20)) == [n * n for n in range(20)]
    assert parallel.each(str, []) == []
    with pytest.raises(ZeroDivisionError):
        parallel.each(lambda n: 1 // n, [2, 1, 0, 3])
