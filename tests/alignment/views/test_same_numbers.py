import pytest
from django.urls import reverse
from django.utils.html import escape

from alignment.services.scoring import score_aligner
from annotation.schemes import Label
from annotation.services.batches import close_batch, reopen_batch
from annotation.services.second_pass import end_second_pass, start_second_pass
from projects.models import Role
from tests.factories.alignment import gold_alignment_set, link, linking_batch
from tests.factories.annotation import assignments_of, gold_set, judge, judge_all, judging_batch
from tests.factories.corpus import MembershipFactory, ProjectFactory, member
from tests.factories.exports import export_gold
from tests.factories.house import client_of
from tests.factories.subclusters import headline_cluster, split, splitting_batch

YES, NO = Label.PARAPHRASE.value, Label.NOT_PARAPHRASE.value


@pytest.fixture
def project(db):
    return ProjectFactory(slug="dams", gold_rule="adjudicated")


@pytest.fixture
def annotators(project):
    return [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben")]


@pytest.fixture
def manager(project):
    return client_of(member(project, Role.MANAGER, "mira"))


def overview(client):
    return client.get("/projects/dams/").context["overview"]


def phase(client, name):
    [found] = [one for one in overview(client).phases if one.name == name]
    return found


def figures(client, name):
    return {figure.label: figure.value for figure in phase(client, name).figures}


def own_progress(client, label):
    [found] = [one.progress for one in overview(client).own if one.label == label]
    return found


def waiting(client, label):
    """What an entry of the navigation says that waits."""
    groups = client.get("/projects/dams/").context["sections"]
    [found] = [entry.waiting for _, entries in groups for entry in entries if entry.label == label]
    return found


def api(client, path):
    answer = client.get(f"/api/v1/{path}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def check(client, project, people):
    """The numbers of judging as the manager sees them, the same in every place."""
    stage = client.get("/projects/dams/judge/").context["batches"]
    work = client.get("/projects/dams/progress/").context
    by_api = {row["id"]: row["progress"] for row in api(client, "projects/dams/batches/?kind=judge")["items"]}
    as_json = client.get("/projects/dams/progress/?format=json").json()
    listed = {row["batch"]: row for row in as_json["batches"]}
    whole = {"answered": 0, "expected": 0, "left": 0, "missing": 0}
    for batch, _, progress in stage:
        row = next(row for row, of, *_ in work["by_batch"] if of == batch)
        page = client.get(reverse("batch", args=["dams", batch.pk])).context["progress"]
        one, other = by_api[batch.pk], listed[batch.pk]
        alone = api(client, f"batches/{batch.pk}/")["progress"]
        assert progress == page and one == alone and row["given"] == progress.given
        assert progress.answered == one["done"] == other["answered"]
        assert progress.expected == one["total"] == other["expected"]
        assert progress.waiting == one["left"] == other["left"]
        assert progress.missing == one["missing"] == other["missing"]
        assert (progress.looks, progress.looked) == (one["looks"], one["looked"])
        for name in whole:
            whole[name] += {"left": progress.waiting}.get(name, getattr(progress, name, 0))
    assert work["left"] == as_json["left"] == whole["left"]
    judged = phase(client, "Judge")
    assert judged.headline == f"{whole['answered']:,} of {whole['expected']:,}"
    persons = {row["username"]: row["left"] for row in work["people"]}
    for user in people:
        own = client_of(user)
        mine = own.get("/projects/dams/judge/").context["mine"]
        left = sum(one.left for one in mine)
        assert left == persons[user.username]
        for one in mine:
            shown = api(own, f"batches/{one.batch.pk}/")["progress"]
            progress = one.progress
            assert (shown["scope"], shown["done"], shown["total"]) == (
                "own",
                progress.answered,
                progress.expected,
            )
            assert (shown["left"], shown["missing"]) == (progress.waiting, progress.missing)
        wanted = sum(one.progress.expected for one in mine)
        if wanted:
            answered = sum(one.progress.answered for one in mine)
            assert f"{answered:,} of {wanted:,} pairs" in own_progress(own, "Judge pairs")
        first = overview(own).next
        assert (first and first.label) == (f"Judge {left:,} pair{'s' * (left != 1)}" if left else None)
    assert sum(persons.values()) == whole["left"]
    return whole


def check_disputes(client, batch, kind, undecided):
    """What is undecided and what the reader may decide, the same in every place."""
    detail = {"judge": "batch", "link": "link-detail", "split": "split-detail"}[kind]
    review = {"judge": "review-batch", "link": "link-review", "split": "split-review"}[kind]
    rows = {"judge": "rows", "link": "link_rows", "split": "split_rows"}[kind]
    page = client.get(reverse(detail, args=["dams", batch.pk])).context
    listed = client.get(reverse(review, args=["dams", batch.pk]) + "?show=undecided").context
    stage = client.get("/projects/dams/review/").context
    [figures] = [row[1] for row in stage[rows] if row[0] == batch]
    counts = {name: count for name, _, count in listed["filters"]}
    disputes = [one for one, *_ in stage["disputes"] if one.batch == batch]
    assert figures.undecided == page["figures"].undecided == counts["undecided"] == undecided
    assert sum(len(one.undecided) for one in disputes) == undecided
    assert page["to_decide"] == listed["to_decide"] == sum(len(one.decidable) for one in disputes)
    assert page["blocked"] == listed["blocked"] == undecided - page["to_decide"]


def sentence_and_button(client):
    """The overview's sentence is that of its only main button, and names what the button does."""
    answer = client.get("/projects/dams/")
    first, text = answer.context["overview"].next, answer.content.decode()
    assert text.count('class="button main"') == 1
    assert f"<p data-announce>{escape(first.why)}</p>" in text
    assert f'<a class="button main" href="{escape(first.url)}">{escape(first.label)}</a>' in text


def test_judging_through_its_states(project, annotators, manager):
    ann, ben = annotators
    # A batch that is open, one that was closed without an answer, one closed half way.
    batch = judging_batch(project, annotators, size=4, name="open")
    assert check(manager, project, annotators) == {"answered": 0, "expected": 8, "left": 8, "missing": 0}
    unanswered = judging_batch(project, annotators, size=3, name="never")
    close_batch(batch=unanswered)
    half = judging_batch(project, annotators, size=2, name="half")
    judge_all(half, ann)
    close_batch(batch=half)
    assert check(manager, project, annotators) == {"answered": 2, "expected": 10, "left": 8, "missing": 8}
    assert "8 missing in closed batches" in figures(manager, "Judge")
    sentence_and_button(manager)
    judge_all(batch, ann, [YES])
    judge_all(batch, ben, [YES, NO])
    assert check(manager, project, annotators) == {"answered": 10, "expected": 10, "left": 0, "missing": 8}
    assert phase(manager, "Judge").complete
    # The second pass half done.
    check_disputes(manager, batch, "judge", 2)
    start_second_pass(batch=batch, by=ann)
    assert check(manager, project, annotators)["left"] == 4
    judge(assignments_of(batch, ann)[1], YES)
    assert check(manager, project, annotators) == {"answered": 10, "expected": 10, "left": 3, "missing": 8}
    assert "second pass 1 of 4" in figures(manager, "Judge")
    assert "second pass 1 of 2" in own_progress(client_of(ann), "Judge pairs")
    assert "6 of 6 pairs" in own_progress(client_of(ann), "Judge pairs")
    check_disputes(manager, batch, "judge", 2)
    end_second_pass(batch=batch, by=ann)
    assert check(manager, project, annotators)["left"] == 0
    # Adjudication is pending.
    adam = member(project, Role.ADJUDICATOR, "adam")
    for reader in (manager, client_of(adam)):
        check_disputes(reader, batch, "judge", 2)
    assert overview(client_of(adam)).next.label == "Decide 2 disputed pairs"
    row = client_of(adam).get("/").context["rows"][0]
    assert [action.label for action in row["waiting"]] == ["Decide 2 disputed pairs"]
    assert figures(manager, "Judge")["disputed"] == "2 undecided"
    assert overview(manager).next.label == "Review 2 disagreements"
    sentence_and_button(manager)
    sentence_and_button(client_of(adam))
    reopen_batch(batch=unanswered)
    assert check(manager, project, annotators)["left"] == 6


def test_a_second_pass_begun_with_answers_missing(project, annotators, manager):
    ann, ben = annotators
    batch = judging_batch(project, annotators, size=3)
    judge_all(batch, ann, [YES])
    judge(assignments_of(batch, ben)[0], NO)
    start_second_pass(batch=batch, by=ann, anyway=True)
    assert check(manager, project, annotators) == {"answered": 4, "expected": 4, "left": 2, "missing": 2}
    assert "2 withheld until the second pass ends" in figures(manager, "Judge")
    assert "2 withheld until the second pass ends" in own_progress(client_of(ben), "Judge pairs")
    end_second_pass(batch=batch, by=ann)
    assert check(manager, project, annotators) == {"answered": 4, "expected": 6, "left": 2, "missing": 0}


def test_only_closed_batches_without_answers_are_not_done(project, annotators, manager):
    batch = judging_batch(project, annotators, size=2)
    close_batch(batch=batch)
    assert check(manager, project, annotators)["missing"] == 4
    assert not phase(manager, "Judge").complete
    assert overview(manager).next.label.startswith("Open")
    sentence_and_button(manager)


def test_disputed_links_and_clusters_wait_for_whoever_may_decide(project, annotators, manager):
    links = linking_batch(project, annotators, source=gold_set(project, annotators, size=6))
    for number in range(3):
        link(assignments_of(links, annotators[0])[number])
        link(assignments_of(links, annotators[1])[number], [])
    headline_cluster(project, key="headlines")
    clusters = splitting_batch(project, annotators, fewest=6)
    for user, groups in zip(annotators, ([[1, 2]], [[3, 4]]), strict=True):
        split(clusters.items.get(), user, groups)
    for kind, batch, count in (("link", links, 3), ("split", clusters, 1)):
        check_disputes(manager, batch, kind, count)
    assert figures(manager, "Link")["disputed"] == "3 undecided"
    [row] = manager.get("/").context["rows"]
    assert [one.label for one in row["waiting"]] == [
        "Find an adjudicator for 3 disputed linked pairs",
        "Find an adjudicator for 1 disputed cluster",
    ]
    MembershipFactory(project=project, user=annotators[0], role=Role.ADJUDICATOR)
    assert not [
        one
        for one in client_of(annotators[0]).get("/").context["rows"][0]["waiting"]
        if "Decide" in one.label
    ]
    adam = client_of(member(project, Role.ADJUDICATOR, "adam"))
    for kind, batch, count in (("link", links, 3), ("split", clusters, 1)):
        check_disputes(adam, batch, kind, count)
    [row] = adam.get("/").context["rows"]
    wanted = ["Decide 3 disputed linked pairs", "Decide 1 disputed cluster"]
    assert [one.label for one in row["waiting"]] == wanted
    assert overview(adam).next.label == wanted[0]
    assert [need.label for need in overview(adam).needs] == [f"1 disputed cluster in {clusters}"]
    assert waiting(adam, "Review") == "4 open"
    assert manager.get("/").context["rows"][0]["waiting"] == []


def test_when_every_stage_is_done_the_sentence_names_the_button(project, annotators, manager):
    links = gold_alignment_set(project, annotators)
    score_aligner(gold_set=links, aligner="identity")
    export_gold(project=project, by=None, gold_set=links.batch.gold_set, gold_links=links)
    sentence_and_button(manager)
    first = overview(manager).next
    assert first.label in first.why and first.url == reverse("launch", args=["dams", "draw-judging-batch"])
