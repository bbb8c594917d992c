from __future__ import annotations

import pytest
from django.utils import timezone

from corpus.models import CandidatePair, Dataset, Extraction
from corpus.services.extraction import launch_extraction
from jobs.models import JobState
from jobs.services.running import finish_job, run_next_chunk
from tests.factories.corpus import (
    CandidatePairFactory,
    ClusterFactory,
    ExtractionFactory,
    ProjectFactory,
    member,
)
from tests.factories.house import client_of

L12 = {
    "name": "", "method": "levenshtein", "min_edit_distance": "0", "max_edit_distance": "12",
    "first_n": "none", "min_length_ratio": "2/3", "ratio_strict": "no", "min_shared_words": "0",
    "shared_word_length": "4", "min_length": "1", "max_length": "none",
}  # fmt: skip


def work_off(extraction: Extraction) -> None:
    from contextlib import nullcontext

    while run_next_chunk(job=extraction.job, worker="test", hold=lambda chunk: nullcontext()):
        pass
    assert finish_job(job=extraction.job)


def test_empty_pages_name_the_next_step(db):
    project = ProjectFactory(slug="floods")
    manager = client_of(member(project, "manager", "mira"))
    page = manager.get("/projects/floods/candidates/").content.decode()
    assert "Nothing is extracted yet" in page and "Import a corpus" in page
    ClusterFactory(project=project)
    assert "Extract candidate pairs" in manager.get("/projects/floods/candidates/").content.decode()
    assert "There are no pairs yet" in manager.get("/projects/floods/candidates/pairs/").content.decode()
    page = manager.get("/projects/floods/candidates/datasets/new/").content.decode()
    assert "No extraction is finished yet" in page


def test_the_launch_form_begins_with_the_preset(house):
    page = house.manager.get(house.url("candidates/new/")).content.decode()
    assert "Brockett and Dolan 2005, table 2." in page
    assert 'name="max_edit_distance" value="12"' in page and 'name="min_length_ratio" value="0.66"' in page
    page = house.manager.get(house.url("candidates/new/?preset=L12-2004")).content.decode()
    assert "Dolan, Quirk and Brockett 2004, section 3." in page
    assert 'name="max_edit_distance" value="12"' in page and 'name="min_length_ratio" value="2/3"' in page
    page = house.manager.get(house.url("candidates/new/?preset=F2-2004")).content.decode()
    assert 'name="first_n" value="2"' in page and 'value="first_sentences" selected' in page
    assert house.manager.get(house.url("candidates/new/?preset=X")).status_code == 200


def test_launching_with_a_changed_parameter(house):
    data = L12 | {"name": "near", "max_edit_distance": "5"}
    answer = house.manager.post(house.url("candidates/new/?preset=L12-2004"), data)
    extraction = Extraction.objects.get(name="near")
    assert answer.url == house.url(f"candidates/extractions/{extraction.pk}/")
    assert extraction.criteria["max_edit_distance"] == 5 and extraction.preset == "L12-2004"
    assert extraction.job.state == JobState.QUEUED
    page = house.manager.get(answer.url).content.decode()
    assert "Waiting for a worker" in page and "Cancel the extraction" in page
    assert 'hx-trigger="every 1s"' in page and "django_htmx/htmx" in page and "htmx-config" in page
    assert "Cancel the extraction" not in house.viewer.get(answer.url).content.decode()


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"max_edit_distance": "lots"}, "max_edit_distance", "must be a whole number from 0 to 1,000,000"),
        ({"max_edit_distance": ""}, "max_edit_distance", "needs a limit"),
        ({"method": "magic"}, "method", "Select a valid choice"),
    ],
)
def test_a_wrong_parameter_is_told_at_its_field(house, change, field, message):
    answer = house.manager.post(house.url("candidates/new/"), L12 | {"name": "kept words"} | change)
    assert answer.status_code == 422
    form = answer.context["form"]
    assert list(form.errors) == [field] and message in form.errors[field][0]
    assert 'value="kept words"' in answer.content.decode() and "<details open>" in answer.content.decode()
    assert Extraction.objects.count() == 1


