import csv
import io
import json
import zipfile
from pathlib import Path

import pytest
from django.urls import reverse

from alignment.services.dataset_exports import export_dataset
from alignment.services.export_store import export_of, export_path
from annotation.models import Phenomenon
from corpus.models import Article, Cluster, Sentence
from jobs.services.running import run_here
from projects.models import PhenomenaScope
from tests.factories.corpus import ProjectFactory, UserFactory, dataset_of
from tests.factories.experiments import experiment
from tests.factories.exports import export_contents
from tests.factories.trained_aligners import linked_gold

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[2]
HOSTILE = "+cmd|' /C calc'!A0"
# The modules with such an address, and the test that goes through it.
MODULES = {
    "projects/reports.py",
    "projects/views/lists.py",
}


@pytest.fixture
def project(settings, tmp_path):
    """All its texts and names are hostile."""
    settings.EXPORTS_DIR = tmp_path / "exports"
    project = ProjectFactory()
    for name in ("ann", "ben"):
        project.memberships.create(user=UserFactory(username=name), role="annotator")
    linked_gold(project, 2)
    dataset_of(project, 3, name=HOSTILE)
    project.gold_sets.update(name=HOSTILE)
    project.gold_alignment_sets.update(name=HOSTILE)
    for cluster in Cluster.objects.filter(project=project):
        cluster.key = f"{HOSTILE} {cluster.pk}"
        cluster.save()
    for article in Article.objects.filter(cluster__project=project):
        article.key, article.source = f"{HOSTILE} {article.pk}", HOSTILE
        article.save()
    Sentence.objects.filter(article__cluster__project=project).update(text=HOSTILE)
    return project


def check(data):
    """No cell begins a formula, and the hostile name is there, after an apostrophe."""
    cells = [
        cell for row in csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")) for cell in row if cell
    ]
    assert [cell for cell in cells if cell[0] in "=+@\t\r\n"] == []
    assert all(float(cell) < 0 for cell in cells if cell[0] == "-" and cell != "-")
    assert any(cell.startswith(f"'{HOSTILE}") for cell in cells)


def test_the_list_of_modules_is_complete():
    found = {
        path.relative_to(ROOT).as_posix()
        for app in ("alignment", "annotation", "config", "corpus", "jobs", "ops", "projects")
        for path in (ROOT / app).rglob("*.py")
        if "text/csv" in path.read_text(encoding="utf-8")
    }
    assert found == MODULES


def test_tables(project, client, monkeypatch):
    made = experiment([project.datasets.get(name=HOSTILE)], [project.gold_alignment_sets.get()])
    mean = [{"phenomenon": name, "value": -0.5, "low": None, "high": None} for name in Phenomenon]
    means = {"name": HOSTILE, "base": PhenomenaScope.EVERY_PAIR, "means": mean, "pairs": 1, "judged": 1}
    monkeypatch.setattr("annotation.views.phenomena.phenomena_means", lambda items: [means])
    client.force_login(UserFactory(is_superuser=True))
    for name, arguments in (
        ("characteristics", []),
        ("phenomena", []),
        ("experiment", [made.pk]),
        *((name, []) for name in ("pairs", "articles", "corpus", "judged-pairs")),
    ):
        answer = client.get(reverse(name, args=[project.slug, *arguments]), {"format": "csv"})
        assert answer["Content-Type"].startswith("text/csv"), name
        check(b"".join(answer))
    compared = {"a": "identity", "b": "identity-stem", "outcome": "both_right", "format": "csv"}
    compared |= {"gold_set": project.gold_alignment_sets.get().pk}
    answer = client.get(reverse("aligners-compare", args=[project.slug]), compared)
    keys = [row["key"] for row in csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline=""))]
    assert keys
    assert all(key.startswith("'+cmd%7C") for key in keys)


def test_exports_are_safe_as_csv_and_exact_otherwise(project):
    contents, _ = export_contents(
        gold_set=project.gold_sets.get(), gold_links=project.gold_alignment_sets.get()
    )
    check(contents["pairs.csv"])
    check(contents["links.csv"])
    rows = [json.loads(line) for line in contents["pairs.jsonl"].decode().splitlines()]
    assert {row["a"]["text"] for row in rows} == {HOSTILE}
    assert f"\t{HOSTILE}" in contents["pairs.tsv"].decode()
    job = export_dataset(dataset=project.datasets.get(name=HOSTILE), by=None)
    run_here(job=job)
    made = export_of(job)
    assert made is not None
    with zipfile.ZipFile(export_path(project, made.sha256)) as archive:
        check(archive.read("pairs.csv"))
        [line, *_] = archive.read("pairs.jsonl").decode().splitlines()
        assert json.loads(line)["text_a"] == HOSTILE
        assert f"\n{HOSTILE}" in archive.read("pairs.tsv").decode()
