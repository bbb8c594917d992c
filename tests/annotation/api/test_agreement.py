"""Agreement over the API: the same report, under pseudonyms, over what one may see."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.models import Batch
from tests.factories.annotation import judge_all, judging_batch
from tests.permissions.people import People


@pytest.fixture
def batch(people: People) -> Batch:
    """Four items, agreed on but for one."""
    batch = judging_batch(people.project, people.annotators, size=4)
    judge_all(batch, people["annotator"], ["paraphrase", "not_paraphrase"])
    judge_all(batch, people["second"], ["paraphrase", "not_paraphrase", "paraphrase", "paraphrase"])
    return batch


def agreement(people: People, query: str = "") -> Any:
    return people.client("manager").get(f"/projects/{people.project.slug}/agreement/?format=json{query}")


def test_the_report(people: People, batch: Batch) -> None:
    data = agreement(people).json()
    assert (data["scheme"], data["labels"]) == ("binary", ["paraphrase", "not_paraphrase"])
    assert data["items"] == 4
    observed = data["overall"]["observed"]
    assert (observed["value"], observed["items"]) == (0.75, 4)
    assert 0 <= observed["low"] < 0.75 < observed["high"] <= 1
    assert "alpha_ordinal" not in data["overall"]
    (two,) = data["pairs"]
    assert (two["first"], two["second"]) == ("annotator-1", "annotator-2")
    assert two["table"] == [[2, 0], [1, 1]]
    assert two["kappa"]["value"] == pytest.approx(0.5)
    assert data["confusion"] == [[4, 1], [1, 2]]
    assert [row["batch"] for row in data["batches"]] == [batch.pk]
    assert [row["period"] for row in data["periods"]] == ["1", "2", "3", "4"]
    assert data["passes"] is None
    assert "bootstrap:items,percentile,1000,95%,pcg64|seed:1" in data["signature"]


def test_one_batch_and_days(people: People, batch: Batch) -> None:
    other = judging_batch(people.project, people.annotators, size=2)
    data = agreement(people, f"&batch={other.pk}&by=days").json()
    assert data["items"] == 0
    assert data["overall"]["observed"]["undefined_because"] == "no item has labels from two annotators"
    assert data["periods"] == []


@pytest.mark.parametrize(
    ("query", "status"), [("&batch=999999", 404), ("&batch=x", 400), ("&by=years", 400), ("&x=1", 400)]
)
def test_bad_filters_are_told(people: People, batch: Batch, query: str, status: int) -> None:
    assert agreement(people, query).status_code == status
