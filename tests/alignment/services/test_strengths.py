import pytest

from alignment.services.gold_links import freeze_gold_alignments
from alignment.services.scoring import score_aligner
from alignment.specs import GoldExportSpec
from tests.factories.alignment import link, linking_batch
from tests.factories.annotation import assignments_of
from tests.factories.corpus import ProjectFactory, member
from tests.factories.exports import export_contents

pytestmark = pytest.mark.django_db


@pytest.fixture
def gold():
    project = ProjectFactory()
    people = [member(project, "annotator", name) for name in ("ann", "ben")]
    batch = linking_batch(project, people)
    for user, strength in zip(people, ("sure", "possible"), strict=True):
        link(assignments_of(batch, user)[0], [[0, 0, "sure", "drawn"], [0, 1, strength, "drawn"]])
    return freeze_gold_alignments(project=project, by=None, name="links", batch=batch)


def test_exports(gold):
    as_drawn, manifest = export_contents(gold_links=gold, spec=GoldExportSpec(format="pharaoh"))
    all_sure, changed = export_contents(
        gold_links=gold, spec=GoldExportSpec(format="pharaoh", strengths="all_sure")
    )
    assert as_drawn["links.pharaoh"] == b"0-0 0?1\n"
    assert all_sure["links.pharaoh"] == b"0-0 0-1\n"
    assert "all_sure" not in str(manifest)
    assert "all_sure" in str(changed)


def test_scores(gold):
    as_drawn = score_aligner(gold_set=gold, aligner="identity")
    all_sure = score_aligner(gold_set=gold, aligner="identity", strengths="all_sure")
    assert (as_drawn.scores["all"]["sure"], all_sure.scores["all"]["sure"]) == (1, 2)
    assert all_sure.signature.endswith("|strengths:all_sure")
    assert score_aligner(gold_set=gold, aligner="identity") == as_drawn
