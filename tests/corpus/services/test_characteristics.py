from itertools import groupby

import numpy as np
import pytest

from corpus.services.characteristics import characteristics, overlaps, selections_of
from corpus.services.datasets import freeze_dataset
from paragold.extraction.records import PAIRS
from tests.factories.news import DEMO, extract, project_with
from tests.paragold.extraction.tally import Tally

pytestmark = pytest.mark.django_db


@pytest.fixture
def sets():
    """L12, F2, and the near pairs of both, of the demo corpus."""
    project = project_with(DEMO)
    both = [extract(project, preset) for preset in ("L12-2004", "F2-2004")]
    freeze_dataset(project=project, name="near", extractions=both, criteria={"max_edit_distance": 5})
    return [project.datasets.get(name=name) for name in ("L12-2004", "F2-2004", "near")]


def test_the_database_reckons_what_python_does(sets):
    for dataset in sets:
        tally = Tally()
        rows = dataset.pairs().order_by("cluster", "pk").values_list(
            "cluster", "edit_distance", "length_a", "length_b", "shared_words", "position_a", "position_b"
        )  # fmt: skip
        for _, group in groupby(rows, key=lambda row: row[0]):
            tally.add_cluster(np.array([(0, 1, *row[1:], b"") for row in group], PAIRS))
        expected = tally.characteristics(selections_of(dataset)) | {"name": dataset.name}
        del expected["seconds"]
        result = characteristics(dataset)
        assert result["pairs"] == dataset.size > 0
        assert result.pop("asked") == expected.pop("asked") and result.pop("name") == expected.pop("name")
        assert result == pytest.approx(expected)


def test_the_parts_of_an_overlap_add_up(sets):
    parts = overlaps(sets[0].project, sets)
    assert [part.pairs for part in parts] == sorted((part.pairs for part in parts), reverse=True)
    pairs = {dataset.pk: set(dataset.pairs().values_list("pk", flat=True)) for dataset in sets}
    for part in parts:
        inside = [pairs[dataset.pk] for dataset in part.members]
        outside = [pairs[pk] for pk in pairs if pk not in {dataset.pk for dataset in part.members}]
        assert part.pairs == len(set.intersection(*inside).difference(*outside))
    assert sum(part.pairs for part in parts) == len(set.union(*pairs.values()))
    assert len(parts) >= 4
