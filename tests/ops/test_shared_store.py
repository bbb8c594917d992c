import pytest
from django.core.management import call_command
from django.urls import reverse

from alignment.models import Export
from alignment.services import dataset_exports
from alignment.services.dataset_exports import export_dataset
from alignment.services.gold_exports import export_file
from alignment.services.trained_aligners import stored, training
from alignment.specs import DatasetExportSpec
from jobs.models import JobState
from jobs.services import ledger
from jobs.services.running import run_here
from ops.archive.archive_storage import archive_file, delete_archive, request_archive
from ops.backup.writing import folder as backups
from paragold.formats.publishing import sha256_of
from projects import storage
from tests.factories.corpus import ProjectFactory, dataset_of, member
from tests.factories.trained_aligners import trained_aligner
from tests.shared_store import go_to, share, store  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db(transaction=True)
FOLDERS = ("aligners", "archives", "backups", "exports", "uploads")


@pytest.fixture
def turn(store, settings, tmp_path, monkeypatch):  # noqa: F811 - the fixture
    """Go to the next of three hosts. Jobs do so before each chunk; what a process remembers is forgotten."""
    share(monkeypatch, settings, store)
    number = 0

    def turn():
        nonlocal number
        number += 1
        training._workshops.clear()
        go_to(settings, tmp_path / f"host-{number % 3}")

    lease = ledger.lease_chunk

    def lease_elsewhere(**arguments):
        turn()
        return lease(**arguments)

    monkeypatch.setattr(ledger, "lease_chunk", lease_elsewhere)
    turn()
    for folder in FOLDERS:
        storage.delete_folder(settings.VAR / folder)
    return turn


def keys(settings):
    """What the store holds."""
    places = [one.place for folder in FOLDERS for one in storage.list_files(settings.VAR / folder)]
    return [place.relative_to(settings.VAR).as_posix() for place in places]


def test_an_export_in_parts_and_splits_is_put_together(turn, settings, client, monkeypatch):
    monkeypatch.setattr(dataset_exports, "PAIRS_A_PART", 7)
    project = ProjectFactory(slug="dams")
    user = member(project, "manager", "mary")
    spec = DatasetExportSpec(splits="50/25/25")
    job = export_dataset(dataset=dataset_of(project, 30), by=user, spec=spec)
    run_here(job=job)
    assert (job.state, job.error, job.counts) == (JobState.DONE, "", {"pairs": 30})
    export = Export.objects.get()
    assert keys(settings) == [f"exports/dams/{export.sha256}.zip"]
    for _ in range(2):
        turn()
        assert sha256_of(export_file(export=export)) == export.sha256
        client.force_login(user)
        answer = client.get(reverse("export-download", args=["dams", export.pk]))
        assert len(b"".join(answer.streaming_content)) == export.bytes
    assert export_dataset(dataset=project.datasets.get(), by=user, spec=spec).pk == job.pk


def test_a_training_goes_on_from_the_state_of_another_host(turn, settings, monkeypatch):
    dataset = dataset_of(ProjectFactory(), pairs=8)
    expected = trained_aligner(dataset)
    storage.delete(stored.model_path(expected.sha256))
    computed = []
    advance = training.Workshop.advance
    monkeypatch.setattr(training.Workshop, "advance", lambda self, n: computed.append(n) or advance(self, n))
    trained = trained_aligner(dataset)
    assert trained.sha256 == expected.sha256
    assert computed == [1, 2], "no iteration is done again"
    assert keys(settings) == [f"aligners/{trained.sha256}.npz"]
    turn()
    assert stored.load_aligner(trained).signature == trained.signature


def test_an_archive_and_a_backup_hold_the_files_of_the_store(turn, settings, tmp_path, capsys):
    project = ProjectFactory(slug="dams")
    trained = trained_aligner(dataset_of(project, 8))
    job = request_archive(project=project, by=member(project, "manager", "mary"))
    run_here(job=job)
    archive = project.archives.get()
    assert archive.files == 1
    turn()
    assert sha256_of(archive_file(archive)) == archive.sha256
    call_command("backup")
    [backup] = [place for place, *_ in storage.list_files(backups())]
    turn()
    call_command("restore", backup.name, "--check")
    assert "Complete: 2 files" in capsys.readouterr().out
    delete_archive(archive=archive)
    storage.delete(backups() / backup.name)
    assert keys(settings) == [f"aligners/{trained.sha256}.npz"]
