from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from jobs.models import ChunkState, Job
from ops.deletion.projects import KIND, delete_project
from projects.models import Project
from tests.processes import wait_until

from .world import files, make_world, rows

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 300


def test_a_killed_removal_goes_on_and_leaves_nothing(worker, tmp_path):
    world = make_world(tmp_path)
    project = world.project
    delete_project(project=project, by=world.people["manager"], confirmed="Dams")
    Project.everything.filter(pk=project.pk).update(deleted_at=timezone.now() - timedelta(days=8))

    def pieces():
        done = [job.chunks.filter(state=ChunkState.DONE).count() for job in Job.objects.filter(kind=KIND)]
        return done[0] if done else 0

    def enough(at):
        return pieces() >= at

    last = 0
    for at in (1, 20):
        worker.start()
        wait_until(partial(enough, at), PATIENCE, f"{at} pieces are removed")
        worker.kill()
        assert Project.everything.filter(pk=project.pk).exists(), worker.log()
        assert last <= pieces()
        last = pieces()
    worker.start()
    wait_until(lambda: not Project.everything.filter(pk=project.pk).exists(), PATIENCE, "the project is gone")
    assert rows() == world.rows_without
    assert not files() - world.files_without  # other tests of the session may have left some before
