import re

import pytest

from jobs.operations import operations
from ops.help import SECTIONS
from projects.documentation import page_names, page_of, search


def exists(place):
    name, _, anchor = place.partition("#")
    page = page_of(name)
    return bool(page) and (not anchor or anchor in {section.anchor for section in page.sections})


@pytest.fixture
def reader(client, django_user_model, db):
    client.force_login(django_user_model.objects.create_user("reader"))
    return client


def test_help_leads_to_sections_that_there_are():
    launched = [operation.page.manual for operation in operations().values() if operation.page]
    assert len(launched) > 10
    assert [place for place in (*SECTIONS.values(), *launched) if not exists(place)] == []


def test_links_between_pages_lead_somewhere(reader):
    """Each address once; what is served outside the documentation is tested with it."""
    addresses = {
        address.partition("#")[0]
        for name in page_names()
        for address in re.findall(r'(?:href|src)="(/documentation/[^"]+)"', page_of(name).html)
    }
    assert len(addresses) > 50
    assert [address for address in addresses if reader.get(address).status_code != 200] == []


def test_a_search_shows_sections_with_all_the_words_those_with_them_in_the_heading_first(reader):
    results = search("dry run")
    assert results[0].title == "Dry run"
    assert results[0].url == "/documentation/extraction/#dry-run"
    assert all("dry" in f"{result.title} {result.text}".lower() for result in results)
    assert "/documentation/extraction/#dry-run" in reader.get("/documentation/?q=dry+run").content.decode()
    assert "No section has" in reader.get("/documentation/?q=zebra+crossing+quagga").content.decode()


def test_nothing_outside_the_documentation_is_served(reader):
    for name in ("../manage.py", "..%2Fmanage.py", "nothing", "../config/settings.py"):
        assert reader.get(f"/documentation/{name}/").status_code == 404
