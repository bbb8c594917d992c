import csv
import io

import pytest
from django.urls import reverse
from lxml import html

from annotation.models import Assignment, Item
from annotation.schemes import Label
from annotation.services.dataset_figures import extraction_precision
from annotation.services.gold import freeze_gold_set
from jobs.models import Job, JobState
from jobs.services.running import run_here
from paragold.sampling.strategy import CHOSEN
from tests.audit import entries
from tests.factories.annotation import assignments_of, judge, judge_all, judging_batch
from tests.factories.corpus import dataset_of

YES, NO = Label.PARAPHRASE, Label.NOT_PARAPHRASE


def page_of(people, role, view, **query):
    answer = people.client(role).get(reverse(view, args=[people.project.slug]), query)
    assert answer.status_code == 200
    return html.fromstring(answer.content)


def send(people, role, name, rows, **fields):
    """What the buttons below a list send; the page that it leads to."""
    address = reverse("list-action", args=[people.project.slug, name])
    body = {"chosen": [row.pk for row in rows], "next": f"/projects/{people.project.slug}/", **fields}
    return people.client(role).post(address, body, follow=True)


def test_the_way_back_leads_to_nowhere_else(people):
    pair = dataset_of(people.project, 1).pairs()[0]
    address = reverse("pair", args=[people.project.slug, pair.pk])
    client = people.client("viewer")
    for elsewhere in ("https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:x"):
        assert "data-back" not in client.get(address, {"list": elsewhere}).content.decode()


def test_chosen_pairs_join_a_batch_once_and_estimates_leave_them_out(people):
    batch = judging_batch(people.project, people.annotators, size=2, overlap=1)
    others = list(dataset_of(people.project, 2).pairs())
    there = [item.pair for item in batch.items.all()]
    said = send(people, "manager", "pairs", [*others, there[0]], action="add", batch=batch.pk)
    assert "2 pairs added to the batch." in said.content.decode()
    assert "holds the pair already" in said.content.decode()
    added = batch.items.filter(stratum=CHOSEN).order_by("number")
    assert [(item.pair, item.number) for item in added] == [(others[0], 3), (others[1], 4)]
    places = Assignment.objects.filter(item__batch=batch)
    assert sorted(places.values_list("annotator__username", "position")) == [
        ("annotator", 1), ("annotator", 2), ("second", 1), ("second", 2),
    ]  # fmt: skip
    for user in people.annotators:
        judge_all(batch, user, [YES])
    gold = freeze_gold_set(project=people.project, by=None, name="gold", batches=[batch])
    assert gold.counts["pairs"] == 4
    assert extraction_precision(gold)["counted"] == 2


@pytest.fixture
def judged(people):
    """Both say yes, then differ; the first one comments. A third pair has one answer."""
    batch = judging_batch(people.project, people.annotators, size=3, name="Dams")
    first, second = (assignments_of(batch, user) for user in people.annotators)
    judge(first[0], YES, comment="=1+1")
    judge(second[0], YES)
    judge(first[1], YES, flagged=True)
    judge(second[1], NO)
    judge(first[2], NO)
    return batch


def test_managers_flag_items_unseen_by_annotators(people, judged):
    item = judged.items.get(number=3)
    send(people, "manager", "items", [item], action="flag")
    assert Item.objects.get(flagged=True) == item
    table = people.client("manager").get("/projects/dams/review/pairs/?flagged=1").context["tables"][0]
    assert [row.item.number for row in table.rows] == [2, 3]
    send(people, "manager", "items", [item], action="unflag")
    assert not Item.objects.filter(flagged=True).exists()


def test_the_csv_has_a_line_for_each_answer_that_the_reader_may_see(people, judged):
    def lines(role):
        answer = people.client(role).get("/projects/dams/review/pairs/", {"format": "csv"})
        text = b"".join(answer.streaming_content).decode("utf-8-sig")
        return list(csv.DictReader(io.StringIO(text)))

    manager = lines("manager")
    assert [(one["number"], one["annotator"]) for one in manager] == [
        (number, letter) for number in "123" for letter in "AB"
    ]
    assert manager[0]["comment"] == "'=1+1"
    assert {one["number"] for one in lines("adjudicator")} == {"1", "2"}
    assert (
        people.client("annotator").get("/projects/dams/review/pairs/", {"format": "csv"}).status_code == 403
    )
    assert entries(project_id=people.project.pk, target__endswith="Dams").exists()


def test_all_items_that_match_are_changed_after_a_question_that_names_both(people, judged, monkeypatch):
    monkeypatch.setattr("annotation.views.review_lists.PAIRS_A_PAGE", 1)
    page = page_of(people, "manager", "judged-pairs", since="2001-01-01", label=NO)
    assert page.xpath("normalize-space(//label[input/@name='all'])") == (
        "All 2 items that match the filters, on all pages"
    )
    query = page.xpath("string(//input[@name='filter']/@value)")
    asked = html.fromstring(
        send(people, "manager", "items", [], action="flag", all="yes", filter=query).content
    )
    assert asked.xpath("string(//h1)") == "Flag: 2 items"
    assert [line.text_content() for line in asked.xpath("//dl//dd")] == ["Not a paraphrase", "2001-01-01"]
    assert not Item.objects.filter(flagged=True).exists()
    sent = {one.get("name"): one.get("value") for one in asked.xpath("//main//form//*[@name]")}
    assert sent["confirmed"] == "2"
    said = send(people, "manager", "items", [], **{**sent, "next": "/projects/dams/"})
    assert "2 items flagged." in said.content.decode()
    assert [one.number for one in Item.objects.filter(flagged=True).order_by("number")] == [2, 3]


def test_a_number_that_has_changed_is_asked_again_and_a_wrong_filter_changes_nothing(people, judged):
    again = send(people, "manager", "items", [], action="flag", all="yes", filter="", confirmed="2")
    assert "The number has changed" in again.content.decode()
    wrong = send(people, "manager", "items", [], action="flag", all="yes", filter="label=x", confirmed="3")
    assert "Nothing was changed" in wrong.content.decode()
    assert not Item.objects.filter(flagged=True).exists()


def test_many_rows_are_changed_by_a_job_in_pieces(people, judged, monkeypatch):
    monkeypatch.setattr("projects.views.lists.CHANGED_AT_ONCE", 2)
    monkeypatch.setattr("jobs.services.list_actions.ROWS_A_CHUNK", 2)
    said = send(people, "manager", "items", [], action="flag", all="yes", filter="", confirmed="3")
    assert "Flag: 3 items" in said.content.decode()
    job = Job.objects.get(kind="list-action")
    assert job.chunks.count() == 2
    assert not Item.objects.filter(flagged=True).exists()
    run_here(job=job)
    job.refresh_from_db()
    assert (job.state, job.counts) == (JobState.DONE, {"changed": 3, "left_unchanged": 0})
    assert Item.objects.filter(flagged=True).count() == 3
    assert "3 changed, 0 left unchanged" in page_of(people, "manager", "jobs").text_content()
