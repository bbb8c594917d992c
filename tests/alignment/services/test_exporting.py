from __future__ import annotations

import io
import json
import zipfile

import pyarrow.parquet as pq
import pytest
from huggingface_hub import DatasetCard

from alignment.models import Export
from alignment.services.export_store import export_path
from alignment.services.exporting import write_gold
from alignment.services.gold_exports import export_file
from alignment.services.gold_files import meanings
from alignment.specs import GoldExportSpec
from paragold.formats.publishing import verify
from projects.models import Project
from tests.factories.alignment import gold_alignment_set
from tests.factories.corpus import ProjectFactory, member
from tests.factories.exports import export_contents, export_gold
from tests.published import read_published

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def project_of_module(module_database):
    project = ProjectFactory(
        licence="CC-BY-4.0",
        authors=AUTHORS,
        contact="gold@example.org",
        guidelines="# Judge\r\n\r\nBe strict.",
    )
    gold_alignment_set(project, [member(project, "annotator", name) for name in ("ann", "ben")])
    return project


@pytest.fixture
def project(project_of_module):
    return Project.objects.get(pk=project_of_module.pk)


@pytest.fixture
def gold(project):
    return {"gold_set": project.gold_sets.get(), "gold_links": project.gold_alignment_sets.get()}


def test_twice_gives_the_same_bytes_and_one_export(project, gold):
    first = export_gold(project=project, by=None, **gold)
    data = export_path(project, first.sha256).read_bytes()
    second = export_gold(project=project, by=None, **gold)
    assert (second, Export.objects.count()) == (first, 1)
    assert export_path(project, second.sha256).read_bytes() == data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        links = ("naacl", "pharaoh", "jsonl", "json", "tsv", "A3.final", "parquet", "csv", "src", "tgt")
        names = [f"pairs.{ending}" for ending in ("tsv", "jsonl", "parquet", "csv")]
        names += [f"links.{ending}" for ending in links]
        assert set(names) < set(meanings())
        assert sorted(archive.namelist()) == sorted([*names, "README.md", "manifest.json"])


@pytest.mark.parametrize(
    "options",
    [
        GoldExportSpec(splits="50/25/25", approved_only=True, licence="CC0-1.0"),
        GoldExportSpec(format="giza", strengths="all_sure"),
    ],
)
def test_a_lost_file_comes_back_with_its_options(project, gold, options):
    export = export_gold(project=project, by=None, **gold, spec=options)
    path = export_path(project, export.sha256)
    data = path.read_bytes()
    path.unlink()
    assert export_file(export=export).read_bytes() == data


def test_a_pair_of_two_clusters_keeps_both_in_one_split(gold):
    pairs = [judgement.item.pair for judgement in gold["gold_set"].judgements.all()]
    first, second = pairs[0], next(pair for pair in pairs if pair.cluster != pairs[0].cluster)
    article = first.sentence_b.article
    article.key, article.cluster = "moved", second.cluster
    article.save()
    options = GoldExportSpec(format="jsonl", splits="50/0/50")
    contents, description = export_contents(**gold, spec=options)
    assert description["counts"]["pairs"] == len(pairs)
    holding = {
        path.split("/")[0]
        for path, data in contents.items()
        if path.endswith("pairs.jsonl")
        for line in data.decode().splitlines()
        if json.loads(line)["cluster"] in (first.cluster.key, second.cluster.key)
    }
    assert len(holding) == 1


BESIDE = {"README.md", "LICENSE", "CITATION.cff", "croissant.json", "GUIDELINES.md"}
AUTHORS = "Müller, Änne\nInstitute of Examples"


def of_files(folder):
    """The rows of each Parquet file, by its path."""
    paths = sorted(folder.rglob("*.parquet"))
    return {path.relative_to(folder).as_posix(): pq.read_table(path).to_pylist() for path in paths}


def test_gold_in_splits_is_read_by_croissant_and_datasets(gold, tmp_path):
    folder = tmp_path / "gold"
    spec = GoldExportSpec(publish=True, splits="40/30/30", limits="Made up.")
    manifest = write_gold(folder, **gold, spec=spec)
    assert set(manifest["files"]) >= BESIDE
    assert verify(manifest, folder) == []
    rows = of_files(folder)
    assert len(rows) > 2

    published = read_published(folder, tmp_path)

    assert published["warnings"] == []
    by_path = {path: tuple(path.removesuffix(".parquet").split("/")) for path in rows}
    assert published["record_sets"] == {
        f"{name}/{split}": rows[path] for path, (split, name) in by_path.items()
    }
    for path, (split, name) in by_path.items():
        assert published["configs"][name][split] == rows[path]


def test_the_files_beside_the_data_say_who_what_and_how(project, gold):
    contents, _ = export_contents(**gold, spec=GoldExportSpec(publish=True, format="parquet"))
    texts = {name: contents[name].decode() for name in BESIDE}
    card = DatasetCard(texts["README.md"])
    assert card.data.to_dict().items() >= {
        "license": "cc-by-4.0", "language": ["en"], "size_categories": ["n<1K"],
        "task_categories": ["text-classification"], "tags": ["paraphrase", "word-alignment"],
    }.items()  # fmt: skip
    for said in ("gold@example.org", "Müller, Änne; Institute of Examples", "2 annotators, under pseudonyms"):
        assert said in card.text
    for title in ("Methods", "Judgements", "Agreement", "Licence", "Known limits", "Contact"):
        assert f"\n## {title}\n" in card.text
    assert "| 95 % interval |" in card.text
    assert texts["LICENSE"].startswith("SPDX-License-Identifier: CC-BY-4.0\n")
    assert texts["GUIDELINES.md"] == "# Judge\n\nBe strict.\n"
    day = max(one.frozen_at for one in gold.values()).date().isoformat()
    citation = {}
    for line in texts["CITATION.cff"].splitlines():
        name, _, value = line.partition(": ")
        citation[name] = json.loads(value)
    assert citation["authors"] == [
        {"family-names": "Müller", "given-names": "Änne"},
        {"name": "Institute of Examples"},
    ]
    assert citation.items() >= {"license": "CC-BY-4.0", "version": "1.0.0", "date-released": day}.items()
