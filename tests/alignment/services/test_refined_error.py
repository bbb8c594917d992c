import pytest
from django.test import Client
from django.urls import reverse

from alignment.services.scoring import chosen_settings, newest_gold, non_identical_error
from annotation.services.classifiers.training import launch_training
from annotation.specs import TrainingSpec
from projects.errors import PublicError
from tests.factories.classifiers import finished, learnable_dataset, learnable_gold
from tests.factories.corpus import member
from tests.factories.trained_aligners import linked_gold

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset(project):
    return learnable_dataset(project)


@pytest.fixture
def links(project):
    """Gold links, of which one in each pair joins words that differ."""
    gold = linked_gold(project, 6)
    for alignment in gold.alignments.select_related("item__pair__sentence_a", "item__pair__sentence_b"):
        first = alignment.item.pair.sentence_a.token_list
        second = alignment.item.pair.sentence_b.token_list
        a, b = next((i, j) for i, x in enumerate(first) for j, y in enumerate(second) if x != y)
        alignment.links = [[a, b, "sure"]]
        alignment.save()
    return gold


def test_the_rate_is_between_words_that_differ(links, dataset):
    pairs = list(dataset.pairs().values_list("pk", flat=True))
    asked = TrainingSpec(symmetrisation="refined").aligner_settings
    recipe = chosen_settings(links.project, asked, len(pairs))
    assert (recipe["lexicon"], recipe["linking"]) == (True, "refined")
    found = non_identical_error(links.pk, pairs, recipe)
    assert found["aligner"] == "hmm + lexicon, refined"
    assert 0 <= found["aer"] <= 1
    low, high = found["interval"]
    assert low <= found["aer"] <= high
    # Neither the order of the pairs nor that of the database makes a difference.
    assert non_identical_error(links.pk, pairs[::-1], recipe) == found
    ibm1, best = (TrainingSpec(aligner=name, identical_words=False) for name in ("ibm1", "best"))
    plain = chosen_settings(links.project, ibm1.aligner_settings, 1)
    assert non_identical_error(links.pk, pairs, plain)["aligner"] == "ibm1"
    assert "lexicon" not in chosen_settings(links.project, best.aligner_settings, 1)
    with pytest.raises(PublicError, match="too many for giza"):
        chosen_settings(links.project, {"aligner": "giza"}, 250_001)
    with pytest.raises(PublicError, match="has no symmetrisation") as error:
        chosen_settings(links.project, {"aligner": "best", "linking": "refined"}, 1)
    assert error.value.field == "symmetrisation"
    assert newest_gold(links.project) == (links.pk, str(links))


def test_each_row_of_the_ablation_has_its_rate(links, dataset):
    project = dataset.project
    gold = learnable_gold(project, dataset, name="own")
    spec = TrainingSpec(classes=["string", "overlap"], c=0.1, aligner="ibm1", symmetrisation="union")
    asked = {"project": project, "by": None, "name": "svm", "gold_set": gold, "spec": spec}
    classifier = finished(launch_training(**asked, aligned=dataset))
    figures = classifier.figures
    assert [row["name"] for row in figures["ablation"]] == [
        "all", "string only", "the paper's classes", "no word pairs", "no string", "no overlap",
    ]  # fmt: skip
    for row in figures["ablation"]:
        assert 0 < row["aligned"]["pairs"] < dataset.size
        assert 0 <= row["aligned"]["aer"] <= 1
    assert figures["unrefined"]["pairs"] == dataset.size
    assert figures["unrefined"]["gold"] == str(links)
    assert figures["unrefined"]["aligner"] == "ibm1 + lexicon, union"
    assert classifier.job.counts["cross_validations"] == classifier.job.total == classifier.job.done
    manager = member(project, "manager", "mia")
    client = Client()
    client.force_login(manager)
    page = client.get(reverse("classifier", args=[project.slug, classifier.pk])).content.decode()
    assert "Non-identical AER, %" in page
    assert "every pair kept" in page
    assert f"{100 * figures['unrefined']['aer']:.2f}" in page
    form = client.get(reverse("launch", args=[project.slug, "train-classifier"])).content.decode()
    assert "Measure the alignment error rate" in form
