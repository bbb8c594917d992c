"""Forms begin with what was judged, say what a launch costs, and ask again before a long one."""

import pytest
from django.test import Client

from alignment.services.gold_links import freeze_gold_alignments
from annotation.services.gold import freeze_gold_set
from corpus.models import Dataset
from jobs.operations import operations
from tests.factories.alignment import link_all, linking_batch
from tests.factories.annotation import judge_all, judging_batch
from tests.factories.corpus import DatasetFactory, ProjectFactory, dataset_of, member

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


def preselected(form, field):
    value = form[field].value()
    values = value if isinstance(value, list) else [value]
    return {Dataset.objects.get(pk=getattr(one, "pk", one)).name for one in values}


def form_of(kind, project, *sent):
    operation = operations()[kind]
    return operation.page.form(*sent, operation=operation, project=project)


def all_of_them(project):
    return [
        preselected(form_of("train-aligner", project), "datasets"),
        preselected(form_of("run-experiment", project), "datasets"),
        preselected(form_of("draw-judging-batch", project), "dataset"),
    ]


def test_what_was_drawn_for_judging_is_preselected(project):
    annotators = [member(project, "annotator", name) for name in ("ada", "bert")]
    judging_batch(project, annotators, size=4, dataset=project.datasets.get(name="middle"))
    assert all_of_them(project) == [{"middle"}] * 3


@pytest.mark.parametrize("dataset", ["small", "huge"])
def test_a_long_training_asks_once_more(project, dataset):
    data = {"aligner": "hmm", "datasets": [project.datasets.get(name=dataset).pk], "seed": 1}
    form = form_of("train-aligner", project, data)
    assert form.is_valid() == (dataset == "small")
    if dataset == "huge":
        assert "2,000,000 pairs" in str(form.errors["confirmed_time"])
        assert form_of("train-aligner", project, data | {"confirmed_time": "on"}).is_valid()


@pytest.fixture
def manager(project):
    """With gold links of pairs of the dataset `small`, which was judged before."""
    people = [member(project, "annotator", name) for name in ("ada", "bert")]
    judged = judging_batch(project, people, size=2, dataset=project.datasets.get(name="small"))
    for person in people:
        judge_all(judged, person)
    gold = freeze_gold_set(project=project, by=None, name="gold", batches=[judged])
    links = linking_batch(project, people, source=gold)
    for person in people:
        link_all(links, person)
    freeze_gold_alignments(project=project, by=None, name="links", batch=links)
    client = Client()
    client.force_login(member(project, "manager", "mia"))
    return client
