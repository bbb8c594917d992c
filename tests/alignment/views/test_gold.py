from django.urls import reverse

from alignment.models import GoldAlignmentSet
from tests.factories.alignment import link, linking_batch
from tests.factories.annotation import assignments_of


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
