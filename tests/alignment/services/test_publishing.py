import json
import zipfile

import pyarrow.parquet as pq
import pytest
from huggingface_hub import DatasetCard

from alignment.models import Export
from alignment.services.dataset_exports import export_dataset
from alignment.services.export_store import export_path
from alignment.services.exporting import write_gold
from alignment.specs import DatasetExportSpec, GoldExportSpec
from jobs.services.running import run_here
from paragold.formats.publishing import verify
from paragold.spec import SpecError
from projects.errors import PublicError
from projects.models import Project
from tests.factories.alignment import gold_alignment_set
from tests.factories.corpus import ProjectFactory, dataset_of, member
from tests.factories.exports import export_contents, export_gold
from tests.published import read_published

pytestmark = pytest.mark.django_db
BESIDE = {"README.md", "LICENSE", "CITATION.cff", "croissant.json", "GUIDELINES.md"}
AUTHORS = "Müller, Änne\nInstitute of Examples"


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


def test_a_dataset_is_read_by_croissant_and_datasets(project, tmp_path, settings):
    settings.EXPORTS_DIR = tmp_path / "exports"
    job = export_dataset(
        dataset=dataset_of(ProjectFactory(authors=AUTHORS), 12),
        by=None,
        spec=DatasetExportSpec(publish=True, formats=["parquet"], licence="odbl-1.0"),
    )
    run_here(job=job)
    made = Export.objects.get(pk=job.parameters["export"])
    folder = tmp_path / "pairs"
    with zipfile.ZipFile(export_path(job.project, made.sha256)) as archive:
        archive.extractall(folder)
    assert {*made.manifest["files"]} == {"pairs.parquet", *BESIDE - {"GUIDELINES.md"}}

    published = read_published(folder, tmp_path)

    assert published["warnings"] == []
    assert published["record_sets"]["default"] == published["configs"]["default"]["train"]
    assert len(published["configs"]["default"]["train"]) == 12
    assert DatasetCard.load(folder / "README.md").data.license == "odbl"


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


def test_authors_and_parquet_are_needed(project, gold):
    with pytest.raises(SpecError, match="needs Parquet"):
        GoldExportSpec(publish=True, format="msr")
    with pytest.raises(SpecError, match="needs Parquet"):
        DatasetExportSpec(publish=True, formats=["tsv"])
    with pytest.raises(SpecError, match="'CC BY 4' is not an SPDX licence"):
        GoldExportSpec(licence="CC BY 4")
    project.authors = " "
    project.save()
    with pytest.raises(PublicError, match="names its authors"):
        export_gold(project=project, by=None, **gold, spec=GoldExportSpec(publish=True))


def test_new_authors_make_another_export(project, gold):
    spec = GoldExportSpec(publish=True, format="parquet")
    export = export_gold(project=project, by=None, **gold, spec=spec)
    project.authors = "Other, Author"
    project.save()
    gold = {"gold_set": project.gold_sets.get(), "gold_links": project.gold_alignment_sets.get()}
    assert export_gold(project=project, by=None, **gold, spec=spec).sha256 != export.sha256
