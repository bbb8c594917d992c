import json
import os
import signal
from contextlib import suppress

import pytest

from corpus.imports import options_json
from corpus.models import Article, CorpusImport, ImportState
from corpus.services.importing import begin_storing, launch_check
from corpus.services.uploads import Upload, new_token, upload_path
from jobs.models import ChunkState, Job
from paragold.sources.article_sources import SourceOptions
from tests.factories.corpus import ProjectFactory, dataset_of
from tests.factories.trained_aligners import trained_aligner
from tests.processes import wait_until
from tests.worker_process import Worker

pytestmark = pytest.mark.django_db(transaction=True)

# Seconds that a worker may take to start and to work, ten times what a busy machine needs.
PATIENCE = 120
ARTICLES = {"cluster_id": "dam", "articles": [{"id": key, "text": f"The dam {key} broke."} for key in "ab"]}


@pytest.fixture
def worker(tmp_path):
    """One process for every job, one for short jobs."""
    worker = Worker(tmp_path / "worker.log", short=True)
    yield worker
    worker.close()


def test_a_small_import_is_done_behind_a_long_training(worker):
    training = trained_aligner(dataset_of(ProjectFactory(), pairs=30), run=False, hmm_iterations=50).job
    # So that it lasts as long as the test: the process that trains is stopped in the middle of it.
    worker.start()
    trains = training.chunks.filter(state=ChunkState.LEASED).exclude(worker="")
    wait_until(trains.exists, PATIENCE, f"the training has begun\n{worker.log()}")
    pid = int(trains.values_list("worker", flat=True)[0].rpartition(":")[2])
    os.kill(pid, signal.SIGSTOP)
    try:
        source = small_import()
        wait_until(lambda: not waits(source), PATIENCE, f"the file is checked\n{worker.log()}")
        begin_storing(source=CorpusImport.objects.get(pk=source.pk), by=None)
        wait_until(lambda: not waits(source), PATIENCE, f"the import is over\n{worker.log()}")
        assert CorpusImport.objects.get(pk=source.pk).state == ImportState.IMPORTED
        assert Article.objects.filter(cluster__project=source.project).count() == 2
        assert Job.objects.get(pk=training.pk).active
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def small_import():
    data = json.dumps(ARTICLES).encode()
    project, token = ProjectFactory(), new_token()
    upload_path(token).write_bytes(data)
    upload = Upload(token, "dam.jsonl", "utf-8", project.pk, 0, len(data))
    return launch_check(
        project=project, by=None, uploads={"file": upload}, options=options_json(SourceOptions("jsonl"))
    )


def waits(source):
    state = CorpusImport.objects.get(pk=source.pk).state
    return state in (ImportState.CHECKING, ImportState.STORING)
