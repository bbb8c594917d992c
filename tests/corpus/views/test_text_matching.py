from django.core.files.uploadedfile import SimpleUploadedFile

from corpus.models import Extraction
from jobs.services.running import run_here

FIRST = b"id\ttext\na1\tThe harbour lay quiet.\na2\tTwo boats came in at dawn.\na3\tNobody spoke.\n"
SECOND = b"id\ttext\nb1\tQuiet lay the harbour.\nb2\tAt dawn two boats came in, laden.\nb3\tWhy?\n"


def form(**fields):
    files = {"first": SimpleUploadedFile("a.tsv", FIRST), "second": SimpleUploadedFile("b.tsv", SECOND)}
    settings = {
        "method": "auto",
        "permutations": 64,
        "threshold": "0.4",
        "seed": 1,
        "encoder": "default",
    }
    return {"name": "harbour", **settings, **files, **fields}


def pairs_of(extraction):
    rows = extraction.datasets.get().pairs().order_by("pk")
    texts = rows.values_list("sentence_a__text", "sentence_b__text", "findings__jaccard")
    return [(a, b, round(jaccard, 3)) for a, b, jaccard in texts]


EXPECTED = [
    ("The harbour lay quiet.", "Quiet lay the harbour.", 1.0),
    ("Two boats came in at dawn.", "At dawn two boats came in, laden.", 0.857),
]


def test_the_pairs_of_two_files_become_a_dataset(house):
    clusters = house.project.clusters.of_corpus().count()
    assert "Match two texts" in house.manager.get(house.url("candidates/match-texts/")).content.decode()
    sent = house.manager.post(house.url("candidates/match-texts/"), form())
    extraction = Extraction.objects.latest("pk")
    assert sent.headers["Location"] == house.url(f"candidates/extractions/{extraction.pk}/")
    run_here(job=extraction.job)
    assert pairs_of(extraction) == EXPECTED
    assert house.project.clusters.of_corpus().count() == clusters
    shown = house.viewer.get(house.url(f"candidates/extractions/{extraction.pk}/")).content.decode()
    assert "exact Jaccard of every pair" in shown
