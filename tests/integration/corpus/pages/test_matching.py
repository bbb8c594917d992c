"""Matching by pages, API and command: estimated, launched, followed, its scores shown."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from corpus.models import Extraction
from corpus.services import matching_estimate
from corpus.services.running import run_here
from tests.factories.corpus import ArticleFactory, ClusterFactory, SentenceFactory

FORM = {
    "scope": "project", "clusters": "all", "method": "minhash", "permutations": 64, "threshold": "0.4",
    "stop_words": "the a", "seed": 1,
}  # fmt: skip


@pytest.fixture
def two_stories(house) -> None:
    for key, text in (
        ("rain", "The river rose over its banks on Monday"),
        ("flood", "On Monday a river rose"),
    ):
        cluster = ClusterFactory(project=house.project, key=key)
        for number in range(2):
            SentenceFactory(article=ArticleFactory(cluster=cluster), text=f"{text} again {number}")


def launched(house, **fields: Any) -> Extraction:
    sent = house.manager.post(house.url("candidates/match/"), FORM | fields)
    extraction = house.project.extractions.latest("pk")
    assert sent.headers["Location"] == house.url(f"candidates/extractions/{extraction.pk}/")
    run_here(job=extraction.job)
    return extraction


def test_the_form_shows_the_defaults_and_says_what_is_wrong(house) -> None:
    page = house.manager.get(house.url("candidates/match/")).content.decode()
    assert "&#x27;s a an each either every neither the ’s" in page
    answer = house.manager.post(house.url("candidates/match/"), FORM | {"threshold": "2", "method": "rhyme"})
    assert answer.status_code == 422
    assert "less than or equal to 1" in answer.content.decode()
    assert house.project.extractions.count() == 1


def test_an_estimate_stores_nothing(house, two_stories) -> None:
    answer = house.manager.post(house.url("candidates/match/"), FORM | {"step": "estimate"})
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "What it would find" in page
    assert "sentences sampled" in page
    assert house.project.extractions.count() == 1
    within = house.manager.post(
        house.url("candidates/match/"), FORM | {"step": "estimate", "scope": "clusters"}
    ).content.decode()
    assert "clusters sampled" in within


def test_results_are_shown_with_their_scores(house, two_stories) -> None:
    extraction = launched(house)
    page = house.viewer.get(house.url(f"candidates/extractions/{extraction.pk}/")).content.decode()
    assert "across the whole project" in page
    assert "pairs of two clusters" in page
    assert "a list of one&#x27;s own" in page
    table = house.viewer.get(
        house.url(f"candidates/pairs/?extraction={extraction.pk}&sort=-score")
    ).content.decode()
    finding = extraction.findings.order_by("-score").first()
    assert f'<td class="num">{finding.score:.3f}</td>' in table
    crossing = next(
        f.pair for f in extraction.findings.all() if f.pair.cluster.key == "rain" and f.pair.other_cluster
    )
    pair = house.viewer.get(house.url(f"candidates/pairs/{crossing.pk}/")).content.decode()
    assert "<bdi>rain</bdi></a> and <a" in pair
    assert "Jaccard 0." in pair
    for key in ("rain", "flood"):
        shown = house.viewer.get(house.url(f"candidates/pairs/?cluster={key}")).content.decode()
        assert reverse("pair", args=[house.project.slug, crossing.pk]) in shown
    assert "Score" not in house.viewer.get(house.url("candidates/pairs/")).content.decode()


def test_nothing_found_says_what_to_do(house, two_stories) -> None:
    extraction = launched(house, threshold="1", stop_words="")
    page = house.manager.get(house.url(f"candidates/extractions/{extraction.pk}/")).content.decode()
    assert "come up to the threshold. Lower it" in page


def test_very_many_pairs_have_to_be_confirmed(house, two_stories, monkeypatch) -> None:
    monkeypatch.setattr(matching_estimate, "ROW_CAP", 1)
    answer = house.manager.post(house.url("candidates/match/"), FORM)
    assert answer.status_code == 422
    assert "confirm that they are wanted" in answer.content.decode()
    assert "Match all the same" in answer.content.decode()
    launched(house, confirmed="on")


def test_the_api_estimates_launches_and_lists_scores(house, two_stories) -> None:
    api = f"/api/v1/projects/{house.project.slug}/"
    body = {"method": "exact", "threshold": 0.4, "scope": "project", "stop_words": ["The", "a"]}
    json = "application/json"
    expected = house.manager.post(f"{api}matchings/estimate/", body, content_type=json).json()
    assert (expected["of"], expected["sample"]) == ("sentences", expected["everything"])
    answer = house.manager.post(f"{api}matchings/", body | {"name": "words"}, content_type=json)
    assert answer.status_code == 201
    extraction = Extraction.objects.get(pk=answer.json()["id"])
    assert extraction.job.parameters["matching"]["stop_words"] == ["a", "the"]
    run_here(job=extraction.job)
    pairs = house.manager.get(f"{api}pairs/?extraction={extraction.pk}").json()["items"]
    assert len(pairs) == round(expected["pairs"]) >= 3
    assert all(pair["score"] == pair["jaccard"] >= 0.4 for pair in pairs)
    assert {pair["other_cluster"] for pair in pairs} >= {None, "flood"}
    assert house.manager.get(f"{api}pairs/").json()["items"][0]["score"] is None
    refused = house.manager.post(f"{api}matchings/", body | {"threshold": 0}, content_type=json)
    assert refused.status_code == 400


def test_the_command_matches_here(house, two_stories, tmp_path, capsys) -> None:
    stop_list = tmp_path / "stop.txt"
    stop_list.write_text("the\na\n")
    call_command(
        "match_sentences", "--project", "dams", "--scope", "project", "--method", "exact",
        "--threshold", "0.4", "--stop-words", str(stop_list), "--name", "here",
    )  # fmt: skip
    extraction = house.project.extractions.get(name="here")
    assert capsys.readouterr().out.startswith(f"here: {extraction.findings.count()} pairs, ")
    with pytest.raises(CommandError, match="above 0 and up to 1"):
        call_command("match_sentences", "--project", "dams", "--threshold", "7")
    with pytest.raises(CommandError, match="no readable"):
        call_command("match_sentences", "--project", "dams", "--stop-words", str(tmp_path / "none"))
