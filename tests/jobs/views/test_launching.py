import pytest
from django.urls import reverse
from lxml import html


@pytest.mark.parametrize(
    ("kind", "entry"),
    [
        ("match-sentences", "candidates"),
        ("draw-judging-batch", "judge"),
        ("train-classifier", "classifiers"),
        ("train-aligner", "aligners"),
        ("export-gold", "exports"),
    ],
)
def test_a_page_that_launches_belongs_to_what_it_makes(house, kind, entry):
    page = house.manager.get(house.url(f"launch/{kind}/")).content
    marked = html.fromstring(page).xpath("//nav//a[@aria-current='page']/@href")
    assert set(marked) == {reverse(entry, args=[house.project.slug])}


def test_there_is_no_page_of_what_is_no_operation(house):
    assert house.manager.get(house.url("launch/everything/")).status_code == 404
    assert house.viewer.get(house.url("launch/match-sentences/")).status_code == 403


def test_what_has_to_be_made_before_is_said_in_place_of_the_form(house):
    page = house.manager.get(house.url("launch/apply-classifier/"))
    assert "There is no classifier yet" in page.content.decode()
    assert "costs" not in page.context
