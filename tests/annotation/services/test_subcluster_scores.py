"""Gold sub-clusters of a project: table 2 as from file to file."""

from collections import Counter
from pathlib import Path

import pytest

from annotation.services.gold import freeze_gold_subclusters, gold_jsonl
from annotation.services.subcluster_scores import scores_of, tuned_for
from corpus.imports import import_corpus
from corpus.models import Article
from corpus.services import headline_matching
from corpus.services.headline_matching import expected_groups, launch_headline_matching, spec_of
from corpus.services.method_settings import settings_in_words
from corpus.specs import ProjectHeadlineSpec
from paragold.formats.gold_jsonl import subclusters_of
from paragold.matching.headlines import HeadlineCosines, HeadlineFile
from paragold.matching.specs import HeadlineSpec
from paragold.matching.sub_clusters import as_json, judged_clusters, scored
from tests.factories.subclusters import headline_cluster, split, splitting_batch

DEMO = Path(__file__).resolve().parents[3] / "demo"


@pytest.fixture
def demo_gold(project, annotators):
    """The demo's headlines, split by one annotator as the demo's sub-clusters say, and frozen."""
    import_corpus(project=project, by=None, path=DEMO / "headlines.jsonl", filename="headlines.jsonl")
    batch = splitting_batch(project, annotators[:1])
    gold = subclusters_of((DEMO / "subclusters.jsonl").read_text(encoding="utf-8"))
    for item in batch.items.select_related("cluster"):
        numbers = {one.article.key: one.number for one in item.headlines.select_related("article")}
        groups = [[numbers[key] for key in group] for group in gold[item.cluster.key]]
        split(item, annotators[0], groups)
    return freeze_gold_subclusters(project=project, by=None, name="heads", batch=batch)


@pytest.mark.parametrize("weights", ["cluster", "file"])
def test_a_project_scores_as_the_files_do(demo_gold, weights):
    settings = HeadlineSpec(weights=weights)
    headlines = HeadlineFile(DEMO / "headlines.jsonl", settings)
    judged = judged_clusters(headlines, subclusters_of(gold_jsonl(demo_gold)))
    expected = scored(judged, settings, headlines.weights)
    assert expected["table"]["right"][3] > 10
    scores = scores_of(demo_gold, settings)
    # The clusters of a gold set come in the order in which they were drawn.
    assert Counter(one.signature() for one in scores["each"]) == Counter(
        one.signature() for one in expected["each"]
    )
    assert (scores["settings"], as_json(scores)) == (expected["settings"], as_json(expected))
    tuned = scores_of(demo_gold, settings, share=0.4)
    assert as_json(tuned) == as_json(scored(judged, settings, headlines.weights, share=0.4))
    assert len(tuned["development_clusters"]) == 3 and tuned["settings"] != settings


def test_kmeans_of_the_project_is_tuned_on_what_people_drew(demo_gold):
    project = demo_gold.project
    judged = judged_clusters(
        HeadlineFile(DEMO / "headlines.jsonl", HeadlineSpec()), subclusters_of(gold_jsonl(demo_gold))
    )
    best = scored(judged, HeadlineSpec())["settings"]
    spec = ProjectHeadlineSpec(method="kmeans")
    extraction = launch_headline_matching(project=project, by=None, spec=spec)
    used = spec_of(extraction.job)
    assert best.pk1 is not None and (used.pk1, used.delta) == (best.pk1, best.delta)
    in_words = dict(settings_in_words(extraction))["Number of groups"]
    assert in_words.startswith(f"PK1 {best.pk1:g}, delta {best.delta}; tuned on 7 clusters of heads")
    expected = expected_groups(project, ProjectHeadlineSpec())
    made = [HeadlineCosines(one.terms).groups(used) for one in judged]
    assert (expected["groups"], expected["headlines"], expected["clusters"]) == (sum(map(len, made)), 114, 7)
    given = launch_headline_matching(project=project, by=None, spec=spec.replace(pk1=1.0), name="paper")
    assert dict(settings_in_words(given))["Number of groups"] == "PK1 1, delta 5"
    # Nothing of held-out clusters is tuned on.
    project.clusters.update(held_out=True)
    held_out, words = tuned_for(project, spec)
    assert held_out.pk1 is None and "too few clusters to tune on" in words


def test_expected_groups_are_extrapolated(project, annotators, monkeypatch):
    for key in ("a", "b", "c", "d"):
        headline_cluster(project, key=key)
    whole = expected_groups(project, ProjectHeadlineSpec())
    assert whole["clusters"] == 4 and "nobody has drawn" in whole["chosen"]
    articles = Article.objects.filter(cluster__project=project).count()
    monkeypatch.setattr(headline_matching, "HEADLINES_SAMPLED", articles // 2)
    half = expected_groups(project, ProjectHeadlineSpec())
    assert (half["clusters"], half["groups"], half["headlines"]) == (2, whole["groups"], whole["headlines"])
    monkeypatch.setattr(headline_matching, "LARGEST_SAMPLED", 2)
    assert expected_groups(project, ProjectHeadlineSpec()) is None
