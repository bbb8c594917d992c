from __future__ import annotations

import pytest

from alignment.services.exporting import write_gold
from alignment.services.gold_links import freeze_gold_alignments
from annotation.services.gold import freeze_gold_set
from annotation.services.second_pass import end_second_pass, start_second_pass
from tests.factories.alignment import link, linking_batch
from tests.factories.annotation import adjudicate, assignments_of, judge, judge_all, judging_batch

YES, NO = "paraphrase", "not_paraphrase"
ONE, TWO = [[0, 0, "sure", "drawn"]], [[0, 0, "sure", "drawn"], [1, 1, "sure", "drawn"]]


@pytest.fixture
def judged(project, people, annotators):
    """Ten pairs, seven agreed on at first; in the second pass one of three changes, one stays, one is not
    looked at; then one dispute is decided."""
    first, second = annotators
    batch = judging_batch(project, annotators, size=10)
    judge_all(batch, first, [YES, NO])
    judge_all(batch, second, [YES, NO])
    mine = assignments_of(batch, second)
    for place, label in ((0, NO), (1, YES), (2, NO)):
        judge(mine[place], label)
    start_second_pass(batch=batch, by=people["manager"])
    judge(mine[0], YES)
    judge(mine[1], YES)
    end_second_pass(batch=batch, by=people["manager"])
    adjudicate(mine[1].item, people["adjudicator"], YES)
    return freeze_gold_set(project=project, by=None, name="gold", batches=[batch])


@pytest.fixture
def linked(project, people, annotators, judged):
    """Two annotators who drew other links in one pair, until the second pass."""
    batch = linking_batch(project, annotators, source=judged)
    first, second = (assignments_of(batch, user) for user in annotators)
    for number, (mine, others) in enumerate(zip(first, second, strict=True)):
        link(mine, TWO)
        link(others, TWO if number else ONE)
    start_second_pass(batch=batch, by=people["manager"])
    link(second[0], TWO)
    end_second_pass(batch=batch, by=people["manager"])
    return freeze_gold_alignments(project=project, by=None, name="links", batch=batch)


def test_gold_keeps_both_passes_and_the_first_one_is_the_headline(judged):
    agreement = judged.agreement
    assert agreement["first_pass"]["observed"]["value"] == 0.7
    assert agreement["second_pass"]["observed"]["value"] == 0.8
    for name in ("observed", "krippendorff_alpha", "cohen_kappa"):
        assert agreement[name] == agreement["first_pass"][name]
        assert agreement[name]["value"] < agreement["second_pass"][name]["value"]
        assert agreement[name]["low"] is not None


def test_gold_links_keep_both_passes(linked):
    agreement = linked.agreement
    assert agreement["second_pass"]["value"] == 1.0
    assert agreement["value"] == agreement["first_pass"]["value"] < 1.0
    assert agreement["first_pass"]["pairs"] == agreement["second_pass"]["pairs"]


def section(card, title):
    return card.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_gold_of_an_earlier_version_is_said_to_be_of_the_second_pass(judged, tmp_path):
    judged.agreement = judged.agreement["second_pass"]
    judged.signature = judged.signature.replace("|agreement:by-pass", "")
    judged.save()
    write_gold(tmp_path, gold_set=judged)
    card = (tmp_path / "README.md").read_text()
    assert "Freeze again to see the first pass." in section(card, "Agreement, second pass")
    again = freeze_gold_set(project=judged.project, by=None, name="gold", batches=list(judged.batches.all()))
    assert again.version == 2 and again.agreement["first_pass"]["observed"]["value"] == 0.7
