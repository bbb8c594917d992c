"""What pages say to annotators, how jobs are stopped, and the policy that every page is sent with."""

from __future__ import annotations

from corpus.models import Article, CandidatePair, Cluster, Extraction

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


def test_annotators_cannot_read_the_corpus_but_their_page_opens(house):
    assert house.annotator.get(house.url()).status_code == 200
    refused = house.annotator.get(house.url("corpus/"))
    assert "Annotators can only see pairs assigned to them" in refused.content.decode()


def test_pages_send_the_strict_policy_and_hold_no_inline_code(house):
    for page in ["", *READ, *MANAGE, *object_pages(house)]:
        answer = house.manager.get(house.url(page))
        text = answer.content.decode()
        assert "script-src 'self'" in answer["Content-Security-Policy"]
        assert " style=" not in text and "<style" not in text and " onclick=" not in text, page
        assert "<script>" not in text, page
