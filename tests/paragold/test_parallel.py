import pytest

from paragold import parallel


@pytest.mark.parametrize("cores", [1, 3])
def test_results_come_in_order(monkeypatch, cores):
    monkeypatch.setattr(parallel, "cores", lambda: cores)
    assert parallel.each(lambda n: n * n, range(20)) == [n * n for n in range(20)]
    assert parallel.each(str, []) == []


@pytest.mark.parametrize("cores", [1, 3])
def test_an_error_of_a_part_is_raised(monkeypatch, cores):
    monkeypatch.setattr(parallel, "cores", lambda: cores)
    with pytest.raises(ZeroDivisionError):
        parallel.each(lambda n: 1 // n, [2, 1, 0, 3])


def test_there_is_a_core():
    assert parallel.cores() >= 1
