"""A form that is reached from an object's page begins with that object, not with the newest of its kind."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from django.urls import resolve
from lxml import html

from alignment.services.gold_links import freeze_gold_alignments
from annotation.schemes import Label
from annotation.services.gold import freeze_gold_set
from tests.factories.alignment import link_all, linking_batch
from tests.factories.annotation import judge_all, judging_batch
from tests.factories.corpus import dataset_of
from tests.factories.subclusters import headline_cluster, split, splitting_batch
from tests.permissions.objects import make_objects
from tests.permissions.pages import PAGES
from tests.permissions.people import people
from tests.permissions.route import MANAGERS_FORM
from tests.permissions.test_matrix import url_of

__all__ = ["people"]

# Pages of an object, as far as managers may open them; and pages with a form.
OF_OBJECTS = [
    name
    for name, route in PAGES.items()
    if route.pk and route.statuses("GET")["manager"] == 200
    if not route.says("no page")
]
FORMS = {
    (route.on or name).partition(":")[0]
    for name, route in PAGES.items()
    if route.form or route.methods.get("POST") == MANAGERS_FORM
}
CHOSEN = (
    "//option[@selected and @value=$value] | //input[@checked and @value=$value]"
    " | //main//input[@type='hidden' and @value=$value]"
    " | //main//a[@aria-current and contains(@href, $value)]"
)


@pytest.fixture
def objects(people):
    """One of everything, and then a newer one of whatever a form could begin with instead."""
    project, annotators = people.project, people.annotators
    first = make_objects(project, annotators)
    first.numbers["batch"] = first["answered batch"]
    newer = judging_batch(project, annotators, size=2, dataset=dataset_of(project, 3))
    for annotator in annotators:
        judge_all(newer, annotator, [Label.PARAPHRASE])
    gold = freeze_gold_set(project=project, by=None, name="newer", batches=[newer])
    linked = linking_batch(project, annotators, source=gold)
    for annotator in annotators:
        link_all(linked, annotator)
    freeze_gold_alignments(project=project, by=None, name="newer", batch=linked)
    headline_cluster(project, key="newer")
    splitting = splitting_batch(project, annotators, fewest=6)
    for annotator in annotators:
        split(splitting.items.get(), annotator, [[1, 2]])
    return first


def forms_from(client, objects):
    """The page and the address of every link to a form that says what to begin with."""
    for name in OF_OBJECTS:
        page = url_of(name, objects, objects)
        answer = client.get(page)
        assert answer.status_code == 200, page
        for href in html.fromstring(answer.content).xpath("//main//a/@href"):
            parts = urlsplit(href)
            if not parts.query or not parts.path:
                continue
            target = resolve(parts.path).url_name
            if target in FORMS:
                yield name, href


@pytest.mark.django_db
def test_a_form_begins_with_what_it_was_reached_from(people, objects):
    client = people.client("manager")
    reached = set()
    for page, href in forms_from(client, objects):
        parts = urlsplit(href)
        form = html.fromstring(client.get(href.partition("#")[0]).content)
        for parameter, value in parse_qsl(parts.query):
            assert form.xpath(CHOSEN, value=value), f"{page}: {href} does not begin with {parameter} {value}"
            reached.add((page, resolve(parts.path).url_name, parameter))
    assert reached >= {
        ("dataset", "launch", "dataset"),
        ("gold-set", "launch", "gold_set"),
        ("gold-links", "launch", "gold_links"),
    }


pytestmark = pytest.mark.django_db
