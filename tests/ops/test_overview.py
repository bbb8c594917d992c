"""A project's first page: what each role does next, the phases, what needs somebody, and the navigation."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from alignment.services.scoring import score_aligner
from annotation.models import Assignment, Batch, Label
from corpus.models import CorpusImport, ImportState
from jobs.models import ChunkState, JobState
from jobs.services.running import run_here
from ops.demo import launch_example
from ops.facts import Facts, failed_jobs
from ops.navigation import navigation
from ops.needs import IDLE_DAYS, needs_of
from projects.errors import PublicError
from projects.models import Project, Role
from tests.factories.annotation import assignments_of, gold_set, judge, judge_all, judging_batch
from tests.factories.corpus import (
    ClusterFactory,
    ExtractionFactory,
    JobFactory,
    dataset_of,
    member,
)
from tests.factories.trained_aligners import linked_gold, trained_aligner

YES, NO = Label.PARAPHRASE.value, Label.NOT_PARAPHRASE.value


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def overview(client: Client) -> Any:
    return client.get("/projects/dams/").context["overview"]


def step_of(client: Client) -> str:
    found = overview(client).next
    return found.label if found else ""


@pytest.fixture
def manager(project: Project) -> Client:
    return client_of(member(project, Role.MANAGER, "mira"))


@pytest.fixture
def people(project: Project) -> list[User]:
    return [member(project, Role.ANNOTATOR, name) for name in ("anna", "bert")]


def needs(project: Project, username: str = "mira") -> list[str]:
    return [
        f"{need.text} | {need.detail}"
        for need in needs_of(Facts(User.objects.get(username=username), project))
    ]


# The next step.


def test_the_next_step_is_the_main_button(project: Project, manager: Client, people: list[User]) -> None:
    batch = judging_batch(project, people, name="first")
    for user, label in zip(people, (YES, NO), strict=True):
        judge_all(batch, user, [label])
    assert step_of(manager) == "Start a second pass of first"
    page = manager.get("/projects/dams/").content.decode()
    assert "12 of 12" in page and "6 undecided" in page
    assert page.count('class="button main"') == 1


@pytest.mark.parametrize(
    ("state", "job_state", "label"),
    [
        (ImportState.CHECKING, JobState.RUNNING, "Follow the import"),
        (ImportState.STORING, JobState.FAILED, "See what stopped the import"),
        (ImportState.CHECKED, JobState.DONE, "Store news.jsonl"),
        (ImportState.REFUSED, JobState.DONE, "See what is wrong with news.jsonl"),
    ],
)
def test_an_import_on_its_way_is_the_next_step(
    project: Project, manager: Client, state: str, job_state: str, label: str
) -> None:
    job = JobFactory(project=project, kind="import-store", state=job_state)
    CorpusImport.objects.create(project=project, state=state, filename="news.jsonl", job=job)
    assert step_of(manager) == label


@pytest.mark.parametrize(
    ("state", "label"),
    [
        ("running", "Follow the extraction"),
        ("failed", "See what stopped the extraction"),
        ("done", "Extract candidate pairs"),
    ],
)
def test_an_extraction_on_its_way_is_the_next_step(
    project: Project, manager: Client, state: str, label: str
) -> None:
    ClusterFactory(project=project)
    assert step_of(manager) == "Extract candidate pairs"
    extraction = ExtractionFactory(project=project, job__state=state)
    assert step_of(manager) == label
    assert f"candidates/extractions/{extraction.pk}/" in manager.get("/projects/dams/").content.decode()


def test_an_annotator_s_home_is_the_own_work_and_where_it_stopped(project):
    anna = member(project, Role.ANNOTATOR, "anna")
    client = client_of(anna)
    assert "Nothing waits for you now" in client.get("/").content.decode()
    first, second = (judging_batch(project, [anna], size=3) for _ in range(2))
    assert client.get("/").context["following"].batch == first
    judge(assignments_of(second, anna)[0])
    answer = client.get("/")
    page = answer.content.decode()
    assert answer.context["following"].batch == second, "where anna answered last"
    assert "You stopped at 1 of 3" in page and "Continue: judge 2 pairs" in page
    assert "5 items are left" in page and "candidates/" not in page and "New project" not in page
    judge_all(second, anna, [Label.PARAPHRASE])
    assert client.get("/").context["following"].batch == first
    member(project, Role.ADJUDICATOR, "anna")
    assert "Waiting for you" in client.get("/").content.decode()


@pytest.mark.parametrize("adjudicates", [True, False])
def test_an_annotator_s_pages_do_not_change_with_what_others_answer(
    project: Project, people: list[User], adjudicates: bool
) -> None:
    anna, bert = people
    if adjudicates:
        member(project, Role.ADJUDICATOR, "anna")
    batch = judging_batch(project, people)
    client = client_of(anna)

    def pages() -> list[str]:
        return [
            "\n".join(line for line in client.get(url).content.decode().split("\n") if "csrf" not in line)
            for url in ("/", "/projects/dams/", "/projects/dams/?part=live")
        ]

    before = pages()
    judge_all(batch, bert, [YES, NO])
    assert Assignment.objects.of(bert).filter(state="done").count() == 6
    assert pages() == before


def test_adjudicators_and_viewers_have_a_way_in(project: Project) -> None:
    viewer = client_of(member(project, Role.VIEWER, "vera"))
    adjudicator = client_of(member(project, Role.ADJUDICATOR, "adam"))
    assert step_of(viewer) == ""
    assert "a manager is setting this project up" in viewer.get("/projects/dams/").content.decode()
    gold_set(project, [member(project, Role.ANNOTATOR, name) for name in ("anna", "bert")])
    assert step_of(viewer) == "See the gold sets"
    assert step_of(adjudicator) == "Review the judgements"
    page = viewer.get("/projects/dams/").content.decode()
    assert "12 of 12" not in page and "Answers a day" not in page and "kappa" not in page


# The phases.


def test_an_empty_project_has_four_phases_and_offers_example_data(project: Project, manager: Client) -> None:
    page = manager.get("/projects/dams/").content.decode()
    found = overview(manager)
    assert [phase.name for phase in found.phases] == ["Corpus", "Judge", "Link", "Models and data out"]
    assert all(phase.begin and phase.done == 0 for phase in found.phases)
    assert "Import example data" in page
    assert manager.post("/projects/dams/example-data/").status_code == 302
    source = project.imports.get()
    with pytest.raises(PublicError, match="empty"):
        launch_example(project=project, by=User.objects.get(username="mira"))
    run_here(job=source.job)
    run_here(job=CorpusImport.objects.get(pk=source.pk).job)
    assert project.clusters.count() == 16
    assert step_of(manager) == "Extract candidate pairs"
    assert "Import example data" not in manager.get("/projects/dams/").content.decode()


def test_the_phases_hold_figures_that_lead_to_them(
    project: Project, manager: Client, people: list[User]
) -> None:
    links = linked_gold(project, 2)
    score_aligner(gold_set=links, aligner="identity")
    data = overview(manager).phases[-1]
    figures = {figure.label: figure for figure in data.figures}
    assert data.done == 2 and "data exported" in data.words
    assert figures[str(links)].url == reverse("gold-links", args=["dams", links.pk])
    assert figures["lowest AER"].value.startswith("identity, ")
    judged = overview(manager).phases[1]
    assert judged.complete and any("100 %" in figure.value for figure in judged.figures)
    for phase in overview(manager).phases:
        for url in {phase.url, *(figure.url for figure in phase.figures)}:
            assert manager.get(url).status_code == 200, url


def test_answers_a_day_are_shown_up_to_today(project: Project, manager: Client, people: list[User]) -> None:
    assert overview(manager).days == []
    batch = judging_batch(project, people)
    judge_all(batch, people[0])
    Assignment.objects.filter(pk=assignments_of(batch, people[0])[0].pk).update(
        answered_at=timezone.now() - timedelta(days=2)
    )
    days = overview(manager).days
    assert [answers for _, answers in days[-3:]] == [1, 0, 5]
    assert days[-1][0] == timezone.now().date()
    for address in ("/projects/dams/", "/projects/dams/?part=live"):
        page = manager.get(address).content.decode()
        assert "Answers a day" in page and 'href="?svg=answers-a-day"' in page
        assert '<details id="answers-a-day-data">' in page
    drawn = manager.get("/projects/dams/?svg=answers-a-day")
    assert drawn.headers["Content-Type"] == "image/svg+xml"


# What needs somebody, and what runs.


def test_disputes_say_how_old_they_are(project: Project, manager: Client, people: list[User]) -> None:
    batch = judging_batch(project, people, size=3)
    for user, label in zip(people, (YES, NO), strict=True):
        judge_all(batch, user, [label])
    Assignment.objects.filter(item=batch.items.first()).update(answered_at=timezone.now() - timedelta(days=2))
    text = f"3 disputed pairs in {batch} | oldest 2 days"
    assert needs(project) == [f"{text}; waiting for an adjudicator: add one"]
    member(project, Role.ADJUDICATOR, "adam")
    assert needs(project) == [f"{text}; waiting for an adjudicator"]
    assert needs(project, "adam") == [text]


def test_people_who_stopped_are_named(project: Project, manager: Client, people: list[User]) -> None:
    anna, bert = people
    batch = judging_batch(project, people)
    assert needs(project) == []
    long_ago = timezone.now() - timedelta(days=IDLE_DAYS + 1)
    Batch.objects.update(created_at=long_ago)
    judge(assignments_of(batch, bert)[0])
    [need] = needs(project)
    assert need.startswith("anna has not answered yet") and need.endswith("6 items held")
    Assignment.objects.filter(annotator=bert, state="done").update(answered_at=long_ago)
    assert [need.split(" | ")[1] for need in needs(project)] == ["6 items held", "5 items held"]
    batch.annotators.filter(annotator=anna).update(paused=True)
    assert [need.split()[0] for need in needs(project)] == ["bert"]


def test_failed_jobs_stay_until_a_later_one_is_done(project: Project, manager: Client) -> None:
    failed = ExtractionFactory(project=project, job__state="failed", job__error="No room on the disk.").job
    assert needs(project) == [f"Failed: {failed.title} | No room on the disk."]
    JobFactory(project=project, kind="extract", title="Another", state=JobState.DONE)
    assert list(failed_jobs(project)) == [failed]
    JobFactory(project=project, kind="extract", title=failed.title, state=JobState.DONE)
    assert not failed_jobs(project)
    archived = ExtractionFactory(project=project, job__state="failed", archived_at=timezone.now())
    assert archived.job not in failed_jobs(project)
    JobFactory(project=project, state="failed", moved_at=timezone.now() - timedelta(days=40))
    assert not failed_jobs(project)


def test_imports_that_were_left_are_named(project: Project, manager: Client) -> None:
    CorpusImport.objects.create(project=project, state=ImportState.CHECKED, filename="news.jsonl")
    assert needs(project) == ["news.jsonl is checked, not stored | store or discard it"]


def test_an_aligner_that_knows_no_newer_gold_is_named(
    project: Project, manager: Client, people: list[User]
) -> None:
    links = linked_gold(project, 2)
    aligner = trained_aligner(dataset_of(project, name="to train on"), run=False)
    aligner.learns_from_gold, aligner.sha256, aligner.bytes = True, "0" * 64, 1
    aligner.save()
    batch = links.batch
    batch.suggester = f"trained:{aligner.pk}"
    batch.save()
    assert not any("is newer than" in need for need in needs(project))
    links.frozen_at = timezone.now()
    links.save()
    assert f"{links} is newer than {aligner}, which suggests links in {batch} | train again" in needs(project)


def test_running_jobs_say_what_they_wait_behind(project: Project, manager: Client) -> None:
    running = JobFactory(project=project, title="Extract F3", state="running", total=169, done=61)
    lease = {"leased_until": timezone.now() + timedelta(minutes=5), "state": ChunkState.LEASED}
    running.chunks.create(number=0, units=169, progress=61, payload={}, **lease)
    waits = JobFactory(project=project, title="Import basil", state="queued", total=5)
    waits.chunks.create(number=0, units=5, payload={})
    page = manager.get("/projects/dams/?part=live").content.decode()
    assert "61 of 169 clusters" in page
    assert "waiting behind <bdi>Extract F3</bdi>" in page
    assert "data-busy" in page and "<html" not in page


# The navigation.


def groups_of(client: Client, url: str = "/projects/dams/") -> dict[str, list[str]]:
    return {name: [one.label for one in entries] for name, entries in client.get(url).context["sections"]}


def test_the_navigation_costs_few_queries(
    project: Project, rf: Any, django_assert_max_num_queries: Any
) -> None:
    request = rf.get("/projects/dams/")
    request.user, request.project = member(project, Role.MANAGER, "mira"), project
    request.resolver_match = None
    with django_assert_max_num_queries(8):
        found = navigation(request)
        assert found["manages"] and [name for name, _ in found["sections"]][-1] == "Project"


def test_each_role_is_led_to_what_it_may_open(project: Project, manager: Client) -> None:
    assert groups_of(manager) == {
        "": ["Overview"],
        "Data": ["Corpus", "Candidates"],
        "People": ["Judge", "Link", "Split", "Review"],
        "Results": ["Gold", "Agreement", "Progress", "Export"],
        "Models": ["Classifiers", "Aligners", "Experiments", "Lexicons"],
        "Project": ["Jobs", "Members", "Settings"],
    }
    for role in (Role.VIEWER, Role.ADJUDICATOR, Role.ANNOTATOR):
        client = client_of(member(project, role, f"one {role}"))
        sections = client.get("/projects/dams/").context["sections"]
        assert bool(sections) == (role != Role.ANNOTATOR)
        for _, entries in sections:
            for entry in entries:
                page = client.get(entry.url).content.decode()
                assert f'href="{entry.url}" aria-current="page"' in page, f"{role} {entry.url}"


@pytest.mark.parametrize(
    ("view", "label"),
    [
        ("corpus-import", "Corpus"), ("pairs", "Candidates"), ("text-matching-new", "Candidates"),
        ("judged-pairs", "Review"), ("phenomena", "Agreement"), ("archives", "Export"),
    ],
)  # fmt: skip
def test_other_pages_belong_to_an_entry(project: Project, manager: Client, view: str, label: str) -> None:
    groups = manager.get(reverse(view, args=["dams"])).context["sections"]
    assert [one.label for _, entries in groups for one in entries if one.current] == [label]


def test_what_waits_is_in_the_navigation(project: Project, manager: Client, people: list[User]) -> None:
    member(project, Role.MANAGER, "anna")
    judging_batch(project, people, size=3)
    JobFactory(project=project, state="failed")
    groups = client_of(people[0]).get("/projects/dams/jobs/").context["sections"]
    waiting = {one.label: one.waiting for _, entries in groups for one in entries if one.waiting}
    assert waiting == {"Judge": "3 left", "Jobs": "1 failed"}


def test_guidelines_are_shown_as_text_only(project: Project) -> None:
    project.guidelines = "# Rules\n\n<script>alert(1)</script>"
    project.save()
    page = client_of(member(project, Role.ANNOTATOR, "anna")).get("/projects/dams/").content.decode()
    assert "<h2>Rules</h2>" in page and "&lt;script&gt;" in page and "<script>" not in page


def test_the_page_of_a_fault_asks_nothing_of_the_database() -> None:
    from django.template.loader import render_to_string

    assert "Something went wrong" in render_to_string("500.html")
