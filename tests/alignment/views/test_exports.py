"""Exports through the pages: what is refused, what is written, and getting a lost file back."""

import pytest
from django.urls import reverse

from alignment.models import Export
from alignment.services.export_store import export_path
from tests.factories.annotation import gold_set


@pytest.fixture
def write(project, as_):
    def send(**fields):
        form = {
            "gold_set": "",
            "gold_links": "",
            "format": "all",
            "strengths": "as_drawn",
            "seed": 1,
        } | fields
        return as_("manager").post(reverse("launch", args=[project.slug, "export-gold"]), form, follow=True)

    return send


def test_lost_file_that_cannot_be_made_again_is_said(project, annotators, write, as_):
    gold = gold_set(project, annotators, size=2)
    write(gold_set=gold.pk)
    export = Export.objects.get()
    export_path(project, export.sha256).unlink()
    gold.judgements.all().delete()
    answer = as_("manager").get(reverse("export-download", args=[project.slug, export.pk]), follow=True)
    assert answer.redirect_chain[0][0] == reverse("exports", args=[project.slug])
    assert "is missing and cannot be made again" in answer.content.decode()
    assert not export_path(project, export.sha256).exists()
