import re
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from annotation.models import Assignment, Batch
from tests.factories.annotation import assignments_of, judge, judge_all, judging_batch

YES, NO = "paraphrase", "not_paraphrase"
DAY = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.fixture
def batch(project, annotators):
    """Four pairs: A has answered all, on two days, B two of which one is skipped; a minute each."""
    batch = judging_batch(project, annotators, size=4, name="Dams")
    judge_all(batch, annotators[0], (YES,))
    first, second, *_ = assignments_of(batch, annotators[1])
    judge(first, NO, flagged=True)
    judge(second, None, skipped=True)
    Assignment.objects.filter(answered_at__isnull=False).update(answered_at=DAY, milliseconds=60_000)
    latest = assignments_of(batch, annotators[0])[3]
    Assignment.objects.filter(pk=latest.pk).update(
        answered_at=DAY + timedelta(days=3), milliseconds=3_600_000
    )
    return batch


@pytest.fixture
def ask(as_, project):
    def get(**query):
        answer = as_("manager").get(reverse("progress", args=[project.slug]), query)
        assert answer.status_code == 200
        return answer

    return get


def test_by_batch_person_and_day(ask, annotators, batch):
    work = ask(format="json").json()
    [row] = work["batches"]
    names = ("expected", "answered", "given", "left", "skipped", "flagged")
    assert [row[name] for name in names] == [8, 6, 5, 2, 1, 1]
    ann, ben = work["people"]
    assert (ann["work"]["answers"], ann["work"]["days"], ann["left"], ann["skipped"]) == (4, 2, 0, 0)
    assert (ben["work"]["answers"], ben["work"]["days"], ben["left"]) == (2, 1, 2)
    assert (ben["skipped"], ben["flagged"]) == (1, 1)
    # Three minutes, and an hour of which five count.
    assert ann["work"]["hours"] == pytest.approx(8 / 60)
    assert ann["work"]["per_hour"] == pytest.approx(30)
    assert ben["work"]["per_day"] == 2
    assert [tuple(day.values()) for day in work["days"]] == [("2026-03-02", 5, 2), ("2026-03-05", 1, 1)]
    assert (work["total"]["answers"], work["total"]["days"], work["left"]) == (6, 2, 2)
    assert work["days_left"] is None


def test_days_left_are_those_of_the_overview(as_, ask, project, annotators):
    batch = judging_batch(project, annotators, size=4, name="Dams")
    for assignment in assignments_of(batch, annotators[0])[:3]:
        judge(assignment, YES)
    assert ask(format="json").json()["days_left"] == 2
    page = as_("manager").get(reverse("project", args=[project.slug]))
    [pace] = [
        figure
        for phase in page.context["overview"].phases
        for figure in phase.figures
        if "kind=judge" in figure.url
    ]
    assert (pace.label, pace.value) == ("3 a day", "2 days left")


def test_every_number_counts_the_pairs_behind_it(as_, ask, batch):
    page = ask().content.decode()
    client = as_("manager")
    cells = re.findall(r'<td class="num"><a href="([^"]*/review/[^"]*)">([0-9]+)</a></td>', page)
    assert len(cells) >= 10
    for url, text in cells:
        answer = client.get(url.replace("&amp;", "&"))
        if "show=" in url:
            assert len(answer.context["tables"][0].rows) == int(text), url
        elif "person" in url or "left" in url or "skipped" in url or "flagged" in url:
            assert answer.context["total"] == int(text), url
        else:
            assert 0 < answer.context["total"] <= int(text), url
    assert '<rect class="bar"' in page
    assert "annotator-person" in page


def test_many_batches_are_shown_a_page_at_a_time(ask, project, batch):
    fields = {"project": project, "kind": "judge", "scheme": batch.scheme, "overlap": 2, "seed": 1}
    Batch.objects.bulk_create(Batch(**fields, dataset=batch.dataset, name=f"{n}") for n in range(50))
    first = ask()
    assert len(first.context["by_batch"]) == 50 and len(first.context["batches"]) == 51
    (address,) = re.findall(r'href="\?([^"]*after=[^"]*)"', first.content.decode())
    assert "after=50" in address
    assert [row["batch"] for row, *_ in ask(after=50).context["by_batch"]] == [batch.pk]
