import json

import pytest

import paragold as pg
from paragold.aligners.http_model import ALLOWED
from tests.model_server import model_server, same_words

PAIRS = [(["the", "dam", "broke"], ["a", "dam", "burst"]), (["rain"], ["it", "rained"])]


def answering(**fields):
    return lambda pairs: json.dumps({"pairs": [{"id": pair["id"], **fields} for pair in pairs]}).encode()


def test_links_and_scores_of_a_server():
    with model_server(same_words) as (address, requests):
        links = pg.HttpModel(address, pairs_at_once=1).predict(PAIRS)
    assert list(links["sure"]) == [[(1, 1)], []]
    assert [len(pairs) for pairs in requests] == [1, 1]
    assert requests[0] == [{"id": 1, "source": ["the", "dam", "broke"], "target": ["a", "dam", "burst"]}]
    with model_server(answering(score=0.5)) as (address, _):
        assert pg.HttpModel(address).scores(PAIRS) == [0.5, 0.5]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda pairs: b"<html>", "no JSON object with pairs"),
        (lambda pairs: same_words(pairs[::-1]), "pair 1 is not in its place"),
        (answering(links=[[0, 0], [3, 0]]), r"links of pair 1 that do not fit: \[\[0, 0\], \[3, 0\]\]"),
        (answering(links=[[0, 0], [0, 0]]), "do not fit"),
        (answering(), "do not fit"),
    ],
)
def test_links_that_do_not_fit_are_refused(answer, message):
    with model_server(answer) as (address, _), pytest.raises(ValueError, match=message):
        pg.HttpModel(address).predict(PAIRS)


@pytest.mark.parametrize("score", [None, "1", True, [1], float("nan"), float("inf")])
def test_scores_that_are_no_numbers_are_refused(score):
    with (
        model_server(answering(score=score)) as (address, _),
        pytest.raises(ValueError, match="score of pair 1"),
    ):
        pg.HttpModel(address).scores(PAIRS)


def test_redirections_and_failures_are_refused():
    elsewhere = [("Location", "http://127.0.0.1:1/")]
    with (
        model_server(same_words, 302, elsewhere) as (address, _),
        pytest.raises(ValueError, match="status 302"),
    ):
        pg.HttpModel(address).predict(PAIRS)
    with model_server(same_words, 500) as (address, _), pytest.raises(ValueError, match="status 500"):
        pg.HttpModel(address).predict(PAIRS)
    with pytest.raises(ValueError, match="cannot be asked"):
        pg.HttpModel("http://127.0.0.1:1/").predict(PAIRS)
    with pytest.raises(ValueError, match="cannot be asked"):
        pg.HttpModel("no address").predict(PAIRS)


def test_an_administrator_allows_addresses(monkeypatch):
    with model_server(same_words) as (address, requests):
        monkeypatch.setenv(ALLOWED, f"http://127.0.0.1:1/ {address}")
        assert len(pg.HttpModel(address).predict(PAIRS)) == 2
        monkeypatch.setenv(ALLOWED, "")
        with pytest.raises(ValueError, match=f"not allowed: an administrator adds it to {ALLOWED}"):
            pg.HttpModel(address).predict(PAIRS)
    assert len(requests) == 1
