"""A model is asked in batches, its answers are checked, and whatever it does wrong ends with a sentence."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from socket import create_server
from typing import Any

import pytest

from paragold.aligners.program_runs import watched
from paragold.http_models import cached_answers, client
from paragold.http_models.client import ModelError, Session
from paragold.http_models.configuration import HttpModel
from paragold.http_models.network import parse_address
from tests.model_server import LOOPBACK, ModelServer

EXAMPLE = Path(__file__).parents[3] / "docs/examples/http_model.py"
PAIRS = [(f"the cat {number} sat".split(), f"a cat sat {number}".split()) for number in range(10)]
LINKS = [(1, 1), (2, 3), (3, 2)]


def test_batches_versions_and_tokens(server: ModelServer) -> None:
    session = Session(server.model(token="secret"))
    assert session.align(PAIRS) == [LINKS] * 10
    assert session.score(PAIRS[:2]) == [0.6, 0.6]
    assert session.version == "1"
    assert server.paths == ["/health", "/align", "/align", "/align", "/score"]
    assert [len(body["pairs"]) for path, body in server.asked if path == "/align"] == [4, 4, 2]
    assert set(server.tokens) == {"Bearer secret"}
    assert "secret" not in repr(server.model(token="secret"))


def test_long_sentences_go_in_requests_of_their_own(server: ModelServer) -> None:
    long = (["word"] * 15_000, ["other"])
    Session(server.model()).score([long, long[::-1], PAIRS[0]])
    assert [len(body["pairs"]) for path, body in server.asked[1:]] == [1, 2]


def test_empty_sides_are_not_asked_for(server: ModelServer) -> None:
    assert Session(server.model()).align([([], ["a"]), (["a"], ["a"]), (["a"], [])]) == [[], [(0, 0)], []]
    assert server.asked[-1][1]["pairs"] == [{"source": ["a"], "target": ["a"]}]


def answers(text: str) -> Any:
    return lambda answer: text.encode()


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            lambda answer: answer | {"links": [[[1, 4]], *answer["links"][1:]]},
            r"pair 0 of 4 and 4 tokens has the link \(1, 4\)",
        ),
        (lambda answer: answer | {"links": [[[-1, 0]], *answer["links"][1:]]}, "greater than or equal to 0"),
        (lambda answer: answer | {"links": [[[0, 0, 0]], *answer["links"][1:]]}, "at most 2 items"),
        (lambda answer: answer | {"links": [[[True, 0]], *answer["links"][1:]]}, "valid integer"),
        (lambda answer: answer | {"links": [[[0.5, 0]], *answer["links"][1:]]}, "valid integer"),
        (
            lambda answer: answer | {"links": [[[1, 1], [1, 1]], *answer["links"][1:]]},
            "pair 0 of 4 and 4 tokens has a link twice",
        ),
        (lambda answer: answer | {"links": answer["links"][1:]}, r"\(4 pairs were sent\)"),
        (lambda answer: answer | {"links": [*answer["links"], []]}, r"\(4 pairs were sent\)"),
        (lambda answer: {"links": answer["links"]}, "version Field required"),
        (lambda answer: answer | {"version": "a b|c"}, "version String should match"),
        (lambda answer: {"version": "1"}, "links Field required"),
        (lambda answer: [], "valid"),
        (answers("not JSON"), "Invalid JSON"),
        (answers("[" * 100_000), "Invalid JSON"),
        (answers('{"version": "1", "links": \xff}'), "Invalid JSON"),
    ],
)
def test_links_that_are_not_allowed(server: ModelServer, change: Any, expected: str) -> None:
    server.change = change
    with pytest.raises(ModelError, match=expected) as caught:
        Session(server.model()).align(PAIRS)
    assert "The model toy" in str(caught.value)
    assert server.paths == ["/health", "/align"]


@pytest.mark.parametrize("score", [float("nan"), float("inf"), "0.5", None, True])
def test_scores_that_are_not_numbers(server: ModelServer, score: Any) -> None:
    server.score = lambda source, target: score
    with pytest.raises(ModelError, match="not valid"):
        Session(server.model()).score(PAIRS)


def test_an_infinite_number_in_digits(server: ModelServer) -> None:
    server.change = answers('{"version": "1", "scores": [1e999, 0, 0, 0]}')
    with pytest.raises(ModelError, match="finite"):
        Session(server.model()).score(PAIRS)


def test_a_changed_version_stops_the_work(server: ModelServer) -> None:
    session = Session(server.model())
    session.score(PAIRS[:4])
    server.version = "2"
    with pytest.raises(ModelError, match="has version 2, but this work uses 1"):
        session.score(PAIRS[4:])
    with pytest.raises(ModelError, match="has version 2, but this work uses 1"):
        Session(server.model(), version="1").score(PAIRS)


def test_a_model_that_does_not_do_this_work(server: ModelServer) -> None:
    server.health = {"align": True}
    with pytest.raises(ModelError, match="does not score pairs"):
        Session(server.model()).score(PAIRS)
    server.health = {"score": True}
    with pytest.raises(ModelError, match="does not align words"):
        Session(server.model()).align(PAIRS)


def test_a_late_answer_is_given_up_and_not_asked_for_again(server: ModelServer) -> None:
    server.delay = 5
    started = time.monotonic()
    with pytest.raises(ModelError, match=r"longer than 1 s.*PARAGOLD_HTTP_MODEL_SECONDS"):
        Session(server.model(seconds=1.0)).score(PAIRS)
    assert time.monotonic() - started < 4
    assert server.paths == ["/health", "/score"]


def test_an_answer_that_was_cut_is_asked_for_again(server: ModelServer) -> None:
    server.cut = 2
    assert Session(server.model()).score(PAIRS[:4]) == [0.6] * 4
    assert server.paths == ["/health", "/score", "/score", "/score"]


def test_a_model_that_stays_broken_is_given_up_after_three_tries(server: ModelServer) -> None:
    server.status = 503
    with pytest.raises(ModelError, match="status 503"):
        Session(server.model()).score(PAIRS)
    assert server.paths == ["/health", *["/score"] * 3]


@pytest.mark.parametrize(("status", "expected"), [(500, "status 500"), (404, "status 404"), (401, "token")])
def test_an_error_of_the_model_is_not_asked_for_again(
    server: ModelServer, status: int, expected: str
) -> None:
    server.status = status
    with pytest.raises(ModelError, match=expected):
        Session(server.model()).score(PAIRS)
    assert server.paths == ["/health", "/score"]


def test_a_redirect_is_not_followed(server: ModelServer) -> None:
    server.status, server.headers = 307, {"Location": f"http://127.0.0.1:{server.port}/elsewhere"}
    with pytest.raises(ModelError, match=r"redirects \(307\), which is not followed"):
        Session(server.model()).score(PAIRS)
    assert server.paths == ["/health", "/score"]


def test_a_gigantic_answer_is_not_read(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "MAX_BYTES", 1 << 20)
    server.change = lambda answer: json.dumps(answer).encode() + b" " * (2 << 20)
    with pytest.raises(ModelError, match="larger than 1 MB"):
        Session(server.model()).score(PAIRS)


def free_port() -> int:
    """A port of the loopback at which nothing listens."""
    with create_server(("127.0.0.1", 0)) as closed:
        return int(closed.getsockname()[1])


def test_nobody_at_the_address(server: ModelServer) -> None:
    server.port = free_port()
    with pytest.raises(ModelError, match=r"did not answer: connection refused.*Start the model"):
        Session(server.model()).score(PAIRS)


def test_inner_addresses_are_refused_unless_named(server: ModelServer) -> None:
    with pytest.raises(ModelError, match=r"not a public address.*PARAGOLD_HTTP_MODEL_NETWORKS"):
        Session(server.model(networks=())).score(PAIRS)
    assert server.asked == []


def test_answers_are_kept_and_a_repeat_asks_nothing(server: ModelServer, kept: Path) -> None:
    first = Session(server.model())
    found = first.score(PAIRS), first.align(PAIRS)
    asked = len(server.asked)
    again = Session(server.model(), version="1")
    assert (again.score(PAIRS), again.align(PAIRS)) == found
    assert again.known_scores([PAIRS[0], (["new"], ["new"])]) == [0.6, None]
    assert Session(server.model()).known_scores(PAIRS[:2]) == [None, None]
    assert len(server.asked) == asked
    server.version = "2"
    assert Session(server.model()).score(PAIRS[:1]) == [0.6]
    assert server.paths[asked:] == ["/health", "/score"]


def test_what_was_answered_before_the_model_failed_is_not_asked_for_again(
    server: ModelServer, kept: Path
) -> None:
    server.change = lambda answer: b"{" if len(server.asked) > 2 else answer
    with pytest.raises(ModelError, match="not valid"):
        Session(server.model()).score(PAIRS)
    server.change = lambda answer: answer
    del server.asked[:]
    assert Session(server.model()).score(PAIRS) == [0.6] * 10
    assert [len(body.get("pairs", [])) for _, body in server.asked] == [0, 4, 2]


def test_only_so_many_answers_are_kept(
    server: ModelServer, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached_answers, "MAX_ANSWERS", 5)
    session = Session(server.model())
    session.score(PAIRS)
    assert [score is not None for score in session.known_scores(PAIRS)] == [False] * 5 + [True] * 5


def test_a_damaged_file_costs_time_alone(server: ModelServer, kept: Path) -> None:
    kept.parent.mkdir()
    kept.write_bytes(b"not a database" * 1000)
    assert Session(server.model()).score(PAIRS) == [0.6] * 10
    assert cached_answers.model_state(server.model()).version == ""


def test_the_file_is_private(server: ModelServer, kept: Path) -> None:
    Session(server.model()).score(PAIRS)
    assert kept.parent.stat().st_mode & 0o077 == 0
    with sqlite3.connect(kept) as database:
        assert database.execute("SELECT count(*) FROM answers").fetchone() == (11,)


def test_health_is_noted_and_its_last_valid_answer_stays(server: ModelServer, kept: Path) -> None:
    assert cached_answers.model_state(server.model()).asked_at == ""
    assert Session(server.model()).health.max_pairs == 4
    server.health = {"align": "yes"}
    with pytest.raises(ModelError, match="align Input should be a valid boolean"):
        _ = Session(server.model()).health
    state = cached_answers.model_state(server.model())
    assert (state.version, state.scores, state.asked_at[:2]) == ("1", True, "20")
    assert "align Input should be" in state.problem


def test_work_that_is_no_longer_wanted_stops(server: ModelServer) -> None:
    class Stopped(Exception):
        pass

    def stop() -> None:
        raise Stopped

    with pytest.raises(Stopped), watched(stop):
        Session(server.model()).score(PAIRS)
    assert server.asked == []


def test_the_reference_server_killed_in_the_middle(
    tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "PAUSES", (0.05, 0.05))
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 60
    port = free_port()
    command = [sys.executable, str(EXAMPLE), str(port)]
    server = subprocess.Popen(command, env={"MODEL_TOKEN": "word"}, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 20
        model = HttpModel("example", parse_address(f"http://127.0.0.1:{port}/"), "word", LOOPBACK)
        while True:
            try:
                health = Session(model).health
                break
            except ModelError:
                assert time.monotonic() < until
        assert (health.align, health.score) == (True, True)
        session = Session(model)
        assert session.align(PAIRS) == [LINKS] * 10
        assert session.score([(["A", "b"], ["a", "c"])]) == [1 / 3]
        with pytest.raises(ModelError, match="Correct its token"):
            Session(HttpModel("example", model.address, "wrong", LOOPBACK)).score(PAIRS)
    finally:
        server.kill()
        server.wait()
    with pytest.raises(ModelError, match="did not answer"):
        session.score(PAIRS)
    assert session.align(PAIRS) == [LINKS] * 10
