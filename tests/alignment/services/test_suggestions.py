import csv
import io
import zipfile

import pytest
from django.test import Client
from django.urls import reverse

from alignment.models import SuggestedLinks, WordLink
from alignment.services.batches import (
    current_row,
    latest_job,
    set_suggester,
)
from alignment.services.gold_exports import export_file
from alignment.services.gold_links import freeze_gold_alignments
from alignment.services.scoring import score_aligner
from alignment.services.submitted_links import conditions_of
from annotation.api.items import item_payload, queue_payload
from annotation.services.progress import waiting_for
from jobs.models import Job, JobState
from jobs.services.ledger import retry_job
from jobs.services.running import run_here
from paragold.aligners.http_model import ALLOWED, HttpModel
from paragold.aligners.registry import ALIGNERS
from projects.errors import PublicError
from projects.models import AuditEntry
from tests.factories.alignment import link, linking_batch
from tests.factories.annotation import assignments_of, gold_set
from tests.factories.corpus import member
from tests.factories.exports import export_gold
from tests.factories.fixed_aligner import register
from tests.model_server import model_server, same_words

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(project):
    return member(project, "annotator", "ann")


@pytest.fixture
def batch(project, ann):
    return linking_batch(project, [ann], source=gold_set(project, [ann], size=6), suggester="identity")


def suggested(batch, user):
    items = queue_payload(batch, user, limit=100)["items"]
    return [[list(cell) for cell in item["suggestions"]] for item in items]


def test_drawing_a_batch_keeps_its_suggestions(batch, ann, monkeypatch):
    rows = SuggestedLinks.objects.filter(item__batch=batch, setting="identity")
    assert [row.links for row in rows.order_by("item__number")] == suggested(batch, ann)
    assert all(row.signature.startswith("identity|") and row.links for row in rows)
    set_suggester(batch=batch, by=None, setting="identity")
    assert rows.count() == batch.items.count()


def test_the_best_aligner_suggests_by_a_job(batch, ann):
    job = set_suggester(batch=batch, by=None, setting="best")
    assert (job.state, job.total, suggested(batch, ann)) == (JobState.QUEUED, 3, [])
    run_here(job=job)
    batch.refresh_from_db()
    assert (job.state, job.done, latest_job(batch)) == (JobState.DONE, 3, job)
    assert job.counts["links_suggested"] == sum(map(len, suggested(batch, ann))) > 0
    assert SuggestedLinks.objects.filter(setting="best", signature__startswith="best|").count() == 3


def test_a_server_that_is_allowed_suggests_by_a_job(batch, ann, monkeypatch):
    with model_server(same_words) as (address, asked):
        monkeypatch.setenv(ALLOWED, address)
        monkeypatch.setitem(ALIGNERS._items, "http", HttpModel())
        job = set_suggester(batch=batch, by=None, setting="http")
        assert (job.state, asked) == (JobState.QUEUED, [])
        run_here(job=job)
    rows = SuggestedLinks.objects.filter(item__batch=batch, setting="http")
    assert (job.state, rows.count(), len(asked)) == (JobState.DONE, 3, 1)
    assert all(address in row.signature and row.links for row in rows)
    with pytest.raises(PublicError, match="no aligner 'http'"):
        score_aligner(gold_set=None, aligner="http")


def test_a_server_that_does_not_answer_ends_the_job_with_a_sentence(batch, monkeypatch):
    monkeypatch.setenv(ALLOWED, "http://127.0.0.1:9/")
    monkeypatch.setitem(ALIGNERS._items, "http", HttpModel())
    job = set_suggester(batch=batch, by=None, setting="http")
    run_here(job=job)
    assert job.state == JobState.FAILED
    assert "http://127.0.0.1:9/ cannot be asked" in job.error


def test_an_accepted_link_remembers_who_suggested_it(batch, ann):
    assignment = assignments_of(batch, ann)[0]
    [a, b], *_ = suggested(batch, ann)[0]
    other = [a, 0 if b else 1, "sure", "drawn"]
    link(assignment, [[a, b, "sure", "accepted"], other])
    accepted = WordLink.objects.get(origin="accepted")
    assert accepted.suggested_by.signature.startswith("identity|")
    assert WordLink.objects.get(origin="drawn").suggested_by is None
    run_here(job=set_suggester(batch=batch, by=None, setting="best"))
    link(assignment, [[a, b, "possible", "accepted"]])
    assert WordLink.objects.get().suggested_by == accepted.suggested_by


def test_what_spoke_for_a_link_is_kept_with_it(batch, ann, monkeypatch, client):
    set_suggester(batch=batch, by=None, setting="identity")
    client.force_login(ann)
    assignment = assignments_of(batch, ann)[0]
    address = reverse("api-suggestion-reasons", args=[assignment.pk])
    links = client.get(address).json()["links"]
    assert [[link["a"], link["b"]] for link in links] == current_row(assignment.item).links
    assert {link["reason"] for link in links} == {"equal words"}
    # Links of an aligner that does not tell.
    register(monkeypatch, "fixed", (0, 0), "m")
    set_suggester(batch=batch, by=None, setting="fixed")
    assert client.get(address).json()["links"] == [{"a": 0, "b": 0, "reason": ""}]
    set_suggester(batch=batch, by=None, setting="")
    assert client.get(address).json()["links"] == []


# A batch waits for its suggestions.


