"""Matching, near-duplicates and events across shards: the result of one process, however the input is cut."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq
import pytest

from paragold.events.clustering import score_events
from paragold.events.files import cluster_file
from paragold.events.settings import EventSpec
from paragold.extraction.presets import PRESETS
from paragold.matching.files import match_files
from paragold.matching.near_articles import ShingleCoder, near_pairs
from paragold.matching.settings import MatchingSpec
from paragold.problems import FileProblem
from paragold.shards import chain, plan
from paragold.shards.plan_file import read_plan
from tests.paragold.shards.corpora import InThisProcess, as_lines, by_one_process, news, written

DEMO = Path(__file__).parents[3] / "demo" / "corpus.jsonl"


def run(folder: Path, text: str, seed: int = 1) -> dict[str, dict[str, Any]]:
    (folder / "plan.yaml").write_text(text)
    return chain.run_chain(read_plan(folder / "plan.yaml"), folder / f"out-{seed}", InThisProcess(seed))


@pytest.mark.parametrize(("unit", "threshold"), [("sentence", 0.33), ("sentence", 1), ("article", 0.6)])
def test_matches_of_all_shards(
    unit: str, threshold: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "SPLIT_BYTES", 3000)
    corpus = news(5, clusters=30)
    written(tmp_path / "a.jsonl", as_lines(corpus[:20]))
    written(tmp_path / "b.jsonl.gz", as_lines(corpus[20:]))
    texts = []
    for cluster in corpus:
        for article in cluster["articles"]:
            key = f"{cluster['cluster_id']}/{article['id']}"
            sentences = article["sentences"]
            if unit == "article":
                texts.append((key, " ".join(sentences)))
            else:
                texts += [(f"{key}:{place}", text) for place, text in enumerate(sentences)]
    lines = [f"{key}\t{text}" for key, text in texts if text]
    settings = MatchingSpec(method="bands", threshold=threshold, seed=3)
    report = match_files([written(tmp_path / "all.tsv", lines)], settings, tmp_path / "expected.tsv")
    assert report.pairs > 10 or unit == "article"

    step = f"{{step: match, input: [a.jsonl, b.jsonl.gz], threshold: {threshold}, seed: 3, unit: {unit}"
    manifest = run(tmp_path, f"steps:\n  - {step}, shards: 5}}\n")["match"]

    assert manifest["counts"] == {"texts": len(texts), "pairs": report.pairs}
    assert manifest["details"]["pairs_sha256"] == sha256((tmp_path / "expected.tsv").read_bytes()).hexdigest()
    assert manifest["files"].keys() == {f"part-{number:05}.parquet" for number in range(5)}


def test_near_duplicates_of_all_shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "SPLIT_BYTES", 3000)
    monkeypatch.setattr("paragold.shards.steps.near_duplicates._PAIRS_HELD", 50)
    corpus = news(6, clusters=25)
    # The same articles again in another cluster, one of them with a further sentence.
    copies = [{**article, "id": f"copy-{article['id']}"} for article in corpus[0]["articles"]]
    copies[0]["sentences"] = [*copies[0]["sentences"], "a sentence that only this copy has at its end"]
    corpus.append({"cluster_id": "copies", "tokenised": True, "articles": copies})
    written(tmp_path / "a.jsonl", as_lines(corpus[:9]))
    written(tmp_path / "b.jsonl", as_lines(corpus[9:]))
    articles = [(c["cluster_id"], a["id"], a["sentences"]) for c in corpus for a in c["articles"]]
    coder = ShingleCoder()
    codes = [coder.codes(text.split() for text in sentences) for _, _, sentences in articles]
    expected = near_pairs(codes, min_share=0.4)

    step = "{step: near-duplicates, input: [a.jsonl, b.jsonl], min_share: 0.4, shards: 4}"
    manifest = run(tmp_path, f"steps:\n  - {step}\n")["near-duplicates"]

    found = rows(tmp_path / "out-1" / "01-near-duplicates")
    assert manifest["counts"] == {"articles": len(articles), "pairs": len(expected)}
    assert sorted(found) == sorted(
        (*articles[first][:2], *articles[second][:2], share)
        for first, second, share in zip(expected.first, expected.second, expected.scores, strict=True)
    )
    assert sum(share == 1 for *_, share in found) >= 3
    assert found == sorted(found, key=lambda row: [articles.index(a) for a in articles if a[:2] == row[:2]])


def rows(folder: Path) -> list[tuple[Any, ...]]:
    parts = sorted(folder.glob("part-*.parquet"))
    return [tuple(row.values()) for part in parts for row in pq.read_table(part).to_pylist()]


@pytest.mark.parametrize("window", [3, None])
def test_events_of_all_days(window: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "SPLIT_BYTES", 5000)
    monkeypatch.setattr(plan, "UNIT_BYTES", 2000)
    lines = [json.loads(line) for line in DEMO.read_text(encoding="utf-8").splitlines()[:12]]
    random, articles = Random(2), list[dict[str, Any]]()
    for line in lines:
        first = random.randint(0, 9)
        for article in line.get("articles", []):
            own = {**article, "id": f"{line['cluster_id']}-{article['id']}", "gold": line["cluster_id"]}
            articles.append({**own, "published": f"2004-08-{1 + first + random.randint(0, 2):02}"})
    articles.append({"id": "empty", "published": "2004-08-02", "sentences": []})
    random.shuffle(articles)
    half = len(articles) // 2
    for name, some in (("all", articles), ("a", articles[:half]), ("b", articles[half:])):
        written(tmp_path / f"{name}.jsonl", [json.dumps(article) for article in some])
    settings = EventSpec(window_days=window)
    report = cluster_file(tmp_path / "all.jsonl", tmp_path / "expected.jsonl", settings, gold="gold")
    expected = [json.loads(line) for line in (tmp_path / "expected.jsonl").read_text().splitlines()]

    days = "null" if window is None else window
    steps = [f"{{step: events, input: [a.jsonl, b.jsonl], window_days: {days}}}"]
    steps.append("{step: extract, preset: L12-2004, shards: 2}")
    manifests = run(tmp_path, "steps:\n" + "".join(f"  - {step}\n" for step in steps))

    assert manifests["events"]["counts"] == {"articles": report.articles, "clusters": report.clusters}
    parts = sorted((tmp_path / "out-1" / "01-events").glob("part-*.parquet"))
    assert len(parts) > 2
    found = [row for part in parts for row in pq.read_table(part).to_pylist()]
    assert [(row["id"], row["cluster_id"]) for row in found] == [
        (row["id"], row["cluster_id"]) for row in expected
    ]
    gold = {article["id"]: article["gold"] for article in articles if "gold" in article}
    labels = [row["cluster_id"] for row in found]
    assert score_events(labels, [gold[row["id"]] for row in found]) == report.scores
    by_one, _ = by_one_process(
        tmp_path, (tmp_path / "expected.jsonl").read_text().splitlines(), PRESETS["L12-2004"].criteria
    )
    assert manifests["extract"]["details"]["pairs_sha256"] == sha256(by_one).hexdigest()


def test_an_article_without_a_date_is_named(tmp_path: Path) -> None:
    written(
        tmp_path / "a.jsonl",
        ['{"id": "a", "published": "2004-08-01", "text": "One."}', "", '{"id": "b", "text": "Two."}'],
    )
    with pytest.raises(FileProblem, match=r'a\.jsonl, line 3: The article "b" has no date'):
        run(tmp_path, "steps:\n  - {step: events, input: a.jsonl}\n")
    written(tmp_path / "b.jsonl", ['{"id": "a", "published": "2004-08-01", "text": "One."}'] * 2)
    with pytest.raises(FileProblem, match='The id "a" is used twice'):
        run(tmp_path, "steps:\n  - {step: events, input: b.jsonl}\n", seed=2)
