import re

import pytest

from corpus.models import CandidatePair
from tests.factories.corpus import member
from tests.factories.house import client_of
from tests.factories.news import DEMO, project_with

URL = "/projects/floods/candidates/dry-run/"


@pytest.fixture
def manager(db, monkeypatch):
    """All clusters are looked at, however busy the machine is."""
    for name in ("corpus.services.dry_run.SECONDS", "corpus.views.extractions.AT_ONCE"):
        monkeypatch.setattr(name, 600.0)
    return client_of(member(project_with(DEMO, slug="floods"), "manager", "mira"))


def test_an_opened_page_looks_at_few_clusters_and_says_how_to_look_at_more(manager, monkeypatch):
    monkeypatch.setattr("corpus.views.extractions.AT_ONCE", 0.0)
    page = manager.get(f"{URL}?preset=L12-2004-word").content.decode()
    more = "drawn at random: choose “Count again” below to look at more."
    assert re.search(r"\b1 of [\d,]+ clusters were looked at, " + more, page)
    page = manager.post(f"{URL}?preset=L12-2004-word", {}).content.decode()
    assert more not in page and re.search(r"All [\d,]+ clusters were looked at\.", page)


def test_the_page_shows_yield_histogram_examples_and_sliders(manager):
    page = manager.get(f"{URL}?preset=L12-2004-word").content.decode()
    assert '<rect class="bar"' in page and "pairs-table" in page and "0 to 4 words" in page
    assert 'data-parameter="max_edit_distance"' in page and 'data-parameter="first_n"' not in page
    assert "js/corpus/dry_run.js" in page and not CandidatePair.objects.exists()
    either = manager.get(f"{URL}?preset=candidates-2005").content.decode()
    assert 'data-parameter="first_n"' in either and 'data-parameter="first_length_ratio"' in either


def test_other_parameters_are_counted_by_sending_the_form(manager):
    first = manager.post(
        f"{URL}?preset=L12-2004-word", {"max_edit_distance": "4", "sample": "5", "seed": "2"}
    )
    page = first.content.decode()
    assert first.status_code == 200 and "5 of " in page and "drawn at random" in page
    assert 'name="max_edit_distance" value="4"' in page and "in 95 % of samples" in page
    assert first.context["counted"].seed == 2 and max(first.context["counted"].distances) <= 4
    wrong = manager.post(f"{URL}?preset=L12-2004-word", {"max_edit_distance": "few", "name": "kept"})
    assert wrong.status_code == 422 and "must be a whole number" in wrong.content.decode()
    assert 'value="kept"' in wrong.content.decode()


def test_what_follows_the_form_is_shown_with_its_errors(manager):
    followed = {"HTTP_HX_REQUEST": "true"}
    wrong = manager.post(f"{URL}?preset=L12-2004-word", {"max_edit_distance": "few"}, **followed)
    assert wrong.status_code == 200 and "Nothing is counted: " in wrong.content.decode()
    right = manager.post(f"{URL}?preset=L12-2004-word", {"max_edit_distance": "4"}, **followed)
    assert max(right.context["counted"].distances) <= 4