@pytest.fixture
def waiting(project, ann):
    """Drawn with suggestions that a job prepares."""
    return linking_batch(project, [ann], source=gold_set(project, [ann], size=6), suggester="best")


def test_nobody_gets_a_batch_before_its_suggestions_are_there(waiting, ann):
    queue = queue_payload(waiting, ann, limit=10)
    assert (queue["items"], queue["preparing"], queue["total"]) == ([], True, 3)
    assert waiting_for(ann) == []
    client = Client()
    client.force_login(ann)
    page = client.get(reverse("link-batch", args=[waiting.project.slug, waiting.pk]))
    assert "Suggestions are being prepared: 0 of 3 pairs" in page.content.decode()
    assert "Suggestions are being prepared" in client.get("/").content.decode()
    run_here(job=latest_job(waiting))
    waiting.refresh_from_db()
    queue = queue_payload(waiting, ann, limit=10)
    assert len(queue["items"]) == 3 and not queue["preparing"]
    assert all(item["suggestions"] and item["offered"] for item in queue["items"])
    assert [entry.items for entry in waiting_for(ann)] == [3]
    polled = client.get(page.request["PATH_INFO"], headers={"HX-Request": "true"})
    assert polled.headers["HX-Refresh"] == "true"


@pytest.mark.parametrize("state", [JobState.FAILED, JobState.CANCELLED])
def test_where_they_do_not_come_a_manager_chooses(waiting, ann, state):
    job = latest_job(waiting)
    Job.objects.filter(pk=job.pk).update(state=state, error="The aligner ended." * (state == "failed"))
    manager = Client()
    manager.force_login(member(waiting.project, "manager", "mary"))
    detail = reverse("link-detail", args=[waiting.project.slug, waiting.pk])
    page = manager.get(detail).content.decode()
    assert "could not be prepared" in page and "Try again" in page and "Hand out without suggestions" in page
    assert queue_payload(waiting, ann, limit=10)["items"] == []
    manager.post(reverse("link-suggestions", args=[waiting.project.slug, waiting.pk]), {"suggester": ""})
    waiting.refresh_from_db()
    assert (waiting.suggester, waiting.suggestions_pending) == ("", False)
    queue = queue_payload(waiting, ann, limit=10)
    assert [(item["suggestions"], item["offered"]) for item in queue["items"]] == [([], None)] * 3
    entry = AuditEntry.objects.filter(event="suggester-set").order_by("pk").last()
    assert entry.target.endswith("no suggestions") and entry.actor == "mary"
    retry_job(job=Job.objects.get(pk=job.pk))
    run_here(job=Job.objects.get(pk=job.pk))
    waiting.refresh_from_db()
    assert not waiting.suggestions_pending and suggested(waiting, ann) == [[], [], []]


def test_other_suggestions_hold_the_batch_and_begun_pairs_keep_theirs(batch, ann):
    first, second, _ = assignments_of(batch, ann)
    link(first, [])
    before = item_payload(first)["suggestions"]
    opened = item_payload(second)  # a page that was opened before the change sends its answer after it
    job = set_suggester(batch=batch, by=None, setting="best")
    assert queue_payload(batch, ann, limit=10)["items"] == []
    link(second, [], offered=opened["offered"])
    run_here(job=job)
    batch.refresh_from_db()
    [third] = queue_payload(batch, ann, limit=10)["items"]
    link(assignments_of(batch, ann)[2], [], offered=third["offered"])
    first = assignments_of(batch, ann)[0]
    assert item_payload(first)["suggestions"] == before
    by_setting = [(row.setting, count) for row, count in conditions_of(batch.items.values("pk"))]
    assert by_setting == [("best", 1), ("identity", 2)]
    with pytest.raises(PublicError, match="no suggestion for this pair"):
        link(first, [], offered=third["offered"])
    assert set_suggester(batch=batch, by=None, setting="best") is not None
    assert not batch.suggestions_pending, "they are there"


def test_conditions_are_in_pages_gold_and_exports(batch, ann):
    for assignment in assignments_of(batch, ann)[:2]:
        link(assignment, [[0, 0, "sure", "drawn"]])
    set_suggester(batch=batch, by=None, setting="")
    link(assignments_of(batch, ann)[2], [[0, 0, "sure", "drawn"]])
    manager = Client()
    manager.force_login(member(batch.project, "manager", "mary"))
    page = manager.get(reverse("link-detail", args=[batch.project.slug, batch.pk])).content.decode()
    assert "<b>Mixed:</b>" in page and "No suggestions</bdi> 1" in page
    gold = freeze_gold_alignments(project=batch.project, by=None, name="links", batch=batch)
    signature = SuggestedLinks.objects.filter(item__batch=batch).first().signature
    assert gold.lineage["conditions"] == {signature: 2, "none": 1}
    shown = [one.versions[0]["suggestions"] for one in gold.alignments.order_by("item__number")]
    assert sorted(shown) == sorted([signature, signature, "none"])
    export = export_gold(project=batch.project, by=None, gold_links=gold)
    with zipfile.ZipFile(export_file(export=export)) as archive:
        card = archive.read("README.md").decode()
        rows = list(csv.DictReader(io.StringIO(archive.read("links.csv").decode("utf-8-sig"))))
    assert f"Answers by the suggestions that annotators were shown: {signature}: 2; none: 1." in card
    assert sorted(row["suggestions"] for row in rows) == sorted(shown)