def test_a_finished_extraction_shows_counts_histogram_and_the_next_step(house):
    extraction = launch_extraction(project=house.project, by=None, preset="L12-2004")
    work_off(extraction)
    page = house.manager.get(house.url(f"candidates/extractions/{extraction.pk}/")).content.decode()
    kept = extraction.findings.count()
    assert kept and f'?extraction={extraction.pk}">{kept}</a>' in page
    assert "hx-get" not in page and "django_htmx/htmx" not in page
    assert '<rect class="bar"' in page and "edit distance, words" in page
    dataset = Dataset.objects.get(name="L12-2004")
    assert house.url(f"judge/new/?dataset={dataset.pk}") in page
    distance = extraction.findings.first().pair.edit_distance
    assert f"?extraction={extraction.pk}&amp;min_distance={distance}&amp;max_distance={distance}" in page
    assert (
        "judge/new/"
        not in house.viewer.get(house.url(f"candidates/extractions/{extraction.pk}/")).content.decode()
    )


def test_an_extraction_without_a_pair_says_what_to_change(house):
    data = {"max_edit_distance": "0"}
    extraction = launch_extraction(project=house.project, by=None, preset="L12-2004", settings=data)
    work_off(extraction)
    page = house.manager.get(house.url(f"candidates/extractions/{extraction.pk}/")).content.decode()
    assert "No pair was found" in page and "Extract with other parameters" in page


def test_progress_is_told_while_it_runs_and_the_page_drawn_anew_when_it_ends(house):
    extraction = ExtractionFactory(project=house.project, job__state=JobState.RUNNING)
    job = extraction.job
    job.total, job.done, job.started_at = 100, 25, timezone.now() - timezone.timedelta(seconds=5)
    job.counts = {"pairs_kept": 1234, "pairs_compared": 56789}
    job.save()
    url = house.url(f"jobs/{job.pk}/progress/")
    text = house.viewer.get(url, headers={"HX-Request": "true"}).content.decode()
    assert "<b>25</b> of 100 clusters" in text and "<b>1,234</b> kept" in text and "<b>56,789</b>" in text
    assert "a second" in text and "left" in text and f'hx-get="{url}"' in text and "<html" not in text
    job.state, job.finished_at = JobState.DONE, timezone.now()
    job.save()
    ended = house.viewer.get(url, headers={"HX-Request": "true"})
    assert ended["HX-Refresh"] == "true"
    assert "hx-get" not in house.viewer.get(url).content.decode()


def test_a_job_is_cancelled_and_taken_up_again(house):
    extraction = launch_extraction(project=house.project, by=None, preset="L12-2004")
    job, page = extraction.job, house.url(f"candidates/extractions/{extraction.pk}/")
    answer = house.manager.post(house.url(f"jobs/{job.pk}/cancel/"), follow=True)
    assert answer.redirect_chain[-1][0] == page
    assert "is cancelled" in answer.content.decode() and "Resume" in answer.content.decode()
    again = house.manager.post(house.url(f"jobs/{job.pk}/cancel/"), follow=True)
    assert "only waiting and running jobs can be cancelled" in again.content.decode()
    answer = house.manager.post(house.url(f"jobs/{job.pk}/retry/"), follow=True)
    assert "goes on from where it stopped" in answer.content.decode()
    job.refresh_from_db()
    assert job.state == JobState.QUEUED
    work_off(extraction)


def rows(client, url: str) -> list[int]:
    return [pair.pk for pair in client.get(url).context["tables"][0].rows]


