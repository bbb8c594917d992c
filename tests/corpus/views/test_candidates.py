from corpus.models import CandidatePair, Dataset
from corpus.services.extraction import launch_extraction
from jobs.services.running import finish_job, run_next_chunk
from tests.factories.corpus import CandidatePairFactory


def work_off(extraction):
    from contextlib import nullcontext

    while run_next_chunk(job=extraction.job, worker="test", hold=lambda chunk: nullcontext()):
        pass
    assert finish_job(job=extraction.job)


def test_a_finished_extraction_shows_counts_histogram_and_the_next_step(house):
    extraction = launch_extraction(project=house.project, by=None, preset="L12-2004")
    work_off(extraction)
    page = house.manager.get(house.url(f"candidates/extractions/{extraction.pk}/")).content.decode()
    kept = extraction.findings.count()
    assert kept and f'?extraction={extraction.pk}">{kept}</a>' in page
    assert "hx-get" not in page and "django_htmx/htmx" not in page
    assert '<rect class="bar"' in page and "edit distance, words" in page
    dataset = Dataset.objects.get(name="L12-2004")
    assert house.url(f"launch/draw-judging-batch/?dataset={dataset.pk}") in page
    distance = extraction.findings.first().pair.edit_distance
    assert f"?extraction={extraction.pk}&amp;min_distance={distance}&amp;max_distance={distance}" in page
    assert (
        "launch/draw-judging-batch/"
        not in house.viewer.get(house.url(f"candidates/extractions/{extraction.pk}/")).content.decode()
    )


def rows(client, url):
    return [pair.pk for pair in client.get(url).context["tables"][0].rows]


def test_pairs_are_filtered_by_the_address(house):
    far = CandidatePairFactory(
        project=house.project, edit_distance=20, text_a="A zebra crossed.", shared_words=9
    )
    far.cluster.held_out = True
    far.cluster.save()
    all_pairs = set(CandidatePair.objects.values_list("pk", flat=True))
    expected = {
        "": all_pairs,
        "?max_distance=10": all_pairs - {far.pk},
        "?held_out=rest": all_pairs - {far.pk},
        "?q=zebra": {far.pk},
        f"?cluster={far.cluster.key}": {far.pk},
        f"?dataset={house.dataset.pk}": all_pairs - {far.pk},
        f"?dataset={house.dataset.pk}&min_distance=10": set(),
        "?min_distance=x": all_pairs,
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
    for sort in ("id", "-distance", "-shared"):
        first = house.viewer.get(f"{url}?sort={sort}").context["tables"][0].page
        second = house.viewer.get(f"{url}?sort={sort}&after={first.next}").context["tables"][0].page
        ids = [pair.pk for pair in first.rows + second.rows]
        assert len(ids) == len(set(ids)) == 66 and second.next is None, sort
        back = rows(house.viewer, f"{url}?sort={sort}&before={second.previous}")
        assert back == ids[: len(back)], sort
    nearest = house.viewer.get(f"{url}?sort=distance").context["tables"][0].rows
    distances = [pair.edit_distance for pair in nearest]
    assert distances == sorted(distances)
