from __future__ import annotations

import json
import random
import shutil
import zipfile
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import models
from django.test import override_settings

from jobs.models import JobState
from ops.archive.storing import import_project
from ops.archive.tables import WITH_IDS, tables
from ops.archive.writing import export_project
from projects.errors import PublicError
from projects.models import Project, Role
from tests.factories.corpus import JobFactory, ProjectFactory, member
from tests.factories.exports import export_gold
from tests.factories.trained_aligners import linked_gold

pytestmark = pytest.mark.django_db


@pytest.fixture
def installation(settings, tmp_path, files_of_module):
    settings.VAR = tmp_path / "var"
    settings.EXPORTS_DIR = settings.VAR / "exports"
    shutil.copytree(files_of_module, settings.VAR)
    return tmp_path


def make_small(slug):
    """Judged, linked and exported."""
    project: Project = ProjectFactory(slug=slug, name=slug.title())
    for name in ("ann", "ben"):
        member(project, Role.ANNOTATOR, name)
    links = linked_gold(project, 2)
    JobFactory(project=project, state=JobState.DONE)
    export_gold(project=project, by=None, gold_set=links.batch.gold_set, gold_links=links)
    return project


@pytest.fixture(scope="module")
def files_of_module(tmp_path_factory):
    """The data folder of what is made for all tests; each gets a copy."""
    var = tmp_path_factory.mktemp("var")
    with override_settings(VAR=var, EXPORTS_DIR=var / "exports"):
        yield var


@pytest.fixture(scope="module")
def small_of_module(module_database, files_of_module):
    return make_small("dams").pk


@pytest.fixture(scope="module")
def archive(small_of_module, files_of_module, tmp_path_factory):
    path = tmp_path_factory.mktemp("archive") / "dams.zip"
    export_project(project=Project.objects.get(pk=small_of_module), path=path)
    return path


@pytest.fixture
def small(small_of_module, installation):
    return Project.objects.get(pk=small_of_module)


def renamed_away(project):
    """Makes room for a copy under the project's own name."""
    Project.objects.filter(pk=project.pk).update(slug="old", name="Old")


WITHOUT_IDS = frozenset(
    {
        "annotation.ModelAnnotator.parameters", "annotation.ModelAnswer.links",
        "alignment.Alignment.null_a", "alignment.Alignment.null_b",
        "alignment.Evaluation.scores",
        "alignment.ExperimentCell.counts", "alignment.ExperimentCell.links",
        "alignment.ExperimentCell.errors", "alignment.ExperimentCell.reasons",
        "alignment.ExperimentCell.scores",
        "alignment.ExperimentRow.parameters",
        "alignment.Export.manifest",
        "alignment.GoldAlignment.adjudication", "alignment.GoldAlignment.links",
        "alignment.GoldAlignment.versions",
        "alignment.GoldAlignmentSet.agreement", "alignment.GoldAlignmentSet.counts",
        "alignment.GoldAlignmentSet.lineage",
        "alignment.SuggestedLinks.links", "alignment.SuggestedLinks.reasons",
        "alignment.TrainedAligner.held_out", "alignment.TrainedAligner.iterations",
        "alignment.TrainedAligner.learning_curve", "alignment.TrainedAligner.parameters",
        "alignment.TrainedAligner.transfers", "alignment.ExperimentRow.transfers",
        "annotation.Answer.body", "annotation.Answer.response",
        "annotation.Decision.content",
        "annotation.GoldJudgement.adjudication", "annotation.GoldJudgement.votes",
        "annotation.GoldSet.agreement", "annotation.GoldSet.counts",
        "annotation.GoldSubclusterSet.agreement", "annotation.GoldSubclusterSet.counts",
        "annotation.GoldSubclusterSet.lineage",
        "annotation.GoldSubclusters.adjudication", "annotation.GoldSubclusters.subclusters",
        "annotation.GoldSubclusters.versions",
        "annotation.SecondLook.links", "annotation.SecondPass.after", "annotation.SecondPass.before",
        "annotation.TrainedClassifier.notes",
        "annotation.TrainedClassifier.parameters",
        "corpus.CorpusImport.counts", "corpus.CorpusImport.notes",
        "corpus.CorpusImport.options", "corpus.CorpusImport.problems", "corpus.CorpusImport.sample",
        "corpus.Dataset.criteria", "corpus.Dataset.refinement",
        "corpus.Extraction.criteria",
        "jobs.Job.counts",
        "corpus.Lexicon.figures", "corpus.Lexicon.parameters",
        "corpus.ProjectPreset.criteria",
        "corpus.Sentence.starts",
    }
)  # fmt: skip
"""JSON columns that hold no ids. A new column is named here or in WITH_IDS: whoever adds it has to look."""


def test_every_json_field_says_whether_it_holds_ids():
    fields = {
        f"{table.name}.{field.name}"
        for table in tables()
        for field in table.fields
        if isinstance(field, models.JSONField)
    }
    texts = {
        *("annotation.Batch.suggester", "annotation.ModelAnnotator.aligner"),
        "alignment.SuggestedLinks.setting",
    }
    assert fields == (set(WITH_IDS) | WITHOUT_IDS) - texts
    assert not set(WITH_IDS) & WITHOUT_IDS


