from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import TrainedClassifier
from jobs.api.operations import schema_of, serializer_of
from jobs.operations import operations
from tests.factories.classifiers import learnable_dataset, learnable_gold
from tests.factories.corpus import dataset_of
from tests.permissions.people import make_people

pytestmark = pytest.mark.django_db
OPERATIONS = operations()


@pytest.fixture
def people(db):
    return make_people()


@pytest.mark.parametrize("kind", OPERATIONS)
def test_the_schema_describes_the_request(kind):
    schema, fields = schema_of(OPERATIONS[kind]), serializer_of(OPERATIONS[kind])().fields
    assert schema["properties"].keys() == fields.keys()
    required = [name for name, field in fields.items() if field.required]
    assert sorted(schema["required"]) == sorted(required)
    for name, field in fields.items():
        if hasattr(field, "choices"):
            assert schema["properties"][name]["enum"] == list(field.choices)
        if getattr(field, "max_value", None) is not None and name not in schema["required"]:
            assert schema["properties"][name].get("maximum", field.max_value) == field.max_value


def launch(people, kind, body, role="manager"):
    address = f"/api/v1/projects/{people.project.slug}/operations/{kind}/"
    return people.client(role).post(address, body, format="json")


def test_rows_of_other_projects_and_unknown_fields_are_refused(people):
    foreign = dataset_of(people.foreign, 1)
    answer = launch(people, "build-lexicon", {"dataset": foreign.pk})
    assert (answer.status_code, list(answer.data)) == (400, ["detail", "dataset"])
    answer = launch(people, "train-aligner", {"datasets": [foreign.pk]})
    assert (answer.status_code, list(answer.data)) == (400, ["detail", "datasets"])
    answer = launch(people, "match-sentences", {"threshold": 2})
    assert (answer.status_code, list(answer.data)) == (400, ["detail", "threshold"])
    answer = launch(people, "match-sentences", {"colour": "red"})
    assert (answer.status_code, list(answer.data)) == (400, ["detail", "colour"])
    assert launch(people, "train-classifier", {}).data["gold_set"] == ["This field is required."]


@pytest.fixture
def dataset(project):
    return learnable_dataset(project)


def run(project, kind, *options):
    output = StringIO()
    call_command("launch", kind, "--project", project.slug, *options, stdout=output, stderr=StringIO())
    return output.getvalue()


def test_what_cannot_be_launched_is_explained(project, dataset):
    learnable_gold(project, dataset)
    train, classify = "train-classifier", "apply-classifier"
    for kind, options, message in (
        (train, ("--gold-set", "golden"), "There is no gold set 'golden'. Available: gold v1"),
        (train, ("--gold-set", "gold", "--lexicon", "words"), "There is no lexicon 'words'. Available: none"),
        (train, ("--gold-set", "gold", "--c", "0"), "C must be a number above 0"),
        (train, ("--gold-set", "gold", "--aligned", dataset.name), "There are no gold links"),
        (train, (), "the following arguments are required: --gold-set"),
        (classify, ("--classifier", "svm", "--dataset", dataset.name), "no trained classifier 'svm'"),
        ("train-aligner", ("--set", "colour"), "takes KEY=VALUE"),
        ("train-aligner", ("--datasets", "nothing"), "There is no dataset 'nothing'. Available: dataset"),
        ("extract", ("--preset", "L13"), "L13"),
        ("fly", (), "invalid choice: 'fly'"),
    ):
        with pytest.raises(CommandError, match=message):
            run(project, kind, *options)
    assert not TrainedClassifier.objects.exists()
