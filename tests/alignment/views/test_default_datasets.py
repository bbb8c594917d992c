import pytest

from jobs.operations import operations
from tests.factories.corpus import DatasetFactory, ProjectFactory, dataset_of

pytestmark = pytest.mark.django_db
HUGE = 2_000_000


@pytest.fixture
def project():
    """The newest dataset is huge; the oldest is the smallest."""
    project = ProjectFactory()
    dataset_of(project, 3, name="small")
    dataset_of(project, 5, name="middle")
    DatasetFactory(project=project, name="huge", size=HUGE)
    return project


def form_of(kind, project, *sent):
    operation = operations()[kind]
    return operation.page.form(*sent, operation=operation, project=project)


@pytest.mark.parametrize("dataset", ["small", "huge"])
def test_a_long_training_asks_once_more(project, dataset):
    data = {"aligner": "hmm", "datasets": [project.datasets.get(name=dataset).pk], "seed": 1}
    form = form_of("train-aligner", project, data)
    assert form.is_valid() == (dataset == "small")
    if dataset == "huge":
        assert "2,000,000 pairs" in str(form.errors["confirmed_time"])
        assert form_of("train-aligner", project, data | {"confirmed_time": "on"}).is_valid()
