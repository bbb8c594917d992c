import json

import pytest
from django.urls import reverse

from annotation.presenters import bare_percent as percent
from tests.factories.alignment import link, linking_batch
from tests.factories.annotation import assignments_of
from tests.factories.imports import import_links

pytestmark = pytest.mark.django_db

SHARES = ("agreement", "first_against_second", "second_against_first", "f1_sure", "f1_all")


@pytest.fixture
def batch(project, annotators):
    batch = linking_batch(project, annotators)
    first, second = (assignments_of(batch, user)[0] for user in annotators)
    link(first, [[0, 0, "sure", "drawn"], [1, 1, "sure", "drawn"]])
    link(second, [[0, 0, "sure", "drawn"]])
    return batch


def agreement(as_, batch):
    address = reverse("link-agreement", args=[batch.project.slug, batch.pk])
    return as_("manager").get(address, {"format": "json"}).json()


def test_a_correction_before_the_second_pass_belongs_to_the_first(as_, batch, annotators):
    link(assignments_of(batch, annotators[1])[0], [[0, 0, "sure", "drawn"], [1, 1, "sure", "drawn"]])
    [first] = agreement(as_, batch)["passes"]
    assert first["annotators"][0]["all"]["f1_all"] == 1


def test_a_worked_example_by_hand(as_, project, annotators, tmp_path):
    """The example of docs/link-agreement.md; SURE and POSSIBLE links, four of them drawn by either.

    A: sure dam-dam, broke-burst, possible The-A. B: sure dam-dam, possible broke-burst, broke-open.
    A's 3 links against B: 2 are among B's possible, 1 among B's sure: 1 - (2 + 1) / (3 + 1) = 25 %.
    B's 3 links against A: 2 are among A's possible, 2 among A's sure: 1 - (2 + 2) / (3 + 2) = 20 %.
    1 - mean = 77.5 %. F1 of sure links 2 * 1 / (2 + 1), of all links 2 * 2 / (3 + 3); the same: dam-dam.
    Non-identical words: A 1 - (1 + 0) / (2 + 0) = 50 %, B 1 - (1 + 1) / (2 + 1) = 33.33 %.
    """
    drawn = {"annotator-person": ("1-1 2-2", "0-0"), "second-person": ("1-1", "2-2 2-3")}
    for name, (sure, possible) in drawn.items():
        row = {"id": "1", "source": "The dam broke", "target": "A dam burst open"}
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps([row | {"sureAlign": sure, "possibleAlign": possible}]), encoding="utf-8")
        found = import_links(project=project, path=path, batch="by hand", whose=name)
    page = as_("manager").get(reverse("link-agreement", args=[project.slug, found.batch.pk]))
    [(_, [(pair, figures)], _)] = page.context["shown"]
    rows = {
        words: [percent(row[name]) for name in SHARES] + [row["drawn"], row["same"]] for words, row in figures
    }
    assert (pair["first"], pair["second"], pair["all"]["pairs"]) == ("annotator-1", "annotator-2", 1)
    assert rows["All words"] == ["77.50", "25.00", "20.00", "66.67", "66.67", 4, 1]
    assert rows["Identical words"] == ["100.00", "0.00", "0.00", "100.00", "100.00", 1, 1]
    assert rows["Non-identical words"] == ["58.33", "50.00", "33.33", "0.00", "50.00", 3, 0]
    [shown] = agreement(as_, found.batch)["passes"][0]["annotators"]
    assert [percent(shown["non_identical"][name]) for name in SHARES] == rows["Non-identical words"][:5]
    text = page.content.decode()
    assert "First pass" in text and "Second pass" not in text and "A and B" in text
    assert all(f">{figure}<" in text for figure in ("77.50", "25.00", "20.00", "58.33"))