@pytest.mark.usefixtures("small")
def test_accounts_are_found_mapped_or_made_without_a_way_in(archive):
    User.objects.filter(username="ann").update(username="anna")
    User.objects.filter(username="ben").update(username="benedict")
    found = import_project(path=archive, slug="copy", accounts={"ann": "anna"})
    assert "anna" in found.accounts_found
    assert found.accounts_made == ["ben"]
    made = User.objects.get(username="ben")
    assert (made.is_active, made.has_usable_password()) == (False, False)
    assert found.project.memberships.filter(user=made, role=Role.ANNOTATOR).exists()
    with pytest.raises(PublicError, match="no account 'nobody' here"):
        import_project(path=archive, slug="other", accounts={"ann": "nobody"})
    assert not Project.objects.filter(slug="other").exists()


def changed(path, change, other):
    """A copy of an archive with other files in it."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    with zipfile.ZipFile(other, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data, zipfile.ZIP_DEFLATED)
    return other


def described(files):
    description: dict[str, Any] = json.loads(files["archive.json"])
    return description


def put(files, description):
    files["archive.json"] = json.dumps(description).encode()


def add_column(files):
    lines = files["corpus.Cluster.jsonl"].split(b"\n")
    files["corpus.Cluster.jsonl"] = b"\n".join([b'["key","held_out","colour"]', *lines[1:]])


def unknown_table(files):
    description = described(files)
    description["tables"]["corpus.Shard"] = {"rows": 0, "sha256": ""}
    put(files, description)


def not_a_choice(files):
    head, rows = files["projects.Membership.jsonl"].split(b"\n", 1)
    files["projects.Membership.jsonl"] = head + b"\n" + rows.replace(b'"annotator"', b'"king"')


def nothing_unique(files):
    """What only the database can tell."""
    lines = files["corpus.Cluster.jsonl"].splitlines(keepends=True)
    files["corpus.Cluster.jsonl"] = b"".join([lines[0], lines[1], lines[1], *lines[3:]])


def point_nowhere(files):
    files["corpus.Article.jsonl"] = files["corpus.Article.jsonl"].replace(b"\n[1,", b"\n[99999,", 1)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda files: files.pop("archive.json"), "no item named 'archive.json'"),
        (lambda files: files.update({"archive.json": b"{"}), "archive.json: Expecting"),
        (lambda files: files.pop("corpus.Sentence.jsonl"), "corpus.Sentence.jsonl, line 1: .*no item named"),
        (
            lambda files: files.update({"corpus.Sentence.jsonl": b""}),
            "corpus.Sentence.jsonl, line 1: Expecting",
        ),
        (lambda files: put(files, described(files) | {"archive_version": 4}), "another version of Paragold"),
        (lambda files: put(files, described(files) | {"archive_version": 1}), "archive version 1, here 3"),
        (unknown_table, "unknown tables: corpus.Shard"),
        (add_column, "corpus.Cluster.jsonl, line 1: .*'colour'"),
        (not_a_choice, r"projects.Membership.jsonl, line \d+: .*king.* is not a valid choice"),
        (nothing_unique, r"corpus.Cluster.jsonl, lines 2 to \d+: "),
        (point_nowhere, r"corpus.Article.jsonl, line 2: there is no corpus.Cluster 99999"),
        (
            lambda files: put(
                files, described(files) | {"project": described(files)["project"] | {"slug": "../x"}}
            ),
            "valid “slug”",
        ),
        (
            lambda files: put(
                files, described(files) | {"project": described(files)["project"] | {"licence": "free"}}
            ),
            "not an SPDX licence",
        ),
    ],
)
def test_a_bad_archive_is_refused_and_nothing_is_stored(small, archive, installation, change, says):
    renamed_away(small)
    before = Project.everything.count()
    with pytest.raises(PublicError, match=says):
        import_project(path=changed(archive, change, installation / "changed.zip"))
    assert Project.everything.count() == before


def test_a_damaged_file_is_refused_by_name(small, archive, installation):
    """Cut off, or with some bytes that are not what was written."""
    path, draw = installation / "dams.zip", random.Random(0)
    renamed_away(small)
    before = [Project.everything.count(), User.objects.count()]
    for number in range(24):
        data = bytearray(archive.read_bytes())
        place = draw.randrange(len(data) - 64)
        if number % 2:
            del data[place:]
        else:
            data[place : place + 32] = bytes(byte ^ 0xFF for byte in data[place : place + 32])
        path.write_bytes(data if number else b"")
        with pytest.raises(PublicError, match=r"dams\.zip: archive\.json: "):
            import_project(path=path)
    assert [Project.everything.count(), User.objects.count()] == before


def test_commands(small, installation, capsys):
    path = installation / "dams.zip"
    call_command("export_project", project="dams", output=path)
    with pytest.raises(CommandError, match="A project called 'dams' exists"):
        call_command("import_project", path)
    with pytest.raises(CommandError, match="write NAME_IN_ARCHIVE=NAME_HERE"):
        call_command("import_project", path, account=["ann"])
    call_command("import_project", path, slug="copy")
    assert "copy: " in capsys.readouterr().out
    small.jobs.update(state=JobState.RUNNING)
    with pytest.raises(CommandError, match="is running"):
        call_command("export_project", project="dams", output=path)
    small.jobs.update(state=JobState.DONE)
    with pytest.raises(CommandError, match="No such file or directory"):
        call_command("export_project", project="dams", output=installation / "none" / "x.zip")
