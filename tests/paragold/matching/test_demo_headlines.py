"""The demo's headlines and their sub-clusters, and what the docs say of them."""

import json
from pathlib import Path

from paragold.formats.judgements.subclusters_jsonl import read
from paragold.matching.headline_files import HeadlineFile
from paragold.matching.headlines import HeadlineSpec
from paragold.matching.sub_clusters import METHOD_NAMES, SubClusterScores, part_name, scored
from paragold.sources.headlines import read_headlines

ROOT = Path(__file__).resolve().parents[3]
HEADLINES, GOLD = ROOT / "demo/headlines.jsonl", ROOT / "demo/subclusters.jsonl"


def sub_clusters() -> dict[str, list[list[str]]]:
    return read(GOLD)


def scores(weights: str) -> SubClusterScores:
    settings = HeadlineSpec(weights=weights)
    headlines = HeadlineFile(HEADLINES, settings)
    return scored(headlines.judged(sub_clusters()), settings, headlines.weights)


def test_each_story_has_sub_clusters_and_single_headlines() -> None:
    gold = sub_clusters()
    clusters = read_headlines(HEADLINES)
    assert len(clusters) >= 5 and [cluster.key for cluster in clusters] == list(gold)
    for cluster in clusters:
        assert 8 <= len(cluster.headlines) <= 20
        keys = [headline.key for headline in cluster.headlines]
        grouped = [key for group in gold[cluster.key] for key in group]
        assert set(grouped) < set(keys) and len(set(grouped)) == len(grouped)
        assert len(gold[cluster.key]) >= 2 and all(len(group) > 1 for group in gold[cluster.key])
    for line in HEADLINES.read_text(encoding="utf-8").splitlines():
        assert all(headline["snippet"] for headline in json.loads(line)["headlines"])


def test_the_docs_have_table_2_as_it_comes_out() -> None:
    page = (ROOT / "docs/matching.md").read_text(encoding="utf-8")
    cluster, file = (scores(weights).table for weights in ("cluster", "file"))
    for one, other in zip(cluster, file, strict=True):
        figures = " | ".join(
            f"{counts.precision:.2f} / {counts.recall:.2f}" for counts in (one.counts, other.counts)
        )
        assert f"| {METHOD_NAMES[one.method]}, {part_name(one)} | {figures} |" in page
