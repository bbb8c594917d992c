from __future__ import annotations

from typing import Any

import pytest

from tests.audit import events
from tests.factories.annotation import assignments_of, judge, judge_all, judging_batch


@pytest.fixture
def batch(people):
    """Three items: agreed, disputed, and one that the second annotator has not answered."""
    batch = judging_batch(people.project, people.annotators, size=3)
    judge_all(batch, people["annotator"], ["paraphrase"])
    second = assignments_of(batch, people["second"])
    judge(second[0], "paraphrase")
    judge(second[1], "not_paraphrase", comment="other dam")
    return batch


def items(people, role, batch, query=""):
    found: list[dict[str, Any]] = (
        people.client(role).get(f"/api/v1/batches/{batch.pk}/review/{query}").data["items"]
    )
    return found


def test_nobody_is_named(people, batch):
    text = people.client("manager").get(f"/api/v1/batches/{batch.pk}/review/?disputed=0").content.decode()
    assert '"annotator-1"' in text
    assert '"second"' not in text
    assert "user" not in text


def test_adjudicators_see_closed_items_only(people, batch):
    assert [entry["number"] for entry in items(people, "adjudicator", batch, "?disputed=0")] == [1, 2]
    assert events(event="answers-seen", actor="adjudicator") == ["answers-seen"]
