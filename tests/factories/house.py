"""A project with people in every role and a small corpus, and how each of them asks for pages."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest
from django.test import Client

from corpus.models import Dataset
from projects.models import Project, Role
from tests.factories.corpus import ProjectFactory, UserFactory, dataset_of, member


@dataclass
class House:
    """A project of six pairs that one finished extraction found, and a client for each role."""

    project: Project
    dataset: Dataset
    manager: Client
    adjudicator: Client
    annotator: Client
    viewer: Client
    stranger: Client

    def url(self, path=""):
        return f"/projects/{self.project.slug}/{path}"


def client_of(user):
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def house(db):
    project = ProjectFactory(slug="dams", name="Dams")
    clients = {role: client_of(member(project, role, role)) for role in Role.values}
    return House(project=project, dataset=dataset_of(project), stranger=client_of(UserFactory()), **clients)


@pytest.fixture(autouse=True)
def uploads(settings, tmp_path):
    settings.UPLOADS_DIR = tmp_path / "uploads"
    settings.UPLOADS_DIR.mkdir()
    return settings.UPLOADS_DIR


def articles_file(folder, clusters=2, text="The council mended the dam."):
    """A valid file: `clusters` clusters of two articles of two sentences."""
    lines = []
    for number in range(clusters):
        articles = [
            {
                "id": f"{number}-{outlet}",
                "source": f"Outlet {outlet}",
                "published": "2004-03-17",
                "title": f"Dam {number}",
                "paragraphs": [f"{text} Outlet {outlet} was there in year {number + 1990}."],
            }
            for outlet in "ab"
        ]
        lines.append(json.dumps({"cluster_id": f"event {number}", "articles": articles}))
    path = folder / "articles.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
