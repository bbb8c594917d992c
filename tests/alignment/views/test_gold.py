"""The gold page and sets of gold links."""

from django.urls import reverse

from alignment.models import GoldAlignmentSet
from tests.factories.alignment import gold_alignment_set, link, link_all, linking_batch
from tests.factories.annotation import assignments_of, gold_set


def test_merged_links_are_drawn_by_strength(project, annotators, as_):
    batch = linking_batch(project, annotators)
    for assignment in assignments_of(batch, annotators[0]):
        link(assignment, [[0, 0, "sure", "drawn"], [1, 1, "sure", "drawn"]])
    for assignment in assignments_of(batch, annotators[1]):
        link(assignment, [[0, 0, "sure", "drawn"], [1, 1, "possible", "drawn"]], comment="<i>loose</i>")
    address = reverse("launch", args=[project.slug, "freeze-gold-links"])
    as_("manager").post(address, {"name": "links", "batch": batch.pk, "rule": "papers"})
    found = GoldAlignmentSet.objects.get()
    answer = as_("viewer").get(reverse("gold-links", args=[project.slug, found.pk]))
    _, drawing, versions = answer.context["rows"][0]
    assert [(curve.a, curve.b, curve.strength) for curve in drawing.links] == [
        (0, 0, "sure"),
        (1, 1, "possible"),
    ]
    assert [(version["letter"], version["links"]) for version in versions] == [
        ("A", "0-0 1-1"),
        ("B", "0-0 1?1"),
    ]
    page = answer.content.decode()
    assert '<path class="possible"' in page
    assert "&lt;i&gt;loose" in page
    assert "style=" not in page


def test_batch_that_nobody_linked_is_refused_at_its_field(project, annotators, as_):
    batch = linking_batch(project, annotators)
    link_all(batch, annotators[0])
    address = reverse("launch", args=[project.slug, "freeze-gold-links"])
    answer = as_("manager").post(address, {"name": "typed", "batch": batch.pk, "rule": "papers"})
    assert answer.status_code == 422
    assert "has been linked by 2 annotators yet" in str(answer.context["form"].errors["batch"])
    assert answer.context["form"]["name"].value() == "typed"


def test_each_list_of_gold_has_its_order_and_its_file(project, annotators, as_):
    links = gold_alignment_set(project, annotators)
    first = links.batch.gold_set
    second = gold_set(project, annotators, size=2, name="another")
    address = reverse("gold", args=[project.slug])

    def listed(**query):
        tables = as_("viewer").get(address, query).context["tables"]
        return [[row.name for row in table.rows] for table in tables]

    assert listed() == [[second.name, first.name], [links.name], []]
    assert listed(of="gold-sets", sort="-name") == [[first.name, second.name], [links.name], []]
    assert listed(of="gold-links", q="nothing") == [[second.name, first.name], [], []]
    page = as_("viewer").get(address, {"of": "gold-sets", "sort": "name"}).content.decode()
    assert "?of=gold-sets&amp;sort=-name" in page and "?of=gold-links&amp;sort=name" in page
    for of, head in (("gold-sets", "id,name,version,rule,scheme"), ("gold-links", "id,name,version,batch")):
        answer = as_("viewer").get(address, {"of": of, "format": "csv"})
        lines = b"".join(answer.streaming_content).decode("utf-8-sig").splitlines()
        assert lines[0].startswith(head) and len(lines) == {"gold-sets": 3, "gold-links": 2}[of]
