"""Gold as tables, in splits, approved pairs alone, with a data card; lost files come back as they were."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError, call_command

from alignment.models import GoldAlignmentSet
from alignment.services.export_store import export_path
from alignment.services.exporting import ExportOptions
from alignment.services.gold_exports import export_file, export_gold
from annotation.models import GoldSet, Label
from paragold.formats.manifest import verify
from paragold.formats.pairs.splits import Splits
from projects.errors import PublicError
from projects.models import Project
from tests.factories.alignment import gold_alignment_set
from tests.factories.annotation import gold_set as make_gold_set
from tests.factories.corpus import ProjectFactory, member
from tests.factories.exports import export_contents

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    project = ProjectFactory()
    gold_alignment_set(project, [member(project, "annotator", name) for name in ("ann", "ben")])
    return project


@pytest.fixture
def gold(project: Project) -> dict[str, GoldSet | GoldAlignmentSet]:
    return {"gold_set": project.gold_sets.get(), "gold_links": project.gold_alignment_sets.get()}


def dispute(gold_set: GoldSet) -> None:
    """Makes the annotators differ on the first pair."""
    first = gold_set.judgements.first()
    first.votes[0]["label"], first.votes[1]["label"] = Label.PARAPHRASE, Label.NOT_PARAPHRASE
    first.save()


def test_parquet_and_csv_hold_every_pair_with_types(gold) -> None:
    dispute(gold["gold_set"])
    contents, _ = export_contents(**gold, options=ExportOptions(wanted="parquet"))
    judged = pq.read_table(io.BytesIO(contents["pairs.parquet"])).to_pylist()
    stored = list(gold["gold_set"].judgements.select_related("item__pair__sentence_a"))
    assert [(row["label"], row["text_a"]) for row in judged] == [
        (one.label, one.item.pair.sentence_a.text) for one in stored
    ]
    assert [row["approved"] for row in judged] == [False, *[True] * (len(stored) - 1)]
    assert {(row["label_count"], row["adjudicated"]) for row in judged} == {(2, False)}
    linked = pq.read_table(io.BytesIO(contents["links.parquet"])).to_pylist()
    rows = list(gold["gold_links"].alignments.all())
    assert [row["sure"] for row in linked] == [
        " ".join(f"{a}-{b}" for a, b, strength in one.links if strength == "sure") for one in rows
    ]
    tables, _ = export_contents(**gold, options=ExportOptions(wanted="csv"))
    read = csv.DictReader(io.StringIO(tables["pairs.csv"].decode("utf-8-sig")))
    assert [row["id"] for row in read] == [row["id"] for row in judged]


def test_splits_divide_no_cluster_and_hold_every_pair(gold) -> None:
    whole, _ = export_contents(**gold)
    parted, manifest = export_contents(**gold, options=ExportOptions(splits=Splits(40, 30, 30, seed=3)))
    found: dict[str, set[str]] = {}
    lines = []
    for path, data in parted.items():
        if path.endswith("pairs.jsonl"):
            rows = [json.loads(line) for line in data.decode().splitlines()]
            found[path.split("/")[0]] = {row["cluster"] for row in rows}
            lines += [row["id"] for row in rows]
    assert sum(map(len, found.values())) == len(set.union(*found.values()))
    assert sorted(lines) == sorted(
        json.loads(line)["id"] for line in whole["pairs.jsonl"].decode().splitlines()
    )
    assert manifest["details"]["export"]["splits"] == {"train": 40, "dev": 30, "test": 30, "seed": 3}
    card = parted["README.md"].decode()
    assert "## Splits" in card
    assert all(f'path: "{name}/pairs.parquet"' in card for name in found)


def test_approved_pairs_alone(project: Project, gold) -> None:
    dispute(gold["gold_set"])
    approved = ExportOptions(wanted="jsonl", approved_only=True)
    contents, manifest = export_contents(gold_set=gold["gold_set"], options=approved)
    kept = [json.loads(line) for line in contents["pairs.jsonl"].decode().splitlines()]
    assert len(kept) == gold["gold_set"].judgements.count() - 1 == manifest["counts"]["pairs"]
    assert "Only pairs on which nobody differed" in contents["README.md"].decode()
    annotators = [one.user for one in project.memberships.filter(role="annotator")]
    other = make_gold_set(project, annotators, size=1)
    dispute(other)
    with pytest.raises(PublicError, match="annotators differ on all 1 pairs"):
        export_contents(gold_set=other, options=approved)


def test_the_card_says_what_the_project_knows(project: Project, gold) -> None:
    options = ExportOptions(licence="CC BY 4.0", limits="Made up.")
    card = export_contents(**gold, options=options)[0]["README.md"].decode()
    told = [
        "CC BY 4.0",
        "Made up.",
        "## Sources",
        "## Methods",
        "observed agreement",
        "| annotator-1 |",
        "SURE links",
        "- config_name: pairs",
        "- config_name: links",
    ]
    assert [line for line in told if line not in card] == []
    assert "ann" not in card.replace("annotator", "")
    assert "Not stated." in export_contents(**gold)[0]["README.md"].decode()


def test_a_lost_file_comes_back_with_its_options(project: Project, gold) -> None:
    options = ExportOptions(splits=Splits(50, 25, 25), approved_only=True, licence="CC0")
    export = export_gold(project=project, by=None, **gold, options=options)
    path = export_path(project, export.sha256)
    data = path.read_bytes()
    path.unlink()
    assert export_file(export=export).read_bytes() == data


def test_the_command_takes_the_options(project: Project, tmp_path: Path) -> None:
    call_command(
        "export_gold",
        project=project.slug,
        gold="gold",
        output=tmp_path,
        splits="60/20/20",
        licence="CC0",
        approved_only=True,
    )
    description = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    assert description["details"]["export"]["licence"] == "CC0"
    assert verify(description, tmp_path) == []
    with pytest.raises(CommandError, match=r"--splits 60/20: Write three whole numbers"):
        call_command("export_gold", project=project.slug, gold="gold", output=tmp_path, splits="60/20")


def test_a_pair_of_two_clusters_keeps_both_in_one_split(gold) -> None:
    pairs = [judgement.item.pair for judgement in gold["gold_set"].judgements.all()]
    first, second = pairs[0], next(pair for pair in pairs if pair.cluster != pairs[0].cluster)
    article = first.sentence_b.article
    article.key, article.cluster = "moved", second.cluster
    article.save()
    options = ExportOptions(wanted="jsonl", splits=Splits(50, 0, 50))
    contents, description = export_contents(**gold, options=options)
    assert description["counts"]["pairs"] == len(pairs)
    holding = {
        path.split("/")[0]
        for path, data in contents.items()
        if path.endswith("pairs.jsonl")
        for line in data.decode().splitlines()
        if json.loads(line)["cluster"] in (first.cluster.key, second.cluster.key)
    }
    assert len(holding) == 1
