"""External datasets: only allowed folders, checked against the manifest, sampled, refused when changed."""

from pathlib import Path

import fsspec
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from config.environment import folders
from corpus.models import Article, CandidatePair
from corpus.services.external_datasets import allowed_address, attach, opened, sample
from jobs.services.running import run_here
from projects.errors import PublicError
from projects.models import Project
from tests.factories.corpus import ClusterFactory, ProjectFactory
from tests.factories.external import external_dataset
from tests.factories.pairs_folder import pair_row, write_pairs_folder

pytestmark = pytest.mark.django_db


@pytest.fixture
def root(tmp_path, settings) -> Path:
    settings.EXTERNAL_DATA = [str(tmp_path / "allowed"), "memory://bucket/news"]
    (tmp_path / "allowed").mkdir()
    return tmp_path / "allowed"


@pytest.fixture
def project() -> Project:
    return ProjectFactory()


def rows(count: int):
    return [pair_row(number) for number in range(count)]


def test_folder_is_attached_and_stores_nothing(project, root):
    found = external_dataset(project, 40, name="large")
    assert (found.name, found.size, len(found.manifest["files"])) == ("large", 40, 3)
    found.refresh_from_db()
    assert sum(found.distances.values()) == 40
    assert found.distances["3"] == 2
    assert not CandidatePair.objects.exists()
    assert not Article.objects.exists()


@pytest.mark.parametrize(
    "address",
    [
        "", "relative", "/etc", "/allowed", "{root}/../elsewhere", "{root}-more", "{root}/link", "{root}/\0",
        "memory://bucket/other", "memory://bucket/newspaper", "memory://bucket/news/../other",
        "memory://bucket/news::file:///etc", "file://{root}", "memory://bucket/news/*",
    ],
)  # fmt: skip
def test_address_outside_of_what_is_allowed_is_refused(root, address):
    write_pairs_folder(root.parent / "elsewhere", rows(3))
    (root / "link").symlink_to(root.parent / "elsewhere")
    with pytest.raises(PublicError, match="administrator allows"):
        allowed_address(address.format(root=root))


def test_nothing_is_allowed_by_default(settings, tmp_path, monkeypatch):
    monkeypatch.delenv("PARAGOLD_EXTERNAL_DATA", raising=False)
    settings.EXTERNAL_DATA = folders("PARAGOLD_EXTERNAL_DATA")
    with pytest.raises(PublicError):
        allowed_address(str(tmp_path))
    monkeypatch.setenv("PARAGOLD_EXTERNAL_DATA", "/data/pairs, s3://bucket/pairs")
    assert folders("PARAGOLD_EXTERNAL_DATA") == ["/data/pairs", "s3://bucket/pairs"]
    for wrong in ("data", "file:///data"):
        monkeypatch.setenv("PARAGOLD_EXTERNAL_DATA", wrong)
        with pytest.raises(ImproperlyConfigured, match="absolute"):
            folders("PARAGOLD_EXTERNAL_DATA")


def test_part_that_leads_out_of_the_folder_fails_the_check(project, root):
    write_pairs_folder(root / "pairs", rows(9))
    part = root / "pairs" / "part-00001.parquet"
    part.rename(root.parent / "secret.parquet")
    part.symlink_to(root.parent / "secret.parquet")
    found = attach(project=project, by=None, address=str(root / "pairs"))
    run_here(job=found.job)
    found.job.refresh_from_db()
    assert found.job.state == "failed"
    assert "part-00001.parquet: It is a link that leads out" in found.job.error


def test_part_with_another_hash_fails_the_check(project, root):
    write_pairs_folder(root / "pairs", rows(9))
    part = root / "pairs" / "part-00001.parquet"
    content = bytearray(part.read_bytes())
    content[50] ^= 1
    part.write_bytes(content)
    found = attach(project=project, by=None, address=str(root / "pairs"))
    run_here(job=found.job)
    assert found.job.state == "failed"
    assert "part-00001.parquet" in found.job.error
    assert "sha256" in found.job.error


def test_change_of_the_folder_is_said(project, root):
    found = external_dataset(project, 20)
    folder = Path(found.address)
    (folder / "part-00002.parquet").unlink()
    with pytest.raises(PublicError, match=r"changed.*part-00002\.parquet missing"):
        sample(found, seed=1)
    write_pairs_folder(folder, rows(21))
    with pytest.raises(PublicError, match="its manifest is another"):
        opened(found)


def test_same_pairs_and_names_in_use_are_refused(project, root):
    found = external_dataset(project, 20, name="large")
    with pytest.raises(PublicError, match="attached already, as large"):
        attach(project=project, by=None, address=found.address, name="other")
    write_pairs_folder(root / "more", rows(5))
    with pytest.raises(PublicError, match="another name"):
        attach(project=project, by=None, address=str(root / "more"), name="large")
    ClusterFactory(project=project, key="more/dam")
    with pytest.raises(PublicError, match="clusters called more/"):
        attach(project=project, by=None, address=str(root / "more"))
    (root / "empty").mkdir()
    with pytest.raises(PublicError, match="manifest"):
        attach(project=project, by=None, address=str(root / "empty"))


def test_folder_at_an_address_of_fsspec(project, root, tmp_path):
    memory = fsspec.filesystem("memory")
    for path in write_pairs_folder(tmp_path / "local", rows(30)).iterdir():
        memory.pipe_file(f"/bucket/news/pairs/{path.name}", path.read_bytes())
    found = attach(project=project, by=None, address="memory://bucket/news/pairs/")
    run_here(job=found.job)
    assert found.job.state == "done", found.job.error
    assert len(sample(found, seed=4)) == 10
    assert [one.number for one in sample(found, seed=4)] != [one.number for one in sample(found, seed=5)]


def test_command(project, root, capsys):
    write_pairs_folder(root / "pairs", rows(12))
    call_command("attach_dataset", str(root / "pairs"), "--project", project.slug)
    assert capsys.readouterr().out == "pairs: 12 pairs in 3 parts, as in the manifest.\n"
    with pytest.raises(CommandError, match="administrator allows"):
        call_command("attach_dataset", "/etc", "--project", project.slug)