def test_pairs_are_filtered_by_the_address(house):
    far = CandidatePairFactory(
        project=house.project, edit_distance=20, text_a="A zebra crossed.", shared_words=9
    )
    far.cluster.held_out = True
    far.cluster.save()
    all_pairs = set(CandidatePair.objects.values_list("pk", flat=True))
    found = Extraction.objects.get()
    expected = {
        "": all_pairs,
        "?min_distance=10": {far.pk},
        "?max_distance=10": all_pairs - {far.pk},
        "?min_shared=9": {far.pk},
        "?held_out=only": {far.pk},
        "?held_out=rest": all_pairs - {far.pk},
        "?q=zebra": {far.pk},
        f"?cluster={far.cluster.key}": {far.pk},
        f"?extraction={found.pk}": all_pairs - {far.pk},
        f"?dataset={house.dataset.pk}": all_pairs - {far.pk},
        f"?dataset={house.dataset.pk}&min_distance=10": set(),
        "?min_distance=x": all_pairs,
        "?q=%00": all_pairs,
        "?after=99999999999999999999": all_pairs,
    }
    for query, wanted in expected.items():
        assert set(rows(house.viewer, house.url("candidates/pairs/") + query)) == wanted, query
    text = house.viewer.get(house.url("candidates/pairs/?min_distance=x")).content.decode()
    assert "Enter a whole number." in text
    none = house.viewer.get(house.url("candidates/pairs/?min_distance=99")).content.decode()
    assert "Nothing matches" in none and "show all" in none


def test_pairs_are_sorted_and_paged_without_gap_or_repetition(house):
    for number in range(60):
        CandidatePairFactory(project=house.project, edit_distance=number % 7, shared_words=number % 5)
    url = house.url("candidates/pairs/")
    for sort in ("id", "-id", "distance", "-distance", "length", "-shared"):
        first = house.viewer.get(f"{url}?sort={sort}").context["tables"][0].page
        second = house.viewer.get(f"{url}?sort={sort}&after={first.next}").context["tables"][0].page
        ids = [pair.pk for pair in first.rows + second.rows]
        assert len(ids) == len(set(ids)) == 66 and second.next is None, sort
        back = rows(house.viewer, f"{url}?sort={sort}&before={second.previous}")
        assert back == ids[: len(back)], sort
    nearest = house.viewer.get(f"{url}?sort=distance").context["tables"][0].rows
    distances = [pair.edit_distance for pair in nearest]
    assert distances == sorted(distances)


def test_a_pair_stands_in_its_articles(house):
    from tests.factories.corpus import SentenceFactory

    pair = CandidatePair.objects.first()
    for number in range(6):
        SentenceFactory(article=pair.sentence_a.article, text=f"Later sentence {number} .")
    page = house.viewer.get(house.url(f"candidates/pairs/{pair.pk}/")).content.decode()
    assert 'class="here" aria-current="true"' in page and "Later sentence 2 ." in page
    assert "Later sentence 3 ." not in page and "…" in page
    assert pair.sentence_a.article.source in page and "2004-03-17" in page
    assert Extraction.objects.get().name in page


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": ""}, "This field is required."),
        ({"extractions": []}, "Choose at least one finished extraction."),
        ({"held_out": "only"}, "This selection contains no pair"),
    ],
)
def test_errors_of_a_dataset_keep_what_was_chosen(house, change, message):
    data = {"name": "mine", "extractions": [house.dataset.extractions.get().pk], "held_out": "rest"}
    answer = house.manager.post(house.url("candidates/datasets/new/"), data | change)
    assert answer.status_code == 422 and message in answer.content.decode()
    assert Dataset.objects.count() == 1


def test_a_preset_is_selected_out_of_wider_candidates(house):
    CandidatePair.objects.filter(pk=CandidatePair.objects.first().pk).update(edit_distance=13)
    url = house.url("candidates/datasets/new/")
    page = house.manager.get(f"{url}?selection=L12-2004-word").content.decode()
    assert 'name="max_edit_distance" value="12"' in page and 'value="L12-2004-word"' in page
    assert "<details open>" in page and "<details open>" not in house.manager.get(url).content.decode()
    data = {"name": "L12", "extractions": [house.dataset.extractions.get().pk], "held_out": "all"}
    answer = house.manager.post(url, data | {"max_edit_distance": "near"})
    assert answer.status_code == 422 and "must be a whole number" in answer.content.decode()
    answer = house.manager.post(url, data | {"max_edit_distance": "12", "max_length": "none"})
    dataset = Dataset.objects.get(name="L12")
    assert dataset.criteria == {"max_edit_distance": 12} and dataset.size == 5
    assert (
        "Selected from what was found:: maximum edit distance 12."
        in house.manager.get(answer.url).content.decode()
    )
