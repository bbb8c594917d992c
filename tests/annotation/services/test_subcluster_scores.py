"""Gold sub-clusters of a project: table 2 as from file to file."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.models import GoldSubclusterSet
from annotation.services import subcluster_scores as service
from annotation.services.gold import freeze_gold_subclusters, gold_jsonl
from annotation.services.subcluster_scores import scores_of
from corpus.services.importing import import_corpus
from paragold.formats.judgements.subclusters_jsonl import loads
from paragold.matching.headline_files import HeadlineFile
from paragold.matching.headlines import HeadlineSpec
from paragold.matching.sub_clusters import scored
from projects.errors import PublicError
from tests.factories.subclusters import headline_cluster, split, splitting_batch

DEMO = Path(__file__).resolve().parents[3] / "demo"


@pytest.fixture
def demo_gold(project, annotators) -> GoldSubclusterSet:
    """The demo's headlines, split by one annotator as the demo's sub-clusters say, and frozen."""
    import_corpus(project=project, by=None, path=DEMO / "headlines.jsonl", filename="headlines.jsonl")
    batch = splitting_batch(project, annotators[:1])
    gold = loads((DEMO / "subclusters.jsonl").read_text(encoding="utf-8"))
    for item in batch.items.select_related("cluster"):
        numbers = {one.article.key: one.number for one in item.headlines.select_related("article")}
        groups = [[numbers[key] for key in group] for group in gold[item.cluster.key]]
        split(item, annotators[0], groups)
    return freeze_gold_subclusters(project=project, by=None, name="heads", batch=batch)


@pytest.mark.parametrize("weights", ["cluster", "file"])
def test_a_project_scores_as_the_files_do(demo_gold, weights):
    settings = HeadlineSpec(weights=weights)
    headlines = HeadlineFile(DEMO / "headlines.jsonl", settings)
    judged = headlines.judged(loads(gold_jsonl(demo_gold)))
    expected = scored(judged, settings, headlines.weights)
    assert expected.table[3].counts.right > 10
    assert scores_of(demo_gold, settings) == expected
    tuned = scores_of(demo_gold, settings, share=0.4)
    assert tuned == scored(judged, settings, headlines.weights, share=0.4)
    assert len(tuned.development_keys) == 3 and tuned.settings != settings


def frozen(project, annotator) -> GoldSubclusterSet:
    batch = splitting_batch(project, [annotator])
    for item in batch.items.all():
        split(item, annotator, [[1, 2], [3, 4]])
    return freeze_gold_subclusters(project=project, by=None, name="gold", batch=batch)


def test_repeated_headlines_are_left_out(project, annotators):
    headline_cluster(
        project, ["Dam gives way", "DAM GIVES WAY!", "Rain eases", "Rain has eased", "Fair opens"]
    )
    scores = scores_of(frozen(project, annotators[0]), HeadlineSpec())
    assert (scores.sub_clusters, scores.clustered, scores.unclustered) == (1, 2, 2)


def test_what_cannot_be_scored_is_said(project, annotators, monkeypatch):
    gold_set = frozen(project, annotators[0])
    with pytest.raises(PublicError, match="Tuning needs at least two clusters"):
        scores_of(gold_set, HeadlineSpec(), share=0.5)
    monkeypatch.setattr(service, "MAX_CLUSTERS", 0)
    with pytest.raises(PublicError, match="this set has 1"):
        scores_of(gold_set, HeadlineSpec())
    monkeypatch.undo()
    gold_set.project.language = "ja"
    with pytest.raises(PublicError, match="no stemmer"):
        scores_of(gold_set, HeadlineSpec())
