import pytest
from django.test import Client

from projects.models import Project, Role
from tests.factories.corpus import ProjectFactory, member


@pytest.fixture
def project(settings, tmp_path):
    settings.VAR = tmp_path / "var"
    settings.EXPORTS_DIR = settings.VAR / "exports"
    settings.VAR.mkdir()
    made: Project = ProjectFactory(slug="dams", name="Dams")
    return made


@pytest.fixture
def manager(project):
    client = Client()
    client.force_login(member(project, Role.MANAGER, "manager"))
    return client
