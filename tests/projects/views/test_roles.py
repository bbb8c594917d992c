"""Which page opens for whom: nothing for strangers, no corpus for annotators, changes for managers only."""

from __future__ import annotations

import pytest

from corpus.models import Article, CandidatePair, Cluster, Extraction
from jobs.models import JobState
from tests.factories.corpus import ExtractionFactory

READ = ["corpus/", "candidates/", "candidates/pairs/"]
MANAGE = [
    "settings/",
    "members/",
    "corpus/import/",
    "candidates/new/",
    "candidates/datasets/new/",
]


def object_pages(house) -> list[str]:
    extraction = Extraction.objects.get()
    return [
        f"corpus/clusters/{Cluster.objects.first().pk}/",
        f"corpus/articles/{Article.objects.first().pk}/?tokens=1",
        f"candidates/extractions/{extraction.pk}/",
        f"candidates/pairs/{CandidatePair.objects.first().pk}/",
        f"candidates/datasets/{house.dataset.pk}/",
        f"jobs/{extraction.job_id}/progress/",
    ]


def test_reading_pages(house):
    for page in READ + object_pages(house):
        url = house.url(page)
        expected = {"manager": 200, "adjudicator": 200, "viewer": 200, "annotator": 403, "stranger": 404}
        found = {role: getattr(house, role).get(url).status_code for role in expected}
        assert found == expected, page


def test_pages_that_change_things(house):
    for page in MANAGE:
        url = house.url(page)
        expected = {"manager": 200, "adjudicator": 403, "viewer": 403, "annotator": 403, "stranger": 404}
        for ask in ("get", "post"):
            # Sent empty, the launch form would launch the preset as it is.
            wrong = {"max_edit_distance": "far"} if ask == "post" else {}
            found = {role: getattr(getattr(house, role), ask)(url, wrong).status_code for role in expected}
            if ask == "post":
                expected["manager"] = 422
            assert found == expected, (ask, page)


@pytest.mark.parametrize("action", ["cancel", "retry"])
def test_jobs_are_stopped_and_retried_by_managers_only(house, action):
    state = JobState.RUNNING if action == "cancel" else JobState.FAILED
    job = ExtractionFactory(project=house.project, job__state=state, job__project=house.project).job
    job.chunks.create(number=0, units=1, payload={})
    url = house.url(f"jobs/{job.pk}/{action}/")
    assert house.stranger.post(url).status_code == 404
    assert house.viewer.post(url).status_code == 403
    assert house.manager.get(url).status_code == 405
    job.refresh_from_db()
    assert job.state == state
    assert house.manager.post(url).status_code == 302
    job.refresh_from_db()
    assert job.state == (JobState.CANCELLED if action == "cancel" else JobState.QUEUED)


def test_an_object_of_another_project_is_not_there(house):
    from tests.factories.corpus import ProjectFactory, dataset_of

    other = ProjectFactory()
    dataset = dataset_of(other, pairs=1)
    pair = dataset.pairs().get()
    pages = [
        f"corpus/clusters/{pair.cluster_id}/",
        f"corpus/articles/{pair.sentence_a.article_id}/",
        f"candidates/pairs/{pair.pk}/",
        f"candidates/datasets/{dataset.pk}/",
        f"candidates/extractions/{dataset.extractions.get().pk}/",
        f"jobs/{dataset.extractions.get().job_id}/progress/",
    ]
    for page in pages:
        assert house.manager.get(house.url(page)).status_code == 404, page


def test_annotators_cannot_read_the_corpus_but_their_page_opens(house):
    assert house.annotator.get(house.url()).status_code == 200
    refused = house.annotator.get(house.url("corpus/"))
    assert "Annotators see the pairs that are assigned to them" in refused.content.decode()


def test_pages_send_the_strict_policy_and_hold_no_inline_code(house):
    for page in ["", *READ, *MANAGE, *object_pages(house)]:
        answer = house.manager.get(house.url(page))
        text = answer.content.decode()
        assert "script-src 'self'" in answer["Content-Security-Policy"]
        assert " style=" not in text and "<style" not in text and " onclick=" not in text, page
        assert "<script>" not in text, page
