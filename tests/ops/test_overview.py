import pytest

from annotation.models import Assignment
from annotation.schemes import Label
from ops.navigation import navigation
from projects.models import Role
from tests.factories.annotation import assignments_of, judge, judge_all, judging_batch
from tests.factories.corpus import (
    member,
)
from tests.factories.house import client_of
from tests.factories.subclusters import headline_cluster, splitting_batch

YES, NO = Label.PARAPHRASE.value, Label.NOT_PARAPHRASE.value


@pytest.fixture
def manager(project):
    return client_of(member(project, Role.MANAGER, "mira"))


@pytest.fixture
def people(project):
    return [member(project, Role.ANNOTATOR, name) for name in ("anna", "bert")]


# The next step.


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
def test_an_annotator_s_pages_do_not_change_with_what_others_answer(project, people, adjudicates):
    anna, bert = people
    if adjudicates:
        member(project, Role.ADJUDICATOR, "anna")
    batch = judging_batch(project, people)
    client = client_of(anna)

    def pages():
        return [
            "\n".join(line for line in client.get(url).content.decode().split("\n") if "csrf" not in line)
            for url in ("/", "/projects/dams/", "/projects/dams/?part=live")
        ]

    before = pages()
    judge_all(batch, bert, [YES, NO])
    assert Assignment.objects.of(bert).filter(state="done").count() == 6
    assert pages() == before


def groups_of(client, url="/projects/dams/"):
    return {name: [one.label for one in entries] for name, entries in client.get(url).context["sections"]}


def test_the_navigation_costs_few_queries(project, rf, django_assert_max_num_queries):
    request = rf.get("/projects/dams/")
    request.user, request.project = member(project, Role.MANAGER, "mira"), project
    request.resolver_match = None
    with django_assert_max_num_queries(8):
        found = navigation(request)
        assert found["manages"] and [name for name, _ in found["sections"]][-1] == "Project"


def test_each_role_is_led_to_what_it_may_open(project, manager):
    assert groups_of(manager) == {
        "": ["Overview"],
        "Data": ["Corpus", "Candidates", "Datasets"],
        "People": ["Judge", "Link", "Review"],
        "Results": ["Gold", "Agreement", "Export"],
        "Models": ["Classifiers", "Aligners", "Experiments"],
        "Project": ["Settings"],
    }
    assert sum(len(entries) for entries in groups_of(manager).values()) == 14
    for role in (Role.VIEWER, Role.ADJUDICATOR, Role.ANNOTATOR):
        client = client_of(member(project, role, f"one {role}"))
        sections = client.get("/projects/dams/").context["sections"]
        assert bool(sections) == (role != Role.ANNOTATOR)
        for _, entries in sections:
            for entry in entries:
                page = client.get(entry.url).content.decode()
                assert f'href="{entry.url}" aria-current="page"' in page, f"{role} {entry.url}"


def test_headlines_are_within_judge(project, manager, people):
    headline_cluster(project)
    splitting_batch(project, people)
    judging_batch(project, people, size=2)
    page = manager.get("/projects/dams/split/").content.decode()
    assert 'href="/projects/dams/judge/" aria-current="page"' in page
    response = manager.get("/projects/dams/judge/")
    people_group = dict(response.context["sections"])["People"]
    assert [entry.count for entry in people_group if entry.label == "Judge"] == [2]
    assert 'href="/projects/dams/split/">Headlines</a>' in response.content.decode()


def test_the_page_of_a_fault_asks_nothing_of_the_database():
    from django.template.loader import render_to_string

    assert "Something went wrong" in render_to_string("500.html")
