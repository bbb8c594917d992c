import pytest
from django.urls import reverse

from annotation.models import Item
from annotation.services.drawing import available_pairs, draw_judging_batch, draw_trial_batch
from annotation.services.gold import freeze_gold_set
from annotation.services.reassignment import barred_items
from projects.errors import PublicError
from tests.factories.annotation import judge_all
from tests.factories.corpus import dataset_of

FORMS = ("draw-judging-batch", "draw-linking-batch", "draw-splitting-batch")


def drawn(dataset, annotator, size, name):
    return draw_judging_batch(
        project=dataset.project, by=None, name=name, dataset=dataset, size=size,
        annotators=[annotator.username], seed=1, overlap=1,
    )  # fmt: skip


@pytest.fixture
def form(project, as_):
    def get(kind="draw-judging-batch", **query):
        return as_("manager").get(reverse("launch", args=[project.slug, kind]), query).context["form"]

    return get


def test_a_trial_uses_nothing_up_and_never_counts(project, people, annotators, form, as_):
    dataset = dataset_of(project, 8)
    trial = draw_trial_batch(project=project, by=annotators[0])
    assert (trial.trial, trial.items.count()) == (True, 8)
    judge_all(trial, annotators[0])
    assert available_pairs(dataset) == 8
    assert (form()["dataset"].value(), form()["size"].value()) == (dataset.pk, 8)
    again = drawn(dataset, annotators[1], 8, "for real")
    keys = set(again.items.values_list("pair__content_key", flat=True))
    assert keys == set(trial.items.values_list("pair__content_key", flat=True))
    work = as_("manager").get(reverse("progress", args=[project.slug]), {"format": "json"}).json()
    assert ([row["batch"] for row in work["batches"]], work["total"]["answers"]) == ([again.pk], 0)
    items = list(Item.objects.filter(batch=again).values_list("pk", flat=True))
    assert barred_items(annotators[0], again, items) == set(), "they can be reassigned to this annotator"
    with pytest.raises(PublicError, match="is a trial, which is never frozen"):
        freeze_gold_set(project=project, by=people["manager"], name="gold", batches=[trial], rule="majority")
