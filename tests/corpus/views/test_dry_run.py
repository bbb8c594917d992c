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


def test_the_page_shows_yield_histogram_examples_and_sliders(manager):
    page = manager.get(f"{URL}?preset=L12-2004-word").content.decode()
    assert '<rect class="bar"' in page and "pairs-table" in page and "0 to 4 words" in page
    assert 'data-parameter="max_edit_distance"' in page and 'data-parameter="first_n"' not in page
    assert "js/corpus/dry_run.js" in page and not CandidatePair.objects.exists()
    either = manager.get(f"{URL}?preset=candidates-2005").content.decode()
    assert 'data-parameter="first_n"' in either and 'data-parameter="first_length_ratio"' in either
