"""Exports through the pages: what is refused, what is written, and getting a lost file back."""

from __future__ import annotations

import pytest
from django.urls import reverse

from alignment.models import Export
from alignment.services.export_store import export_path
from tests.factories.alignment import gold_alignment_set
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
        return as_("manager").post(reverse("export-new", args=[project.slug]), form, follow=True)

    return send


def test_nothing_chosen_and_nothing_in_it_are_errors(project, annotators, write):
    links = gold_alignment_set(project, annotators)
    answer = write()
    assert answer.status_code == 422
    assert "Choose a gold set, a set of gold links, or both." in answer.content.decode()
    answer = write(gold_links=links.pk, format="msr")
    assert answer.status_code == 422
    assert "has no msr file" in answer.content.decode()
    assert not Export.objects.exists()


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


def test_an_export_to_publish_takes_the_projects_licence_or_another(project, annotators, write, as_):
    gold = gold_set(project, annotators, size=2)
    refused = write(gold_set=gold.pk, publish="on")
    assert refused.status_code == 422
    assert "Choose the licence of the published data set" in refused.content.decode()
    project.licence, project.authors = "CC0-1.0", "Example, Ada"
    project.save()
    form = as_("manager").get(reverse("export-new", args=[project.slug])).content.decode()
    assert 'value="CC0-1.0"' in form and '<option value="CC-BY-4.0">' in form
    for licence in ("", "odbl-1.0"):
        write(gold_set=gold.pk, publish="on", licence=licence)
    licences = [one.manifest["details"]["export"]["licence"] for one in Export.objects.order_by("pk")]
    assert licences == ["CC0-1.0", "ODbL-1.0"]
    assert "croissant.json" in Export.objects.latest("pk").manifest["files"]
