import pytest

from ops.models import ProjectArchive
from tests.broken_rows import assert_refused
from tests.factories.corpus import ProjectFactory

pytestmark = pytest.mark.django_db


def test_a_project_has_an_archive_of_the_same_bytes_once():
    project = ProjectFactory()
    ProjectArchive.objects.create(project=project, sha256="0", bytes=1, rows=1, files=0)
    assert_refused("archive_once", ProjectArchive(project=project, sha256="0", bytes=1, rows=1, files=0))
