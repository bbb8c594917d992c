"""Phrase pairs of gold links and of a run of an aligner: page, JSON and file."""

import pytest
from django.urls import reverse

from alignment.services.gold_links import linked_pairs
from alignment.services.trained_aligners.applying import apply_aligner
from jobs.services.running import run_here
from paragold.aligners.phrases import COLUMNS, PhraseSpec, as_columns, phrase_table
from tests.factories.corpus import dataset_of
from tests.factories.trained_aligners import linked_gold, trained_aligner

EQUAL = {"identical": "on"}


@pytest.fixture
def gold(project, annotators):
    return linked_gold(project, 4)


@pytest.fixture
def run(project, tmp_path, settings):
    settings.VAR = tmp_path
    dataset = dataset_of(project, pairs=3)
    run = apply_aligner(project=project, by=None, trained=trained_aligner(dataset), dataset=dataset)
    run_here(job=run.job)
    run.refresh_from_db()
    return run


def test_the_page_of_gold_links_shows_filters_and_downloads(project, gold, as_):
    address = reverse("gold-phrases", args=[project.slug, gold.pk])
    assert address in as_("viewer").get(reverse("gold-links", args=[project.slug, gold.pk])).content.decode()
    expected, _ = phrase_table(linked_pairs(gold), PhraseSpec(identical=True))
    page = as_("viewer").get(address, EQUAL)
    assert page.context["page"].rows == expected[:50]
    assert page.context["phrase_pairs"] == len(expected) > 0
    count, word, *_ = expected[0]
    narrowed = as_("viewer").get(address, EQUAL | {"text": word.upper(), "min_count": count})
    rows = narrowed.context["page"].rows
    assert rows and all(word in first or word in second for _, first, second, *_ in rows)
    assert "file=1" in page.content.decode()
    lines = b"".join(as_("viewer").get(address, EQUAL | {"file": 1})).decode().splitlines()
    assert lines == ["\t".join(row) for row in [COLUMNS, *map(as_columns, expected)]]
    wrong = as_("viewer").get(address, {"longest": 0})
    assert wrong.status_code == 422 and "Maximum length must be" in wrong.content.decode()
    assert as_("viewer").get(address).status_code == 200
