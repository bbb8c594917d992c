"""Exports through the pages: what is refused, what is written, and getting a lost file back."""

from __future__ import annotations

import hashlib

import pytest
from django.urls import reverse

from alignment.models import Export
from alignment.services import gold_exports
from alignment.services.export_store import export_path
from jobs.services.running import run_here
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


def test_empty_page_offers_the_step_that_fills_it(project, annotators, as_):
    address = reverse("exports", args=[project.slug])
    assert "There is no gold to export yet" in as_("manager").get(address).content.decode()
    gold_set(project, annotators, size=1)
    assert "Nothing was exported yet" in as_("manager").get(address).content.decode()


def test_the_chosen_gold_is_written_in_the_chosen_format(project, annotators, write):
    links = gold_alignment_set(project, annotators)
    answer = write(format="jsonl", gold_set=links.batch.gold_set.pk, gold_links=links.pk)
    export = Export.objects.get()
    assert sorted(export.manifest["files"]) == ["README.md", "links.jsonl", "pairs.jsonl"]
    assert export.sha256 in answer.content.decode()


def test_nothing_chosen_and_nothing_in_it_are_errors(project, annotators, write):
    links = gold_alignment_set(project, annotators)
    answer = write()
    assert answer.status_code == 422
    assert "Choose a gold set, a set of gold links, or both." in answer.content.decode()
    answer = write(gold_links=links.pk, format="msr")
    assert answer.status_code == 422
    assert "has no msr file" in answer.content.decode()
    assert not Export.objects.exists()


def test_same_gold_again_is_the_same_export(project, annotators, write):
    gold = gold_set(project, annotators, size=2)
    write(gold_set=gold.pk)
    answer = write(gold_set=gold.pk)
    assert Export.objects.count() == 1
    assert "is there already: the same content gives the same bytes" in answer.content.decode()


def test_gold_that_is_large_is_written_by_a_worker(project, annotators, write, as_, monkeypatch):
    monkeypatch.setattr(gold_exports, "PAIRS_AT_ONCE", 1)
    gold = gold_set(project, annotators, size=2)
    for _ in "twice":
        page = write(gold_set=gold.pk, format="jsonl", licence="CC0-1.0").content.decode()
        job = project.jobs.get(kind=gold_exports.KIND)
        assert "Waiting for a worker" in page and reverse("job-cancel", args=[project.slug, job.pk]) in page
    assert not Export.objects.exists()
    run_here(job=job)
    made = Export.objects.get()
    assert made.manifest["details"]["export"]["licence"] == "CC0-1.0"
    assert "is there already" in write(gold_set=gold.pk, format="jsonl", licence="CC0-1.0").content.decode()
    assert project.jobs.filter(kind=gold_exports.KIND).count() == 1


def test_what_only_the_pairs_tell_is_said_on_the_form(project, annotators, write):
    links = gold_alignment_set(project, annotators)
    alignment = links.alignments.first()
    alignment.links[0][2] = "possible"
    alignment.save()
    answer = write(gold_links=links.pk, format="giza")
    assert answer.status_code == 422 and "GIZA++ has only one strength" in answer.content.decode()
    assert not project.jobs.filter(kind=gold_exports.KIND).exists()


def test_download_is_an_attachment(project, annotators, write, as_):
    write(gold_set=gold_set(project, annotators, size=2).pk)
    export = Export.objects.get()
    answer = as_("manager").get(reverse("export-download", args=[project.slug, export.pk]))
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{export.filename}"'
    assert answer.headers["Content-Type"] == "application/zip"
    assert hashlib.sha256(b"".join(answer.streaming_content)).hexdigest() == export.sha256


def test_lost_file_is_made_again(project, annotators, write, as_):
    write(gold_set=gold_set(project, annotators, size=2).pk, format="msr")
    export = Export.objects.get()
    export_path(project, export.sha256).unlink()
    answer = as_("manager").get(reverse("export-download", args=[project.slug, export.pk]))
    assert hashlib.sha256(b"".join(answer.streaming_content)).hexdigest() == export.sha256


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


def test_exports_are_sorted_filtered_and_listed_as_a_file(project, annotators, write, as_):
    gold = gold_set(project, annotators, size=2)
    write(gold_set=gold.pk)
    write(gold_set=gold.pk, format="jsonl")
    Export.objects.filter(pk=Export.objects.latest("pk").pk).update(name="rivers", bytes=1)
    address = reverse("exports", args=[project.slug])

    def listed(**query):
        table = as_("manager").get(address, query).context["table"]
        return [export.name for export, _ in table.rows]

    assert listed(sort="size")[0] == "rivers"
    assert listed(sort="-size")[1] == "rivers"
    assert listed(q="river") == ["rivers"]
    answer = as_("manager").get(address, {"q": "river", "format": "csv"})
    lines = b"".join(answer.streaming_content).decode("utf-8-sig").splitlines()
    assert len(lines) == 2 and ",rivers," in lines[1]
    found = as_("manager").get(f"/api/v1/projects/{project.slug}/exports/", {"sort": "size"}).json()
    assert found["items"][0]["name"] == "rivers"


def test_an_export_to_publish_takes_the_projects_licence_or_another(project, annotators, write, as_):
    gold = gold_set(project, annotators, size=2)
    refused = write(gold_set=gold.pk, publish="on")
    assert refused.status_code == 422
    assert "Choose the licence of the published data set" in refused.content.decode()
    refused = write(gold_set=gold.pk, publish="on", licence="CC-BY-4.0")
    assert refused.status_code == 422 and "names its authors" in refused.content.decode()
    project.licence, project.authors = "CC0-1.0", "Example, Ada"
    project.save()
    form = as_("manager").get(reverse("export-new", args=[project.slug])).content.decode()
    assert 'value="CC0-1.0"' in form and '<option value="CC-BY-4.0">' in form
    for licence in ("", "odbl-1.0"):
        write(gold_set=gold.pk, publish="on", licence=licence)
    licences = [one.manifest["details"]["export"]["licence"] for one in Export.objects.order_by("pk")]
    assert licences == ["CC0-1.0", "ODbL-1.0"]
    assert "croissant.json" in Export.objects.latest("pk").manifest["files"]
