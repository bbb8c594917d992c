from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import LazySettings

from alignment.models import GoldAlignmentSet
from corpus.models import Dataset
from tests.factories.corpus import ProjectFactory, dataset_of
from tests.factories.trained_aligners import linked_gold


@pytest.fixture
def var(tmp_path: Path, settings: LazySettings) -> Path:
    """A data folder of the test's own."""
    settings.VAR = tmp_path
    return tmp_path


@pytest.fixture
def dataset(var: Path) -> Dataset:
    return dataset_of(ProjectFactory(), pairs=8)


@pytest.fixture
def gold(dataset: Dataset) -> GoldAlignmentSet:
    """Of six pairs."""
    return linked_gold(dataset.project, 12)
