"""Matching by pages, API and command: estimated, launched, followed, its scores shown."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from corpus.models import Extraction
from corpus.services import matching
from corpus.specs import ProjectMatchingSpec
from jobs.services.running import run_here
from paragold.matching import expected_pairs
from paragold.matching.specs import STOP_WORDS
from tests.factories.corpus import ArticleFactory, ClusterFactory, SentenceFactory

FORM = {
    "scope": "project", "clusters": "all", "method": "minhash", "permutations": 64, "max_entry": 500,
    "threshold": "0.4",
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
    assert "at most 1; it is 2" in answer.content.decode()
    assert house.project.extractions.count() == 1


def test_an_estimate_of_a_small_project_is_what_the_job_finds(house, two_stories) -> None:
    """Texts that come again in other clusters count once, as in the job."""
    for key in ("one", "two", "three"):
        cluster = ClusterFactory(project=house.project, key=key)
        for text in ("Sign up for our daily news letter", "Sign up for our daily news letter today"):
            SentenceFactory(article=ArticleFactory(cluster=cluster), text=text)
    for scope in ("clusters", "project"):
        spec = ProjectMatchingSpec(method="exact", threshold=0.4, scope=scope)
        expected = matching.estimate(project=house.project, spec=spec).expected
        extraction = launched(house, method="exact", stop_words=" ".join(STOP_WORDS), scope=scope)
        assert extraction.job.counts["pairs_kept"] == expected.pairs == expected.low == expected.high > 0


def test_a_sample_gives_an_interval_and_the_same_answer_again(house, two_stories, monkeypatch) -> None:
    for number in range(40):
        article = ArticleFactory(cluster=house.project.clusters.get(key="rain"))
        SentenceFactory(article=article, text=f"The river rose over its banks on Monday in town {number}")
    monkeypatch.setattr(matching, "expected_pairs", partial(expected_pairs.expected_pairs, max_texts=10))
    spec = ProjectMatchingSpec(method="exact", threshold=0.4, scope="project")
    first, second = (matching.estimate(project=house.project, spec=spec).expected for _ in range(2))
    assert first == second
    assert first.low < first.pairs < first.high
    assert (first.complete, first.rows) == (False, 10)
    page = house.manager.post(house.url("candidates/match/"), FORM | {"step": "estimate"}).content.decode()
    assert "95 % interval" in page


def test_what_is_too_large_is_not_estimated_and_says_why(house, two_stories, monkeypatch) -> None:
    monkeypatch.setattr(matching, "MAX_SENTENCES", 3)
    page = house.manager.post(house.url("candidates/match/"), FORM | {"step": "estimate"}).content.decode()
    assert "Not estimated" in page and "too many" in page


def test_results_are_shown_with_their_scores(house, two_stories) -> None:
    extraction = launched(house)
    page = house.viewer.get(house.url(f"candidates/extractions/{extraction.pk}/")).content.decode()
    assert "across the whole project" in page
    assert "pairs of two clusters" in page
    assert "a the" in page
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


def test_the_command_matches_here(house, two_stories, tmp_path, capsys) -> None:
    stop_list = tmp_path / "stop.txt"
    stop_list.write_text("the\na\n")
    call_command(
        "match_sentences", "--project", "dams", "--scope", "project", "--method", "exact",
        "--threshold", "0.4", "--stop-words", str(stop_list), "--name", "here",
    )  # fmt: skip
    extraction = house.project.extractions.get(name="here")
    assert capsys.readouterr().out.startswith(f"here: {extraction.findings.count()} pairs, ")
    with pytest.raises(CommandError, match="above 0 and at most 1"):
        call_command("match_sentences", "--project", "dams", "--threshold", "7")
    with pytest.raises(CommandError, match="not readable"):
        call_command("match_sentences", "--project", "dams", "--stop-words", str(tmp_path / "none"))


def test_a_matching_is_called_after_method_threshold_and_scope(house, two_stories) -> None:
    names = [
        launched(house, method="minhash", permutations=64, threshold="0.4", scope="project").name,
        launched(house, method="exact", threshold="0.33", scope="clusters", clusters="rest").name,
        launched(house, name="my own").name,
    ]
    assert names == [
        "MinHash 64, 0.4, across the whole project",
        "Exact Jaccard 0.33, within clusters, clusters not held out",
        "my own",
    ]
