from __future__ import annotations

from itertools import combinations
from unittest import mock

import pytest
from django.db.models import F

from corpus.models import Finding, HeldOut, Sentence
from corpus.services import matching
from corpus.services.datasets import freeze_dataset
from corpus.services.matching import launch_matching
from corpus.specs import ProjectMatchingSpec
from jobs.models import JobState
from jobs.services.running import run_here
from paragold.matching.similar_pairs import content_words
from projects.errors import PublicError
from tests.factories.corpus import ArticleFactory, ClusterFactory, ProjectFactory, SentenceFactory
from tests.paragold.text.tiny_encoder import write_encoder

pytestmark = pytest.mark.django_db

STORIES = {
    "flood": [
        ["The river rose over its banks on Monday.", "Two bridges were closed."],
        ["On Monday the river rose over its banks again.", "Read more about the weather."],
    ],
    "storm": [
        ["A storm closed two bridges in the north.", "The river rose over its banks."],
        ["Bridges in the north were closed by a storm.", "Read more about the weather!"],
    ],
    "strike": [["The river rose over its banks on Monday again.", "Nobody came."], ["Drivers walked out."]],
}


@pytest.fixture
def project():
    """Three clusters, of which "strike" is held out."""
    project = ProjectFactory()
    for key, articles in STORIES.items():
        cluster = ClusterFactory(project=project, key=key, held_out=key == "strike")
        for sentences in articles:
            article = ArticleFactory(cluster=cluster)
            for text in sentences:
                SentenceFactory(article=article, text=text)
    return project


def match(project, scope="project", **chosen):
    spec = ProjectMatchingSpec(**{"method": "exact", "threshold": 0.4, "scope": scope, **chosen})
    extraction = launch_matching(project=project, by=None, spec=spec)
    run_here(job=extraction.job)
    assert (extraction.job.state, extraction.job.error) == (JobState.DONE, "")
    return extraction


def found(extraction):
    rows = extraction.findings.values_list("pair__sentence_a", "pair__sentence_b", "score", "jaccard")
    return {(a, b): (score, jaccard) for a, b, score, jaccard in rows}


def told(project, scope, threshold):
    """By the definitions, text by text: Jaccard of the pairs that are kept, and of those left out, by why."""
    sentences = Sentence.objects.filter(article__cluster__project=project).order_by("pk")
    pairs: dict[str, dict[tuple[int, int], float]] = {"kept": {}, "held out": {}, "same text": {}}
    for a, b in combinations(sentences.select_related("article__cluster"), 2):
        one, other = a.article.cluster, b.article.cluster
        words = [content_words(sentence.text) for sentence in (a, b)]
        jaccard = len({*words[0]} & {*words[1]}) / len({*words[0]} | {*words[1]})
        plain = [[token for token in s.tokens.lower().split() if token.isalnum()] for s in (a, b)]
        if a.article_id == b.article_id or (scope == "clusters" and one != other) or jaccard < threshold:
            continue
        kind = "same text" if plain[0] == plain[1] else "held out"
        kind = "kept" if plain[0] != plain[1] and one.held_out == other.held_out else kind
        pairs[kind][a.pk, b.pk] = jaccard
    return pairs


def expected(project, scope, threshold=0.4):
    return told(project, scope, threshold)["kept"]


@pytest.mark.parametrize("scope", ["clusters", "project"])
@pytest.mark.parametrize("block", [3, 10_000])
def test_exact_matching_finds_what_the_definitions_say(project, scope, block):
    with mock.patch.dict(matching.BLOCK, exact=block):
        extraction = match(project, scope)
    definition = told(project, scope, 0.4)
    pairs = definition["kept"]
    assert len(pairs) >= 2
    assert found(extraction) == {pair: (pytest.approx(j), pytest.approx(j)) for pair, j in pairs.items()}
    counts = extraction.job.counts
    assert counts["pairs_kept"] == len(pairs) == extraction.datasets.get().size
    assert bool(counts["pairs_across_clusters"]) == (scope == "project")
    assert counts["rejected_same_text"] == len(definition["same text"]) == (scope == "project")
    assert counts["rejected_held_out"] == len(definition["held out"])
    assert bool(definition["held out"]) == (scope == "project")
    assert counts["pairs_compared"] == {"clusters": 15, "project": 55}[scope]


def test_estimates_stand_beside_the_exact_jaccard(project):
    findings = found(match(project, method="minhash", permutations=16, threshold=0.2))
    assert findings
    assert all(score * 16 == round(score * 16) >= 3 for score, _ in findings.values())
    truth = expected(project, "project", threshold=0.01)
    assert {pair: jaccard for pair, (_, jaccard) in findings.items()} == {
        pair: pytest.approx(truth[pair]) for pair in findings
    }


def test_pairs_join_those_of_other_extractions(project):
    """A pair is one row, whichever methods found it; each finding has its own score."""
    within, across = match(project, "clusters"), match(project, method="minhash", threshold=0.1)
    assert project.pairs.count() == len({*found(within), *found(across)})
    pair = within.findings.values("pair")[:1]
    assert Finding.objects.filter(pair__in=pair).count() == 2


def test_datasets_of_either_side_divide_the_pairs(project):
    extraction = match(project, threshold=0.05)
    crossing = project.pairs.exclude(cluster=F("sentence_b__article__cluster"))
    assert crossing.exists()
    assert not project.pairs.exclude(cluster__held_out=F("sentence_b__article__cluster__held_out")).exists()
    rest = freeze_dataset(project=project, name="rest", extractions=[extraction], held_out=HeldOut.REST)
    assert not rest.pairs().filter(sentence_b__article__cluster__held_out=True).exists()


def test_by_meaning_it_needs_the_encoder_of_the_installation(project, tmp_path, monkeypatch):
    monkeypatch.delenv("PARAGOLD_ENCODER", raising=False)
    with pytest.raises(PublicError, match="PARAGOLD_ENCODER names no folder") as error:
        match(project, method="meaning")
    assert error.value.field == "encoder"
    folder = write_encoder(tmp_path / "tiny")
    monkeypatch.setenv("PARAGOLD_ENCODER", str(folder))
    with pytest.raises(PublicError, match="Choose default"):
        match(project, method="meaning", encoder=str(folder))
    with mock.patch.dict(matching.BLOCK, meaning=3):
        extraction = match(project, method="meaning", threshold=0.6)
    pairs = found(extraction)
    assert 0.6 <= min(score for score, _ in pairs.values()) < 1
    assert pairs == found(match(project, method="meaning", threshold=0.6))
    assert {jaccard for _, jaccard in pairs.values()} != {score for score, _ in pairs.values()}
    assert "encoder:" in extraction.signature
    spec = ProjectMatchingSpec(method="meaning", threshold=0.6, scope="project")
    expected, _ = matching.estimate(project=project, spec=spec)
    assert expected["complete"] and expected["pairs"] >= len(pairs)
